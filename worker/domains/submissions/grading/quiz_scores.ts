// The scores of a quiz as grades of its assignment (reference 04 §4.4, §4.6).

import { sql } from 'drizzle-orm';
import type { Statement } from '../../../database/open';
import type { Call } from '../../../http/call';
import { submissionId } from '../../../rules/submission_ids';
import { keepVersions } from '../submit/attempt_history';
import { submissions } from '../table';
import type { GradeWrite, WorkWithGrade } from './input';
import { performGrades } from './writes';

export interface QuizScore {
  readonly assignment: GradeWrite['assignment'];
  readonly user_id: number;
  readonly kept_score: number;
  /** Some answer waits for a grader. */
  readonly isPendingReview: boolean;
  /** The attempt that was turned in; undefined when only the score changed. */
  readonly turnedIn?: WorkWithGrade;
}

type Around = Pick<Call, 'db' | 'now'>;

const placeOf = ({ assignment, user_id }: QuizScore) => submissionId(assignment.id, user_id);

/** An answer that waits for a grader keeps the submission in review. */
const awaitReview = ({ db, now }: Around, scores: readonly QuizScore[]): Statement[] => {
  const ids = scores.filter(({ isPendingReview }) => isPendingReview).map(placeOf);
  if (ids.length === 0) return [];
  return [
    db.build
      .update(submissions)
      .set({ workflow_state: 'pending_review', updated_at: now })
      .where(sql`id in (select value from json_each(${JSON.stringify(ids)})) and excused = 0`),
  ];
};

function writeScores(around: Around, grader: { readonly id: number }, scores: readonly QuizScore[]): Statement[] {
  const grades = scores.map(({ assignment, user_id, kept_score, turnedIn }) => ({
    assignment,
    user_id,
    grade: { posted_grade: String(kept_score) },
    prefersPoints: true,
    work: turnedIn,
  }));
  return performGrades({ ...around, me: grader }, grades, false);
}

/** Statements for one batch. The grader of automatic scores is the quiz, which a negative id names. @param grader the quiz, or a user */
export function performQuizScores(around: Around, grader: { readonly id: number }, scores: readonly QuizScore[]): Statement[] {
  const handed = scores.filter(({ turnedIn }) => turnedIn);
  const others = scores.filter(({ turnedIn }) => !turnedIn);
  return [
    // Attempts at a quiz are those of its assignment.
    ...(handed.length > 0 ? [keepVersions(around.db, handed.map(placeOf), around.now)] : []),
    ...writeScores(around, grader, handed),
    ...writeScores(around, grader, others),
    ...awaitReview(around, scores),
  ];
}
