// The effective state of an enrollment is computed in TypeScript for a request and in SQL for a list. Both must agree.

import { env } from 'cloudflare:test';
import { wireTime } from '@carrel/shared/wire/fields';
import { datedEnrollments, effective, isActiveAt } from '@carrel/worker/contexts/effective_enrollments';
import { effectiveState } from '@carrel/worker/contexts/enrollment_dates';
import { newMeter, open } from '@carrel/worker/database/open';
import { enrollments } from '@carrel/worker/domains/enrollments/table';
import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { as, ground, ok } from '../support/api';
import type { Person } from '../support/ground';

const [past, before, after, future] = [
  '2020-01-01T00:00:00Z',
  '2025-01-01T00:00:00Z',
  '2035-01-01T00:00:00Z',
  '2036-01-01T00:00:00Z',
] as const;
/** Open, ended, current, future, without an end. */
const spans = [
  { start_at: null, end_at: null },
  { start_at: past, end_at: before },
  { start_at: before, end_at: after },
  { start_at: after, end_at: future },
  { start_at: null, end_at: before },
  { start_at: after, end_at: null },
] as const;

/** The last term has other dates for students and for teachers. */
const terms: readonly { start_at: string | null; end_at: string | null; overrides: Record<string, object> }[] = [
  ...spans.map((span) => ({ ...span, overrides: {} })),
  {
    start_at: null,
    end_at: before,
    overrides: { StudentEnrollment: { end_at: after }, TeacherEnrollment: { start_at: after, end_at: future } },
  },
];

/** Which spans section, course and enrollment have. The first is no restriction. */
const restrictions = [
  [0, 0, 0],
  [1, 0, 0],
  [3, 0, 0],
  [0, 2, 0],
  [0, 3, 0],
  [2, 3, 1],
  [0, 1, 3],
  [4, 5, 0],
  [5, 4, 2],
] as const;

/** Every term with every restriction; some courses are concluded, some enrollments are invitations. */
const cases = terms
  .flatMap((term) => restrictions.map(([section, course, own]) => ({ term, section, course, own })))
  .map((one, at) => ({ ...one, isConcluded: (at + 1) % 11 === 0, isInvited: (at + 1) % 3 === 0 }));

/** Enrolls a user as student and teacher in a course of this case, and returns the state of each enrollment by its id. */
async function enrolled(person: Person, term_id: number, { term, section, course, own, isConcluded, isInvited }: (typeof cases)[number]) {
  const courseRow = {
    ...spans[course],
    restrict_enrollments_to_course_dates: course > 0,
    workflow_state: isConcluded ? 'completed' : 'available',
  } as const;
  const sectionRow = { ...spans[section], restrict_enrollments_to_section_dates: section > 0 };
  const made = await ground.course({ ...courseRow, enrollment_term_id: term_id });
  const section_id = await ground.section(made, sectionRow);
  const enrollment_state = isInvited ? 'invited' : 'active';
  const states: [id: number, state: string][] = [];
  for (const [part, type] of [
    ['student', 'StudentEnrollment'],
    ['teacher', 'TeacherEnrollment'],
  ] as const) {
    const id = await ground.enroll(made, person, part, { section_id, enrollment_state });
    if (own > 0) await ground.db.update(enrollments).set(spans[own]).where(eq(enrollments.id, id));
    const row = { type, enrollment_state, ...spans[own] } as const;
    states.push([id, effectiveState(row, sectionRow, courseRow, term, new Date().toISOString())]);
  }
  return states;
}

test('lists filter by the same state that requests see', async () => {
  const person = await ground.person();
  const ids = new Map(await Promise.all(terms.map(async (term) => [term, (await ground.term(term)).id] as const)));
  const expected = new Map<number, string>();
  for (const one of cases) for (const [id, state] of await enrolled(person, ids.get(one.term) ?? 0, one)) expected.set(id, state);
  const result = new Map<number, string>();
  for (const state of ['active', 'invited', 'completed', 'inactive', 'pending_active', 'pending_invited'])
    for (const one of await as(person).pages('/users/self/enrollments', { state: [state], per_page: 100 })) result.set(one.id, state);
  expect([...result].sort()).toEqual([...expected].sort());
  expect(new Set(result.values()).size).toBe(6);
  expect(ok(await as(person).get('/courses', { enrollment_state: 'active', per_page: 100 })).length).toBeGreaterThan(0);
});

test('the condition for active enrollments agrees with the state, also for test students', async () => {
  const person = await ground.person();
  for (const term of terms) {
    const { id } = await ground.term(term);
    for (const one of cases.filter((each) => each.term === term)) await enrolled(person, id, one);
  }
  const now = wireTime(Date.now());
  const db = open(env.DB as never, newMeter(), 'first-primary');
  const counted = async () => {
    const [rows] = await db.perform([
      db.build.all<{
        state: string;
        is_active: number;
        count: number;
      }>(sql`select ${effective(now)} as state, ${isActiveAt(now)} as is_active, count(*) as count
        from (${datedEnrollments(sql`e.user_id = ${person.id}`)}) e group by 1, 2`),
    ]);
    return rows;
  };
  const all = await counted();
  expect(all.filter(({ state, is_active }) => (state === 'active') !== (is_active === 1))).toEqual([]);
  await ground.db.update(enrollments).set({ type: 'StudentViewEnrollment' }).where(eq(enrollments.type, 'StudentEnrollment'));
  const withTestStudents = await counted();
  expect(withTestStudents.filter(({ state, is_active }) => (state === 'active') !== (is_active === 1))).toEqual([]);
  // They do not wait for a start.
  const active = (rows: typeof all) => rows.find(({ state }) => state === 'active')?.count ?? 0;
  expect(active(withTestStudents)).toBeGreaterThan(active(all));
});
