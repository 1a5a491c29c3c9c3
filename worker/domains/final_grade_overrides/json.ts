// Overrides of final grades as clients see them: by student, then of the course and by grading period.

import type { PeriodRow } from '../../contexts/course';
import type { OverrideChange, StatusChange } from './input';
import type { StoredOverride } from './stored';

const gradeOf = ({ score, custom_grade_status_id }: StoredOverride) => ({
  percentage: score,
  ...(custom_grade_status_id !== null && { custom_grade_status_id }),
});

function ofStudent(overrides: readonly StoredOverride[]) {
  const ofCourse = overrides.find(({ grading_period_id }) => grading_period_id === 0);
  const ofPeriods = overrides.filter(({ grading_period_id }) => grading_period_id !== 0);
  return {
    ...(ofCourse && { course_grade: gradeOf(ofCourse) }),
    ...(ofPeriods.length > 0 && {
      grading_period_grades: Object.fromEntries(ofPeriods.map((one) => [String(one.grading_period_id), gradeOf(one)])),
    }),
  };
}

/** What is stored after these changes of one grading period. */
export function overridesAfter(
  stored: readonly StoredOverride[],
  period: number,
  changes: readonly OverrideChange[],
  statuses: readonly StatusChange[],
): StoredOverride[] {
  const ofPeriod = new Map(stored.flatMap((one) => (one.grading_period_id === period ? [[one.user_id, one] as const] : [])));
  const set = (user_id: number, change: Partial<StoredOverride>) =>
    ofPeriod.set(user_id, {
      user_id,
      grading_period_id: period,
      score: null,
      custom_grade_status_id: null,
      ...ofPeriod.get(user_id),
      ...change,
    });
  for (const { student_id, score } of changes) set(student_id, { score });
  for (const { student_id, custom_grade_status_id } of statuses) set(student_id, { custom_grade_status_id });
  return [...stored.filter((one) => one.grading_period_id !== period), ...ofPeriod.values()];
}

/** @param periods of the course; overrides of others are left out, because their periods were deleted or replaced */
export function overridesJson(stored: readonly StoredOverride[], periods: readonly Pick<PeriodRow, 'id'>[]) {
  const known = new Set([0, ...periods.map(({ id }) => id)]);
  const isShown = (one: StoredOverride) => known.has(one.grading_period_id) && (one.score !== null || one.custom_grade_status_id !== null);
  const byStudent = Map.groupBy(stored.filter(isShown), ({ user_id }) => user_id);
  return { final_grade_overrides: Object.fromEntries([...byStudent].map(([id, overrides]) => [String(id), ofStudent(overrides)])) };
}
