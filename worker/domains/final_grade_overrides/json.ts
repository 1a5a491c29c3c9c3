// Overrides of final grades as clients see them: by student, then of the course and by grading period.

import type { PeriodRow } from '../../contexts/course';
import type { StoredOverride } from './stored';

const percentageOf = ({ score }: StoredOverride) => ({ percentage: score });

function ofStudent(overrides: readonly StoredOverride[]) {
  const ofCourse = overrides.find(({ grading_period_id }) => grading_period_id === 0);
  const ofPeriods = overrides.filter(({ grading_period_id }) => grading_period_id !== 0);
  return {
    ...(ofCourse && { course_grade: percentageOf(ofCourse) }),
    ...(ofPeriods.length > 0 && {
      grading_period_grades: Object.fromEntries(ofPeriods.map((one) => [String(one.grading_period_id), percentageOf(one)])),
    }),
  };
}

/** @param periods of the course; overrides of others are left out, because their periods were deleted or replaced */
export function overridesJson(stored: readonly StoredOverride[], periods: readonly Pick<PeriodRow, 'id'>[]) {
  const known = new Set([0, ...periods.map(({ id }) => id)]);
  const byStudent = Map.groupBy(
    stored.filter(({ grading_period_id }) => known.has(grading_period_id)),
    ({ user_id }) => user_id,
  );
  return { final_grade_overrides: Object.fromEntries([...byStudent].map(([id, overrides]) => [String(id), ofStudent(overrides)])) };
}
