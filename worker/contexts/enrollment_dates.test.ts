// The effective state of an enrollment.

import { describe, expect, test } from 'vitest';
import { type DatedEnrollment, effectiveState } from './enrollment_dates';

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
