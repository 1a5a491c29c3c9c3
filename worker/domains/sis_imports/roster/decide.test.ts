// What a row of enrollments.csv changes.

import { describe, expect, test } from 'vitest';
import { sisRowOf } from '../rows/enrollments';
import { Notes } from '../work';
import { planSisRows, type SisEnrollment, type SisFacts, type SisRow, tallied } from './decide';

describe('a row of enrollments.csv', () => {
  const role = (id: number, name: string, more = {}) => ({
    id,
    name,
    base_role_type: name,
    workflow_state: 'built_in',
    account_id: null,
    ...more,
  });
  const keys = { sort_email: '', sort_sis_id: '' };
  const facts: SisFacts = {
    course: { workflow_state: 'available' },
    sections: [{ id: 5, sis_section_id: 'S1' }],
    default_section_id: 5,
    people: new Map([
      ['sis:U1', { user_id: 10, sortable_name: 'Lee, Ann', ...keys, isGone: false }],
      ['sis:U2', { user_id: 11, sortable_name: 'Ng, Bob', ...keys, isGone: true }],
    ]),
    roles: [
      role(3, 'StudentEnrollment'),
      role(7, 'ObserverEnrollment'),
      role(20, 'Grader', { base_role_type: 'TaEnrollment', workflow_state: 'active', account_id: 2 }),
    ],
    chain: [1, 2],
    there: [],
  };
  const row = (more: Partial<SisRow> = {}): SisRow => ({
    at: 2,
    user: 'sis:U1',
    section: 'S1',
    role: 'student',
    role_id: undefined,
    status: 'active',
    start_at: undefined,
    end_at: undefined,
    observed: undefined,
    limited: undefined,
    ...more,
  });
  const it = (more: Partial<SisEnrollment> = {}): SisEnrollment => ({
    id: 1,
    user_id: 10,
    course_section_id: 5,
    type: 'StudentEnrollment',
    role_id: 3,
    observed_user_id: 0,
    enrollment_state: 'active',
    start_at: null,
    end_at: null,
    limit_privileges_to_course_section: 0,
    temporary_enrollment_source_user_id: null,
    stuck_sis_fields: null,
    ...more,
  });
  const plan = (given: Partial<SisRow>, more: Partial<SisFacts> = {}, options = {}) =>
    planSisRows([row(given)], { ...facts, ...more }, options);

  test('enrolls', () => {
    expect(plan({}).inserts).toMatchObject([
      { user_id: 10, section_id: 5, type: 'StudentEnrollment', role_id: 3, enrollment_state: 'active' },
    ]);
    expect(plan({ role: 'Grader' }).inserts).toMatchObject([{ type: 'TaEnrollment', role_id: 20 }]);
    expect(plan({ section: undefined }, { default_section_id: undefined }).inserts).toMatchObject([{ section_id: null }]);
  });
  test.each<[string, Partial<SisRow>, Partial<SisFacts>, RegExp]>([
    ['an unknown user', { user: 'sis:X' }, {}, /no user "X"/],
    ['an unknown section', { section: 'X' }, {}, /no section "X"/],
    ['an unknown role', { role: 'grader' }, {}, /no role "grader"/],
    ['a role of another account', { role: 'Grader' }, { chain: [1] }, /no role/],
    ['a deleted user', { user: 'sis:U2' }, {}, /user is deleted/],
    ['a deleted course', {}, { course: { workflow_state: 'deleted' } }, /course is deleted/],
    ['an unknown user to observe', { role: 'observer', observed: 'X' }, {}, /no user "X" to observe/],
  ])('with %s is skipped with a warning', (_, given, more, message) => {
    const { inserts, warnings, applied } = plan(given, more);
    expect([inserts, applied]).toEqual([[], 0]);
    expect(warnings).toMatchObject([{ at: 2, message: expect.stringMatching(message) }]);
  });
  test.each<[string, string, string]>([
    ['active', 'completed', 'completed'],
    ['active', 'inactive', 'inactive'],
    ['active', 'deleted', 'deleted'],
    ['deleted', 'active', 'active'],
    ['completed', 'active', 'active'],
    ['invited', 'active', 'active'],
  ])('changes the state from %s to %s', (before, status, after) => {
    const { updates } = plan({ status: status as never }, { there: [it({ enrollment_state: before as never })] });
    expect(updates).toMatchObject([{ id: 1, enrollment_state: after, before }]);
  });
  test('that exists already is unchanged', () => {
    expect(plan({}, { there: [it()] })).toMatchObject({ inserts: [], updates: [], kept: [1], applied: 1 });
    expect(plan({ status: 'deleted' }, { there: [] })).toMatchObject({ inserts: [], updates: [], applied: 1 });
    expect(plan({ status: 'deleted' }, { there: [it()] }, { skip_deletes: true })).toMatchObject({ updates: [], kept: [1] });
  });
  test('with deleted_last_completed completes the last and deletes the others', () => {
    const other = it({ id: 2, course_section_id: 6 });
    expect(plan({ status: 'deleted_last_completed' }, { there: [it(), other] }).updates).toMatchObject([{ enrollment_state: 'deleted' }]);
    expect(plan({ status: 'deleted_last_completed' }, { there: [it()] }).updates).toMatchObject([{ enrollment_state: 'completed' }]);
    expect(plan({ status: 'deleted_last_completed' }, { there: [it({ enrollment_state: 'completed' })] }).updates).toEqual([]);
  });
  test('for the same enrollment given twice is applied once: the later row counts', () => {
    const twice = (statuses: string[], there: SisEnrollment[] = []) =>
      planSisRows(
        statuses.map((status, at) => row({ at, status: status as never, section: at === 0 ? undefined : 'S1' })),
        { ...facts, there },
        {},
      );
    expect(twice(['active', 'inactive'])).toMatchObject({ inserts: [{ enrollment_state: 'inactive' }], applied: 2 });
    expect(twice(['active', 'deleted']).inserts).toEqual([]);
    expect(twice(['inactive', 'completed'], [it()]).updates).toMatchObject([{ id: 1, before: 'active', enrollment_state: 'completed' }]);
  });
  test('changes dates as a pair, and not if a user has changed them', () => {
    const dated = (given: Record<string, string>) =>
      sisRowOf({ at: 2, cells: { user_id: 'U1', role: 'student', status: 'active', ...given } }, new Notes());
    expect(dated({ start_date: '2026-09-01', end_date: '2026-12-01' })).toMatchObject({
      start_at: '2026-09-01T00:00:00Z',
      end_at: '2026-12-01T00:00:00Z',
    });
    expect(dated({ start_date: '2026-09-01', end_date: '' })).toMatchObject({ start_at: null, end_at: null });
    expect(dated({})).toMatchObject({ start_at: undefined, end_at: undefined });
    const stuck = it({ start_at: '2026-01-01T00:00:00Z', stuck_sis_fields: ',start_at,' });
    expect(plan({ start_at: null, end_at: null }, { there: [stuck] }).updates).toEqual([]);
  });
  test.each<[string | null, string, string | undefined]>([
    [null, 'active', 'created'],
    ['active', 'deleted', 'deleted'],
    ['deleted', 'active', 'restored'],
    ['active', 'completed', 'concluded'],
    ['active', 'inactive', 'deactivated'],
    ['invited', 'active', undefined],
    ['active', 'active', undefined],
  ])('%s → %s counts as %s', (before, after, what) => expect(tallied(before, after)).toBe(what));
});
