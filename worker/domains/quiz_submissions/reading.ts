// What the endpoints of attempts read of a quiz, in one round trip with what else they need.

import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { accessEnd } from '../../contexts/enrollment_dates';
import { shared } from '../../database/shared';
import type { Call } from '../../http/call';
import { type EffectiveDates, effectiveDates, reaching } from '../../rules/assigned';
import { moduleLocks } from '../modules/locks';
import type { PresentedContent } from '../quiz_questions/table';
import type { QuizRow } from '../quizzes/json';
import { presentQuizzes, visibleQuizzes } from '../quizzes/policy';
import { quizzes } from '../quizzes/table';
import type { SavedAnswer } from './answers/saved_answer';
import { type PendingRegrade, pendingRegrade } from './regrading/pending';
import { type PresentedQuestion, quiz_attempts, quiz_submissions } from './table';

export type QuizCall = Pick<Call, 'db' | 'me' | 'user' | 'path' | 'now'> & { readonly course: CourseContext };

export interface QuizForTaker extends QuizRow {
  readonly is_visible: number;
  /** The student need not take it. */
  readonly is_excused: number;
  /** Those of the assignment for the caller as a student; null for ungraded quizzes. */
  readonly effective_dates: EffectiveDates | null;
}

/** @param id an id, or a select of it */
export const quizForTaker = (call: QuizCall, id: SQL) => {
  const me = shared('user', call.me.id);
  const dates = effectiveDates(reaching(sql.raw('= assignments.id'), me), call.now);
  return call.db.build
    .select({
      ...getTableColumns(quizzes),
      is_visible: sql<number>`(${visibleQuizzes(call.course, call)})`.as('is_visible'),
      is_excused:
        sql<number>`exists (select 1 from submissions s where s.assignment_id = quizzes.assignment_id and s.user_id = ${me} and s.excused = 1)`.as(
          'is_excused',
        ),
      effective_dates: sql<EffectiveDates | null>`(select ${dates} from assignments where assignments.id = quizzes.assignment_id)`
        .mapWith((text: string) => JSON.parse(text) as EffectiveDates)
        .as('effective_dates'),
    })
    .from(quizzes)
    .where(and(sql`${quizzes.id} = ${id}`, eq(quizzes.course_id, call.course.id), presentQuizzes));
};

/** The modules that lock a quiz, itself and by its assignment. */
export const locksOfQuiz = (call: QuizCall, id: SQL) =>
  [
    moduleLocks('Quiz', sql`select ${id} as id`, call),
    moduleLocks('Assignment', sql`select q.assignment_id as id from quizzes q where q.id = ${id} and q.assignment_id is not null`, call),
  ] as const;

export const datesForTaker = (quiz: Pick<QuizForTaker, 'effective_dates' | 'due_at' | 'unlock_at' | 'lock_at'>): EffectiveDates =>
  quiz.effective_dates ?? { due_at: quiz.due_at, unlock_at: quiz.unlock_at, lock_at: quiz.lock_at };

/** A question of an attempt with what the student has saved. */
export interface AttemptQuestion {
  readonly presented: PresentedQuestion;
  readonly content: PresentedContent;
  readonly answer: SavedAnswer;
  readonly flagged: boolean;
}

/** A question to score. */
export interface EndingQuestion extends AttemptQuestion {
  /** Its key has changed since the attempt was started. */
  readonly regrade: PendingRegrade | null;
}

interface QuestionColumns {
  readonly presented: string;
  readonly content: string;
  readonly answer: string | null;
  readonly flagged: number | null;
}

const selectQuestions = (submission: SQL, attempt: SQL, also: SQL = sql``) =>
  sql`select shown.value as presented, v.content as content, given.answer as answer, given.flagged as flagged${also}
    from quiz_attempts tried cross join json_each(tried.presented) shown
    cross join quiz_question_versions v on v.question_id = shown.value ->> 'id' and v.version = shown.value ->> 'version'
    left join quiz_answers given on given.quiz_submission_id = tried.quiz_submission_id and given.attempt = tried.attempt and given.question_id = v.question_id
    where tried.quiz_submission_id = ${submission} and tried.attempt = ${attempt} order by shown.key`;

/**
 * The questions of an attempt, in order.
 * @param submission, attempt SQL for the ids
 */
export const questionsOfAttempt = ({ db }: Pick<Call, 'db'>, submission: SQL, attempt: SQL) =>
  db.build.all<QuestionColumns>(selectQuestions(submission, attempt));

/** The same for an attempt that is to be scored. */
export const questionsToScore = ({ db }: Pick<Call, 'db'>, submission: SQL, attempt: SQL) =>
  db.build.all<QuestionColumns & { readonly regrade: string | null }>(
    selectQuestions(submission, attempt, sql`, ${pendingRegrade('v')} as regrade`),
  );

export const attemptQuestions = (rows: readonly QuestionColumns[]): AttemptQuestion[] =>
  rows.map(({ presented, content, answer, flagged }) => ({
    presented: JSON.parse(presented) as PresentedQuestion,
    content: JSON.parse(content) as PresentedContent,
    answer: answer === null ? null : (JSON.parse(answer) as SavedAnswer),
    flagged: flagged === 1,
  }));

export const endingQuestions = (rows: readonly (QuestionColumns & { readonly regrade: string | null })[]): EndingQuestion[] =>
  attemptQuestions(rows).map((question, at) => {
    const regrade = rows[at]?.regrade ?? null;
    return { ...question, regrade: regrade === null ? null : (JSON.parse(regrade) as PendingRegrade) };
  });

/** All attempts of a quiz submission without their questions, oldest first. */
export const attemptsOf = ({ db }: Pick<Call, 'db'>, submission: SQL) =>
  db.build
    .select({
      attempt: quiz_attempts.attempt,
      workflow_state: quiz_attempts.workflow_state,
      score: quiz_attempts.score,
      fudge_points: quiz_attempts.fudge_points,
      results: quiz_attempts.results,
      finished_at: quiz_attempts.finished_at,
      quiz_points_possible: quiz_attempts.quiz_points_possible,
    })
    .from(quiz_attempts)
    .where(sql`${quiz_attempts.quiz_submission_id} = (${submission})`)
    .orderBy(quiz_attempts.attempt);

export const ownQuizSubmission = ({ db, me }: Pick<Call, 'db' | 'me'>, quiz: SQL) =>
  db.build.select().from(quiz_submissions).where(sql`${quiz_submissions.quiz_id} = ${quiz} and ${quiz_submissions.user_id} = ${me.id}`);

/** When the caller's access to the course as a student ends; null if dates do not end it. */
export function accessEndsAt({ mine, term, ...course }: CourseContext): string | null {
  const ends = mine.filter((one) => one.effective === 'active').map((one) => accessEnd(one, one.section, course, term));
  if (ends.length === 0 || ends.includes(null)) return null;
  return ends.reduce((a, b) => ((a ?? '') > (b ?? '') ? a : b)) ?? null;
}
