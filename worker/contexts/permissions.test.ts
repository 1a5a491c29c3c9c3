// The effective state of an enrollment, and the permissions of a role.

import { describe, expect, test } from 'vitest';
import { type DatedEnrollment, effectiveState } from './enrollment_dates';
import { holdsByDefault, type RoleOverride, roleHolds } from './permissions';

const now = '2026-11-20T12:00:00Z';
const past: readonly [string, string] = ['2026-01-01T00:00:00Z', '2026-06-01T00:00:00Z'];
const present: readonly [string, string] = ['2026-09-01T00:00:00Z', '2026-12-20T00:00:00Z'];
const future: readonly [string, string] = ['2027-01-01T00:00:00Z', '2027-06-01T00:00:00Z'];
const span = (of?: readonly [string, string]) => ({ start_at: of?.[0] ?? null, end_at: of?.[1] ?? null });

type Case = [
  name: string,
  given: {
    type?: DatedEnrollment['type'];
    state?: DatedEnrollment['enrollment_state'];
    own?: readonly [string, string];
    section?: readonly [string, string];
    course?: readonly [string, string];
    term?: readonly [string, string];
    concluded?: boolean;
  },
  expected: string,
];

const cases: Case[] = [
  ['without any dates the stored state counts', {}, 'active'],
  ['inside the term', { term: present }, 'active'],
  ['after the term', { term: past }, 'completed'],
  ['before the term, a student waits', { term: future }, 'pending_active'],
  ['before the term, an invited student waits, too', { term: future, state: 'invited' }, 'pending_invited'],
  ['before its start a term is open to teachers', { term: future, type: 'TeacherEnrollment' }, 'active'],
  ['after the term a teacher has completed, too', { term: past, type: 'TeacherEnrollment' }, 'completed'],
  ['course dates override term dates', { course: present, term: past }, 'active'],
  ['a teacher is active within either', { course: past, term: present, type: 'TeacherEnrollment' }, 'active'],
  ['section dates override course dates', { section: future, course: present }, 'pending_active'],
  ['enrollment dates override all', { own: past, section: present, course: present }, 'completed'],
  ['the test student never waits', { course: future, type: 'StudentViewEnrollment' }, 'active'],
  ['a concluded course completes everyone', { concluded: true, term: present }, 'completed'],
  ['a rejected enrollment stays rejected', { state: 'rejected', term: past }, 'rejected'],
];

describe('the effective state of an enrollment', () => {
  test.each(cases)('%s', (_, given, expected) => {
    const state = effectiveState(
      { type: given.type ?? 'StudentEnrollment', enrollment_state: given.state ?? 'active', ...span(given.own) },
      { ...span(given.section), restrict_enrollments_to_section_dates: given.section !== undefined },
      {
        workflow_state: given.concluded ? 'completed' : 'available',
        ...span(given.course),
        restrict_enrollments_to_course_dates: given.course !== undefined,
      },
      { ...span(given.term), overrides: {} },
      now,
    );
    expect(state).toBe(expected);
  });
});

describe('the permissions of a role', () => {
  const ta = { id: 5, base_role_type: 'TaEnrollment' as const, workflow_state: 'built_in' };
  const custom = { id: 20, base_role_type: 'AccountMembership' as const, workflow_state: 'active' };
  const admin = { id: 1, base_role_type: 'AccountMembership' as const, workflow_state: 'built_in' };
  const override = (account_id: number, enabled: boolean | null, rest: Partial<RoleOverride> = {}): RoleOverride => ({
    account_id,
    role_id: 5,
    permission: 'manage_grades',
    enabled,
    locked: false,
    applies_to_self: true,
    applies_to_descendants: true,
    ...rest,
  });
  const chain = [1, 2, 3];

  test('the defaults: a TA grades, an administrator has all but two, a custom account role none', () => {
    expect(holdsByDefault('manage_grades', ta)).toBe(true);
    expect(holdsByDefault('manage_courses_delete', ta)).toBe(false);
    expect(holdsByDefault('become_user', admin)).toBe(true);
    expect(holdsByDefault('proxy_assignment_submission', admin)).toBe(false);
    expect(holdsByDefault('read_roster', custom)).toBe(false);
  });

  test.each<[string, RoleOverride[], boolean]>([
    ['without overrides', [], true],
    ['the nearest override wins', [override(1, false), override(3, true)], true],
    ['an override applies in sub-accounts', [override(1, false)], false],
    ['a locked override cannot be overridden', [override(1, false, { locked: true }), override(3, true)], false],
    ['an override for its own account only does not apply below', [override(1, false, { applies_to_descendants: false })], true],
    ['an override for sub-accounts only does not apply in its own account', [override(3, false, { applies_to_self: false })], true],
  ])('%s', (_, overrides, expected) => {
    expect(roleHolds('manage_grades', ta, chain, overrides)).toBe(expected);
  });

  test('an override cannot grant what the role type cannot have', () => {
    expect(roleHolds('become_user', ta, [1], [override(1, true, { permission: 'become_user' })])).toBe(false);
  });
});
