// The requests that change the score of an attempt at a New Quiz: to complete it, and to score it by hand.

import { NewQuizSession } from '@carrel/shared/resources/new_quiz';
import { cut } from '@carrel/shared/resources/resource';
import { sql } from 'drizzle-orm';
import type { Statement } from '../../../database/open';
import type { Call } from '../../../http/call';
import { claimFor } from '../../../http/idempotency';
import { found, rejected } from '../../../http/problem';
import { answer, type Reply, settled } from '../../../http/reply';
import { schemesOfAssignments } from '../../../rules/grading_schemes';
import { requirementEvent } from '../../modules/progress/record';
import { completeAttempt, completed, type EndingAttempt, savedAnswers } from '../../quiz_submissions/completing';
import { endingNewQuiz } from '../../quiz_submissions/interactions/taken_new_quiz';
import { isGradeHidden, type QuizSubmissionRow } from '../../quiz_submissions/json';
import { attemptQuestions, attemptsOf, endingQuestions, questionsOfAttempt, questionsToScore } from '../../quiz_submissions/reading';
import type { ManualResult } from '../../quiz_submissions/scoring/attempt_score';
import { quiz_submissions } from '../../quiz_submissions/table';
import { refusedComplete } from '../../quiz_submissions/takeability';
import { assignmentFor, isCounted, scoredByHand, untilFresh } from '../../quiz_submissions/turning_in';
import { newQuizIn } from '../policy';
import type { WorkGiven } from './answering';
import { questionsIn } from './item_json';
import { type BesideSession, itemCount, newQuizSessionJson } from './json';
import { sessionIn, sessionsGradedByCaller, visibleSession } from './policy';
import { easedFor, newQuizForTaker, type SessionCall, takingOfNewQuiz } from './reading';

type Ending = SessionCall & Pick<Call, 'idempotency' | 'afterwards'>;

const idIn = ({ path }: SessionCall) => sql`${sessionIn(path)}`;

/** What the JSON of the attempt shows besides its row. */
const besideSession = (call: SessionCall, attempt: number) =>
  call.db.build.all<{ item_count: number; reached: number; is_grade_hidden: number }>(
    sql`select ${itemCount} as item_count, tried.reached as reached, ${isGradeHidden(sql.raw('-own.quiz_id'), sql.raw('own.user_id'))} as is_grade_hidden
      from quiz_submissions own join quiz_attempts tried on tried.quiz_submission_id = own.id and tried.attempt = ${attempt} where own.id = ${idIn(call)}`,
  );

/** Sends a batch with the key of the request, and returns the attempt as the batch has left it. */
async function settleSession(call: Ending, statements: readonly Statement[], row: QuizSubmissionRow & BesideSession): Promise<Reply> {
  const { db, me, idempotency, now } = call;
  const reply = answer(cut(NewQuizSession, newQuizSessionJson(row, call)));
  await db.perform([...statements, ...(idempotency ? [claimFor(db, me.id, idempotency, reply, now)] : [])]);
  return settled(reply);
}

/** Turns in the caller's running attempt. @throws Problem as reference 04 §4.4 lists them */
export const turnInSession = (call: Ending, given: WorkGiven): Promise<Reply> =>
  untilFresh(async () => {
    const { db, me, course, path, now } = call;
    const number = given.attempt ?? 0;
    const id = idIn(call);
    const [quizRows, ownRows, asked, before, [text], assignmentRows, schemes, [beside]] = await db.perform([
      newQuizForTaker(call),
      db.build.select().from(quiz_submissions).where(visibleSession(course, call)),
      questionsToScore(call, id, sql`${number}`),
      attemptsOf(call, id),
      db.build.all<{ saved: string }>(sql`select ${savedAnswers(id, number)} as saved`),
      assignmentFor(call, newQuizIn(path), sql`${me.id}`),
      schemesOfAssignments(db, newQuizIn(path)),
      besideSession(call, number),
    ]);
    const quiz = found(quizRows[0]);
    const own = found(ownRows[0]);
    if (own.user_id !== me.id) throw rejected('you are not allowed to complete this quiz submission', 403);
    const taking = takingOfNewQuiz(call, quiz, [], given.access_code);
    if (!taking.maySubmit) throw rejected('you are not allowed to complete this quiz submission', 403);
    const refused = refusedComplete(taking, own, given);
    if (refused) throw rejected(refused.message, refused.status);
    const its = course.participates ? assignmentRows[0] : undefined;
    const ending: EndingAttempt = {
      quiz: endingNewQuiz(own.quiz_id, quiz.quiz_settings),
      submission: own,
      questions: endingQuestions(asked),
      earlier: before.flatMap((one) => (isCounted(one.workflow_state) && one.score !== null ? one.score : [])),
      assignment: its && { ...its, scheme: schemes[0] },
      saved: text?.saved ?? '[]',
    };
    const done = completed(ending, now);
    const { results: _, ...changes } = done;
    return settleSession(
      call,
      [...requirementEvent(call, course, { type: 'Assignment', content_id: quiz.id }, 'submitted'), ...completeAttempt(call, ending, done)],
      {
        ...own,
        ...changes,
        ...found(beside),
        is_grade_hidden: its?.post_manually && !its.was_posted ? 1 : 0,
        quiz_settings: quiz.quiz_settings,
        eased: quiz.eased,
      },
    );
  });

export interface SessionScores {
  readonly attempt?: number;
  readonly fudge_points?: number | null;
  /** By the place of the question. */
  readonly items: ReadonlyMap<number, ManualResult>;
}

/** Scores a completed attempt by hand. @throws Problem 400 for an attempt that is not complete, or a place without a question */
export const scoreSession = (call: Ending, given: SessionScores): Promise<Reply> =>
  untilFresh(async () => {
    const { db, course, path } = call;
    const number = given.attempt ?? 0;
    const graded = sql`${visibleSession(course, call)} and ${sessionsGradedByCaller(course)}`;
    const id = idIn(call);
    const user = sql`(select own.user_id from quiz_submissions own where own.id = ${id})`;
    const [quizRows, submissionRows, asked, all, assignmentRows, schemes, [beside], easedRows] = await db.perform([
      newQuizForTaker(call),
      db.build.select().from(quiz_submissions).where(graded),
      questionsOfAttempt(call, id, sql`${number}`),
      attemptsOf(call, id),
      assignmentFor(call, newQuizIn(path), user),
      schemesOfAssignments(db, newQuizIn(path)),
      besideSession(call, number),
      db.build
        .select({
          eased: easedFor(
            sql.raw('quiz_submissions.course_id'),
            sql.raw('-quiz_submissions.quiz_id'),
            sql.raw('quiz_submissions.user_id'),
          ).as('eased'),
        })
        .from(quiz_submissions)
        .where(graded),
    ]);
    const quiz = found(quizRows[0]);
    const before = found(submissionRows[0]);
    const its = assignmentRows[0];
    if (its?.is_closed) throw rejected('the quiz is in a closed grading period for this student', 403);
    const questions = questionsIn(attemptQuestions(asked));
    const entered = [...given.items].map(([position, result]) => {
      const question = questions[position - 1];
      if (!question && beside) throw rejected(`there is no question ${position}`);
      return [question?.presented.id ?? 0, result] as const;
    });
    const { statements, changes } = scoredByHand(
      call,
      { quiz: endingNewQuiz(before.quiz_id, quiz.quiz_settings), before, all, its: its && { ...its, scheme: schemes[0] } },
      { attempt: given.attempt, fudge_points: given.fudge_points, questions: new Map(entered) },
    );
    const progress = its ? requirementEvent(call, course, { type: 'Assignment', content_id: quiz.id }, 'scored', before.user_id) : [];
    return settleSession(call, [...progress, ...statements], {
      ...before,
      ...changes,
      ...found(beside),
      quiz_settings: quiz.quiz_settings,
      eased: easedRows[0]?.eased ?? null,
    });
  });
