// The requests that change the score of an attempt: to complete it, and to score it by hand.

import { QuizSubmission } from '@carrel/shared/resources/quiz_submission';
import { cut } from '@carrel/shared/resources/resource';
import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { Statement } from '../../database/open';
import { shared } from '../../database/shared';
import type { Call } from '../../http/call';
import { claimFor } from '../../http/idempotency';
import { found, rejected } from '../../http/problem';
import { answer, type Reply, settled } from '../../http/reply';
import { effectiveDate, reaching } from '../../rules/assigned';
import { isClosedAt } from '../../rules/grading_periods';
import { schemesOfAssignments } from '../../rules/grading_schemes';
import { assignments } from '../assignments/table';
import { requirementEvent } from '../modules/progress/record';
import type { QuizRow } from '../quizzes/json';
import { performQuizScores } from '../submissions/grading/quiz_scores';
import {
  type AssignmentOfQuiz,
  completeAttempt,
  completed,
  type EndingAttempt,
  type EndingQuiz,
  isStale,
  keptInAssignment,
  savedAnswers,
} from './completing';
import { type QuizSubmissionRow, quizSubmissionJson } from './json';
import { gradedByCaller } from './policy';
import { attemptsOf, endingQuestions, type QuizCall, questionsToScore, quizForTaker } from './reading';
import { type ManualResult, scoreOfAttempt, stateOfAttempt, withManualResults } from './scoring/attempt_score';
import { keptScore } from './scoring/kept_score';
import { quiz_attempts, quiz_submissions } from './table';
import { refusedComplete } from './takeability';
import { takingOf } from './taking';

export type Asking = QuizCall & Pick<Call, 'request' | 'origin' | 'idempotency' | 'afterwards'>;

/** A course of a path, of which a call has the rest. */
export interface AtSubmission {
  readonly quiz_id: number;
  readonly id: number;
}

/** Reads and writes again while others change what was read. */
const mostTurns = 6;

/** @param turn one attempt to read, decide and write @throws Problem 409 if others keep changing it */
export async function untilFresh<T>(turn: () => Promise<T>): Promise<T> {
  for (let count = 1; count <= mostTurns; count += 1) {
    try {
      return await turn();
    } catch (error) {
      if (!isStale(error)) throw error;
    }
  }
  throw rejected('the quiz submission has changed meanwhile', 409);
}

const submissionAt = ({ db }: Pick<Call, 'db'>, { quiz_id, id }: AtSubmission, also: SQL) =>
  db.build
    .select()
    .from(quiz_submissions)
    .where(sql`${quiz_submissions.id} = ${id} and ${quiz_submissions.quiz_id} = ${quiz_id} and ${also}`);

/** The assignment of a quiz for one student: whether the due date is in a closed grading period, and whether a grade was posted. */
export const assignmentFor = ({ db, course, now }: QuizCall, assignment: SQL, user: SQL) => {
  const due = effectiveDate('due_at', reaching(sql.raw('= assignments.id'), user), now);
  return db.build
    .select({
      ...getTableColumns(assignments),
      is_closed: (course.isAdmin ? sql<number>`0` : isClosedAt(due, shared('course', course.id), now)).as('is_closed'),
      was_posted:
        sql<number>`exists (select 1 from submissions s where s.assignment_id = assignments.id and s.user_id = ${user} and s.posted_at is not null)`.as(
          'was_posted',
        ),
    })
    .from(assignments)
    .where(sql`assignments.id = (${assignment}) and assignments.workflow_state <> 'deleted'`);
};

const assignmentOf = (quiz_id: number) =>
  sql`select q.assignment_id from quizzes q where q.id = ${quiz_id} and q.assignment_id is not null`;
const schemeFor = ({ db }: Pick<Call, 'db'>, quiz_id: number) => schemesOfAssignments(db, assignmentOf(quiz_id));

/** Sends a batch with the key of the request, and returns the quiz submission as the batch has left it. */
async function settle(
  call: Asking,
  statements: readonly Statement[],
  after: { readonly row: QuizSubmissionRow; readonly quiz: QuizRow; readonly isHidden: boolean },
): Promise<Reply> {
  const { db, me, idempotency, now } = call;
  const json = cut(QuizSubmission, quizSubmissionJson(after.row, after.quiz, after.isHidden, call));
  const reply = answer({ quiz_submissions: [json] });
  await db.perform([...statements, ...(idempotency ? [claimFor(db, me.id, idempotency, reply, now)] : [])]);
  return settled(reply);
}

export const isCounted = (state: string) => state === 'complete' || state === 'pending_review';

export interface CompleteGiven {
  readonly attempt: number | undefined;
  readonly validation_token: string | undefined;
  readonly access_code: string | undefined;
}

/** Turns in the caller's running attempt. @throws Problem as reference 04 §4.4 lists them */
export const turnInAttempt = (call: Asking, at: AtSubmission, given: CompleteGiven): Promise<Reply> =>
  untilFresh(async () => {
    const { db, me, course, now } = call;
    const number = given.attempt ?? 0;
    const [quizRows, ownRows, asked, before, [text], assignmentRows, schemes] = await db.perform([
      quizForTaker(call, sql`${at.quiz_id}`),
      submissionAt(call, at, sql`${quiz_submissions.user_id} = ${me.id}`),
      questionsToScore(call, sql`${at.id}`, sql`${number}`),
      attemptsOf(call, sql`${at.id}`),
      db.build.all<{ saved: string }>(sql`select ${savedAnswers(at.id, number)} as saved`),
      assignmentFor(call, assignmentOf(at.quiz_id), sql`${me.id}`),
      schemeFor(call, at.quiz_id),
    ]);
    const quiz = found(quizRows[0]);
    const own = ownRows[0];
    if (!own) throw rejected('you are not allowed to complete this quiz submission', 403);
    const taking = takingOf(call, quiz, own, [], given.access_code);
    if (!taking.maySubmit) throw rejected('you are not allowed to complete this quiz submission', 403);
    const refused = refusedComplete(taking, own, given);
    if (refused) throw rejected(refused.message, refused.status);
    const its = course.participates ? assignmentRows[0] : undefined;
    const assignment: AssignmentOfQuiz | undefined = its && { ...its, scheme: schemes[0] };
    const ending: EndingAttempt = {
      quiz,
      submission: own,
      questions: endingQuestions(asked),
      earlier: before.flatMap((one) => (isCounted(one.workflow_state) && one.score !== null ? one.score : [])),
      assignment,
      saved: text?.saved ?? '[]',
    };
    const done = completed(ending, now);
    const { results: _, ...changes } = done;
    return settle(
      call,
      [...requirementEvent(call, course, { type: 'Quiz', content_id: quiz.id }, 'submitted'), ...completeAttempt(call, ending, done)],
      { row: { ...own, ...changes, manually_unlocked: null }, quiz, isHidden: Boolean(its?.post_manually && !its.was_posted) },
    );
  });

export interface ScoreGiven {
  readonly attempt?: number;
  readonly fudge_points?: number | null;
  readonly questions: ReadonlyMap<number, ManualResult>;
}

interface Scoring {
  readonly quiz: EndingQuiz;
  readonly before: QuizSubmissionRow;
  /** All attempts, oldest first. */
  readonly all: readonly Pick<
    typeof quiz_attempts.$inferSelect,
    'attempt' | 'workflow_state' | 'score' | 'fudge_points' | 'results' | 'quiz_points_possible'
  >[];
  readonly its: AssignmentOfQuiz | undefined;
}

/** What a grader's entries make of a completed attempt, and the statements that store it. The batch breaks if the attempt has changed since it was read. */
export function scoredByHand(
  call: Asking,
  { quiz, before, all, its }: Scoring,
  given: ScoreGiven,
): { readonly statements: Statement[]; readonly changes: Partial<QuizSubmissionRow> } {
  const { db, me, now } = call;
  const attempt = all.find((one) => one.attempt === given.attempt);
  if (!attempt) throw rejected('invalid attempt');
  if (!isCounted(attempt.workflow_state) || !attempt.results) throw rejected('quiz submission is not complete');
  const results = withManualResults(attempt.results, given.questions);
  const fudge = given.fudge_points === undefined ? (attempt.fudge_points ?? 0) : (given.fudge_points ?? 0);
  const scored = {
    score: scoreOfAttempt({ quiz_type: quiz.quiz_type, quiz_points_possible: attempt.quiz_points_possible }, results, fudge),
    fudge_points: given.fudge_points === undefined ? attempt.fudge_points : given.fudge_points,
    workflow_state: stateOfAttempt(quiz, results),
  };
  const scores = all.flatMap((one) => {
    if (!isCounted(one.workflow_state)) return [];
    return one.attempt === attempt.attempt ? scored.score : (one.score ?? []);
  });
  const kept_score = keptScore(quiz.scoring_policy, scores);
  const isNewest = attempt.attempt === before.attempt;
  const changes = { ...(isNewest && scored), kept_score, updated_at: now };
  const isUnchanged = sql`attempt = ${before.attempt} and workflow_state = ${before.workflow_state} and kept_score is ${before.kept_score}
    and (select tried.results from quiz_attempts tried where tried.quiz_submission_id = ${before.id} and tried.attempt = ${attempt.attempt}) = ${JSON.stringify(attempt.results)}`;
  const newestState = isNewest ? scored.workflow_state : before.workflow_state;
  return {
    changes,
    statements: [
      db.build.run(sql`update quiz_submissions set validation_token = null where id = ${before.id} and not (${isUnchanged})`),
      db.build.update(quiz_submissions).set(changes).where(eq(quiz_submissions.id, before.id)),
      db.build
        .update(quiz_attempts)
        .set({ ...scored, results, updated_at: now })
        .where(sql`quiz_submission_id = ${before.id} and attempt = ${attempt.attempt}`),
      ...(its && kept_score !== null
        ? performQuizScores(call, me, [
            {
              assignment: its,
              user_id: before.user_id,
              kept_score: keptInAssignment(quiz, kept_score, before.quiz_points_possible, its),
              isPendingReview: newestState === 'pending_review',
            },
          ])
        : []),
    ],
  };
}

/** Scores a completed attempt by hand. @throws Problem 400 for an attempt that is not complete */
export const scoreByHand = (call: Asking, at: AtSubmission, given: ScoreGiven): Promise<Reply> =>
  untilFresh(async () => {
    const { db, course } = call;
    const user = sql`(select own.user_id from quiz_submissions own where own.id = ${at.id})`;
    const [quizRows, submissionRows, all, assignmentRows, schemes] = await db.perform([
      quizForTaker(call, sql`${at.quiz_id}`),
      submissionAt(call, at, gradedByCaller(course)),
      attemptsOf(call, sql`${at.id}`),
      assignmentFor(call, assignmentOf(at.quiz_id), user),
      schemeFor(call, at.quiz_id),
    ]);
    const quiz = found(quizRows[0]);
    const before = found(submissionRows[0]);
    const its = assignmentRows[0];
    if (its?.is_closed) throw rejected('the quiz is in a closed grading period for this student', 403);
    const { statements, changes } = scoredByHand(call, { quiz, before, all, its: its && { ...its, scheme: schemes[0] } }, given);
    const progress = its ? requirementEvent(call, course, { type: 'Quiz', content_id: quiz.id }, 'scored', before.user_id) : [];
    return settle(call, [...progress, ...statements], { row: { ...before, ...changes }, quiz, isHidden: false });
  });
