// Totals of a gradebook, by the functions of the server.

import { expect, test } from 'vitest';
import type { AssignmentJson } from '../model/resources';
import { cellOf, hasFlag } from './cells';
import { totalsIn } from './totals';

const assignment = (id: number, more: Partial<AssignmentJson> = {}): AssignmentJson => ({
  id,
  course_id: 1,
  name: `${id}`,
  points_possible: 10,
  assignment_group_id: 1,
  grading_type: 'points',
  published: true,
  ...more,
});
const group = { id: 1, name: 'Work', position: 1, group_weight: 100, rules: {} };
const results = (scores: Record<number, number | null>, more: { unassigned?: number[]; pending?: number[] } = {}) => ({
  work: new Map(
    Object.entries(scores).map(([id, score]) => [
      Number(id),
      { score, excused: false, isHidden: false, isPending: more.pending?.includes(Number(id)) ?? false },
    ]),
  ),
  unassigned: new Set(more.unassigned),
  periods: new Map<number, number>(),
});

test('ungraded work counts in the final score only, and what is not assigned in none', () => {
  const totals = totalsIn({ id: 1 }, [group], [assignment(1), assignment(2), assignment(3)]);
  expect(totals(results({ 1: 8 }))).toEqual({ current: 80, final: 26.67 });
  expect(totals(results({ 1: 8 }, { unassigned: [2, 3] }))).toEqual({ current: 80, final: 80 });
  expect(totals(results({ 1: 8, 2: 2 }, { pending: [2] }))).toEqual({ current: 80, final: 33.33 });
});

test('unpublished, ungraded and omitted assignments do not count, and drop rules and weights do', () => {
  const all = [
    assignment(1),
    assignment(2),
    assignment(3, { published: false }),
    assignment(4, { grading_type: 'not_graded' }),
    assignment(5, { omit_from_final_grade: true }),
    assignment(6, { assignment_group_id: 2 }),
  ];
  const groups = [
    { ...group, group_weight: 20, rules: { drop_lowest: 1 } },
    { ...group, id: 2, group_weight: 80 },
  ];
  const given = results({ 1: 2, 2: 10, 3: 0, 4: 0, 5: 0, 6: 5 });
  expect(totalsIn({ id: 1, apply_assignment_group_weights: true }, groups, all)(given)).toEqual({ current: 60, final: 60 });
});

test('weighted grading periods compose the total', () => {
  const period = (id: number, start_date: string, end_date: string, weight: number) => ({
    id,
    start_date,
    end_date,
    close_date: end_date,
    weight,
  });
  const course = {
    id: 1,
    has_weighted_grading_periods: true,
    grading_periods: [period(1, '2026-01-01', '2026-06-30', 25), period(2, '2026-07-01', '2026-12-31', 75)],
  };
  const all = [assignment(1, { due_at: '2026-02-01T00:00:00Z' }), assignment(2, { due_at: '2026-08-01T00:00:00Z' })];
  expect(totalsIn(course, [group], all)(results({ 1: 10, 2: 6 })).current).toBe(70);
});

test('a cell has what the gradebook shows', () => {
  const submission = { id: 1, user_id: 2, assignment_id: 3, workflow_state: 'submitted', submission_type: 'online_url', attempt: 2 };
  const flags = (more: object) => {
    const cell = cellOf({ ...submission, ...more });
    return (['to_grade', 'graded', 'posted', 'excused', 'late', 'missing'] as const).filter((flag) => hasFlag(cell, flag));
  };
  expect(cellOf(submission).slice(0, 4)).toEqual([2, 3, null, null]);
  expect(flags({})).toEqual(['to_grade']);
  expect(flags({ score: 4, workflow_state: 'graded', posted_at: '2026-01-01T00:00:00Z' })).toEqual(['graded', 'posted']);
  expect(flags({ score: 4, workflow_state: 'graded', grade_matches_current_submission: false })).toEqual(['to_grade', 'graded']);
  expect(flags({ excused: true, late: true })).toEqual(['excused', 'late']);
  expect(flags({ submission_type: null, workflow_state: 'unsubmitted', missing: true })).toEqual(['missing']);
});
