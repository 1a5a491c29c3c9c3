// Turns an attempt in: scores what was saved, once, and writes the kept score into the assignment's submission.

import { eq, type SQL, sql } from 'drizzle-orm';
import type { Statement } from '../../database/open';
import type { Call } from '../../http/call';
import type { RowOf } from '../../http/listing';
import type { AssignmentScheme } from '../../rules/grading_schemes';
import type { assignments } from '../assignments/table';
import type { QuizRow } from '../quizzes/json';
import { performQuizScores, type QuizScore } from '../submissions/grading/quiz_scores';
import { finishOf } from './attempt_time';
import { isNewQuizKey, scoreInAssignment } from './interactions/taken_new_quiz';
import type { QuizSubmissionRow } from './json';
import type { EndingQuestion } from './reading';
import { scoredQuestion } from './regrading/pending';
import { regradedResult } from './regrading/regraded_result';
import { scoreOfAttempt, stateOfAttempt } from './scoring/attempt_score';
import { keptScore, type ScoringPolicy } from './scoring/kept_score';
import { scoreQuestion } from './scoring/score_question';
import { type QuestionResult, quiz_attempts, quiz_submissions } from './table';

export type AssignmentOfQuiz = RowOf<typeof assignments> & { readonly scheme?: AssignmentScheme };

/** What decides the score of a quiz: a classic one, or a New Quiz under its key. */
export interface EndingQuiz {
  readonly id: number;
  readonly quiz_type: QuizRow['quiz_type'];
  readonly scoring_policy: ScoringPolicy;
}

export interface EndingAttempt {
  readonly quiz: EndingQuiz;
  readonly submission: QuizSubmissionRow;
  readonly questions: readonly EndingQuestion[];
  /** Scores of the earlier attempts, oldest first. */
  readonly earlier: readonly number[];
  /** None for ungraded quizzes, and for those who take it without being students. */
  readonly assignment: AssignmentOfQuiz | undefined;
  /** The saved answers as `savedAnswers` selects them; the attempt is scored only if they are still the same. */
  readonly saved: string;
}

/** All answers of an attempt as one text, to find out whether they have changed. */
export const savedAnswers = (submission: number | SQL, attempt: number | SQL) =>
  sql<string>`(select json_group_array(json_array(given.question_id, given.answer)) from (select question_id, answer from quiz_answers
    where quiz_submission_id = ${submission} and attempt = ${attempt} order by question_id) given)`;

const resultsOf = (questions: EndingAttempt['questions']): QuestionResult[] =>
  questions.map(({ presented, content, answer, regrade }) => {
    const was = scoredQuestion(presented, content);
    const result = scoreQuestion(was, answer);
    return regrade
      ? regradedResult({ option: regrade.option, was, is: scoredQuestion(presented, regrade.content) }, result, answer)
      : result;
  });

/** The columns that completing an attempt changes. */
export function completed(ending: EndingAttempt, now: string) {
  const { quiz, submission, earlier } = ending;
  const results = resultsOf(ending.questions);
  const score = scoreOfAttempt({ quiz_type: quiz.quiz_type, quiz_points_possible: submission.quiz_points_possible ?? 0 }, results, 0);
  const isPreview = submission.workflow_state === 'preview';
  const kept = keptScore(quiz.scoring_policy, [...earlier, score]) ?? score;
  return {
    results,
    finished_at: finishOf(submission.end_at, now),
    score,
    kept_score: isPreview ? submission.kept_score : kept,
    workflow_state: isPreview ? ('preview' as const) : stateOfAttempt(quiz, results),
  };
}

/** The text that the submission of a quiz has. */
export const bodyOfAttempt = (user_id: number, quiz_id: number, score: number, finished_at: string): string =>
  `user: ${user_id}, quiz: ${Math.abs(quiz_id)}, score: ${score}, time: ${finished_at}`;

/** The score that counts, in points of the assignment. @param points those of the attempt */
export const keptInAssignment = (
  quiz: Pick<EndingQuiz, 'id'>,
  kept_score: number,
  points: number | null,
  { points_possible }: Pick<AssignmentOfQuiz, 'points_possible'>,
): number => (isNewQuizKey(quiz.id) ? scoreInAssignment(kept_score, points, points_possible) : kept_score);

/** The grade that follows; none for previews and ungraded quizzes. */
export function gradeOf(ending: EndingAttempt, done: ReturnType<typeof completed>): QuizScore[] {
  const { assignment, submission, quiz } = ending;
  if (!assignment || done.workflow_state === 'preview' || done.kept_score === null) return [];
  return [
    {
      assignment,
      user_id: submission.user_id,
      kept_score: keptInAssignment(quiz, done.kept_score, submission.quiz_points_possible, assignment),
      isPendingReview: done.workflow_state === 'pending_review',
      turnedIn: {
        attempt: submission.attempt,
        submitted_at: done.finished_at,
        body: bodyOfAttempt(submission.user_id, quiz.id, done.score, done.finished_at),
        submission_type: isNewQuizKey(quiz.id) ? 'basic_lti_launch' : 'online_quiz',
      },
    },
  ];
}

/** Stores the end of an attempt. The first statement breaks the batch if the attempt or its answers have changed since they were read. */
export function completeAttempt(call: Pick<Call, 'db' | 'now'>, ending: EndingAttempt, done = completed(ending, call.now)): Statement[] {
  const { db, now } = call;
  const { submission, saved } = ending;
  const { results, kept_score, ...attempt } = done;
  const isUnchanged = sql`attempt = ${submission.attempt} and workflow_state = ${submission.workflow_state} and finished_at is null
    and kept_score is ${submission.kept_score} and ${savedAnswers(submission.id, submission.attempt)} = ${saved}`;
  return [
    db.build.run(sql`update quiz_submissions set validation_token = null where id = ${submission.id} and not (${isUnchanged})`),
    db.build
      .update(quiz_submissions)
      .set({ ...attempt, kept_score, manually_unlocked: null, updated_at: now })
      .where(eq(quiz_submissions.id, submission.id)),
    db.build
      .update(quiz_attempts)
      .set({ ...attempt, results, updated_at: now })
      .where(sql`quiz_submission_id = ${submission.id} and attempt = ${submission.attempt}`),
    ...performQuizScores(call, { id: -Math.abs(ending.quiz.id) }, gradeOf(ending, done)),
  ];
}

/** Whether a batch was refused because something has changed since it was read. */
export const isStale = (error: unknown): boolean => {
  for (let one = error; one instanceof Error; one = one.cause)
    if (/NOT NULL constraint failed: quiz_submissions\.validation_token/.test(one.message)) return true;
  return false;
};
