// A submission as of each change of its grade. Pure.

import type { RowOf } from '../../http/listing';
import type { grade_changes } from '../grade_changes/table';

export type GradeChange = RowOf<typeof grade_changes>;

/** A score, a grade or an excuse: a change that leaves none of them removed the grade. */
const isGraded = ({ score_after, grade_after, excused_after }: GradeChange) =>
  score_after !== null || grade_after !== null || excused_after;

export const gradedAt = (change: GradeChange): string | null => (isGraded(change) ? change.created_at : null);

/** The state of the submission after the change. */
export const stateAfter = (change: GradeChange, isSubmitted: boolean) =>
  ({
    score: change.score_after,
    grade: change.grade_after,
    excused: change.excused_after,
    points_deducted: change.points_deducted,
    grader_id: change.grader_id,
    graded_at: gradedAt(change),
    attempt: change.attempt,
    graded_attempt: isGraded(change) ? (change.attempt ?? 0) : null,
    workflow_state: isGraded(change) ? 'graded' : isSubmitted ? 'submitted' : 'unsubmitted',
  }) as const;

/** The changes of the score, newest first, each with the change before it. */
export const changesOfScore = (changes: readonly GradeChange[]): readonly (readonly [GradeChange, GradeChange | undefined])[] => {
  const inOrder = changes.toSorted((a, b) => a.version_number - b.version_number);
  return inOrder
    .map((one, at) => [one, inOrder[at - 1]] as const)
    .filter(([one]) => one.score_after !== one.score_before)
    .toReversed();
};
