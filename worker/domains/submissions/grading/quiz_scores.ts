// The scores of a quiz as grades of its assignment (reference 04 §4.4, §4.6).

import { getTableColumns, sql } from 'drizzle-orm';
import type { Statement } from '../../../database/open';
import { valuesInOrder } from '../../../database/values_in_order';
import type { Call } from '../../../http/call';
import { submissionId } from '../../../rules/submission_ids';
import { keepVersions } from '../submit/attempt_history';
import { submissions } from '../table';
import type { GradeWrite } from './input';
import { jsonField, performGrades } from './writes';

export interface QuizScore {
  readonly assignment: GradeWrite['assignment'];
  readonly user_id: number;
  readonly kept_score: number;
  /** Some answer waits for a grader. */
  readonly isPendingReview: boolean;
  /** The attempt that was turned in; undefined when only the score changed. */
  readonly turnedIn?: {
    readonly attempt: number;
    readonly finished_at: string;
    readonly body: string;
    /** New Quizzes are handed in as work in a tool. */
    readonly submission_type: 'online_quiz' | 'basic_lti_launch';
  };
}

type Around = Pick<Call, 'db' | 'now'>;

const placeOf = ({ assignment, user_id }: QuizScore) => submissionId(assignment.id, user_id);

/** Attempts at a quiz are those of its assignment. */
function turnIn({ db, now }: Around, scores: readonly QuizScore[]): Statement[] {
  const handed = scores.flatMap((one) =>
    one.turnedIn
      ? [{ ...one.turnedIn, id: placeOf(one), user_id: one.user_id, course_id: one.assignment.course_id, assignment_id: one.assignment.id }]
      : [],
  );
  if (handed.length === 0) return [];
  const cells = {
    ...Object.fromEntries(['id', 'course_id', 'assignment_id', 'user_id', 'attempt', 'body'].map((name) => [name, jsonField(name)])),
    submitted_at: jsonField('finished_at'),
    submission_type: jsonField('submission_type'),
    attachment_ids: sql`'[]'`,
    excused: sql`0`,
    is_missing_score: sql`0`,
    workflow_state: sql`'submitted'`,
    created_at: sql`${now}`,
    updated_at: sql`${now}`,
  };
  const set = ['attempt', 'body', 'submitted_at', 'submission_type', 'workflow_state', 'updated_at'] as const;
  return [
    keepVersions(
      db,
      handed.map(({ id }) => id),
      now,
    ),
    db.build
      .insert(submissions)
      .select(sql`select ${valuesInOrder(getTableColumns(submissions), cells)} from json_each(${JSON.stringify(handed)}) where true`)
      .onConflictDoUpdate({
        target: submissions.id,
        set: {
          ...Object.fromEntries(set.map((name) => [name, sql.raw(`excluded.${name}`)])),
          late_policy_status: null,
          seconds_late_override: null,
          custom_grade_status_id: null,
        },
      }),
  ];
}

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

/** Statements for one batch. The grader of automatic scores is the quiz, which a negative id names. @param grader the quiz, or a user */
export const performQuizScores = (around: Around, grader: { readonly id: number }, scores: readonly QuizScore[]): Statement[] => [
  ...turnIn(around, scores),
  ...performGrades(
    { ...around, me: grader },
    scores.map(({ assignment, user_id, kept_score }) => ({
      assignment,
      user_id,
      grade: { posted_grade: String(kept_score) },
      prefersPoints: true,
    })),
    false,
  ),
  ...awaitReview(around, scores),
];
