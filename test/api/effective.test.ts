// The effective state of an enrollment is computed in TypeScript for a request and in SQL for a list. Both must agree.

import { effectiveState } from '@carrel/worker/contexts/enrollment_dates';
import { enrollments } from '@carrel/worker/domains/enrollments/table';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { as, ground, ok } from '../support/api';

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

test('lists filter by the same state that requests see', async () => {
  const person = await ground.person();
  const terms = await Promise.all([
    ...spans.map((span) => ground.term(span)),
    ground.term({
      end_at: before,
      overrides: { StudentEnrollment: { end_at: after }, TeacherEnrollment: { start_at: after, end_at: future } },
    }),
  ]);
  const expected = new Map<number, string>();
  const termRows = [
    ...spans.map((span) => ({ ...span, overrides: {} })),
    {
      start_at: null,
      end_at: before,
      overrides: { StudentEnrollment: { end_at: after }, TeacherEnrollment: { start_at: after, end_at: future } },
    },
  ];
  let turn = 0;
  for (const [at, term] of terms.entries())
    for (const [section, course, own] of [
      [0, 0, 0],
      [1, 0, 0],
      [3, 0, 0],
      [0, 2, 0],
      [0, 3, 0],
      [2, 3, 1],
      [0, 1, 3],
      [4, 5, 0],
      [5, 4, 2],
    ] as const) {
      turn += 1;
      const [sectionSpan, courseSpan, ownSpan] = [spans[section], spans[course], spans[own]];
      const courseRow = {
        ...courseSpan,
        restrict_enrollments_to_course_dates: course > 0,
        workflow_state: turn % 11 === 0 ? 'completed' : 'available',
      } as const;
      const made = await ground.course({ ...courseRow, enrollment_term_id: term.id });
      const sectionRow = { ...sectionSpan, restrict_enrollments_to_section_dates: section > 0 };
      const section_id = await ground.section(made, sectionRow);
      for (const part of ['student', 'teacher'] as const) {
        const enrollment_state = turn % 3 === 0 ? 'invited' : 'active';
        const id = await ground.enroll(made, person, part, { section_id, enrollment_state });
        if (own > 0) await ground.db.update(enrollments).set(ownSpan).where(eq(enrollments.id, id));
        const type = part === 'student' ? 'StudentEnrollment' : 'TeacherEnrollment';
        const row = { type, enrollment_state, ...(own > 0 ? ownSpan : spans[0]) } as const;
        expected.set(id, effectiveState(row, sectionRow, courseRow, termRows[at] as never, new Date().toISOString()));
      }
    }
  const told = new Map<number, string>();
  for (const state of ['active', 'invited', 'completed', 'inactive', 'pending_active', 'pending_invited'])
    for (const one of await as(person).pages('/users/self/enrollments', { state: [state], per_page: 100 })) told.set(one.id, state);
  expect([...told].sort()).toEqual([...expected].sort());
  expect(new Set(told.values()).size).toBe(6);
  expect(ok(await as(person).get('/courses', { enrollment_state: 'active', per_page: 100 })).length).toBeGreaterThan(0);
});
