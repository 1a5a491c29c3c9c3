// What an override of a final grade changes in the scores that a caller sees (reference 03 §11). Pure.

import type { FinalScores } from '@carrel/shared/grading/course_scores';
import type { CourseRow } from '../../../contexts/course';

type Course = Pick<CourseRow, 'settings'>;

/** The override that counts: none where the course does not allow overrides. */
export const overrideIn = (scores: FinalScores | undefined, { settings }: Course): number | null =>
  settings.allow_final_grade_override === true ? (scores?.override_score ?? null) : null;

/** The scores that callers other than graders see: the override replaces the current and the final score. */
export function displayedScores(scores: FinalScores | undefined, course: Course): FinalScores | undefined {
  const override = overrideIn(scores, course);
  return scores && override !== null ? { ...scores, current_score: override, final_score: override } : scores;
}
