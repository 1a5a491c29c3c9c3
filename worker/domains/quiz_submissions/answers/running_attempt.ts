// The running attempt of the caller, for requests that work on it.

import { json, optional, text } from '@carrel/shared/wire/fields';
import { and, eq, sql } from 'drizzle-orm';
import type { CourseContext } from '../../../contexts/course';
import { readId } from '../../../contexts/references';
import { among } from '../../../database/ids';
import type { Call } from '../../../http/call';
import { found, notFound, rejected } from '../../../http/problem';
import { files } from '../../files/table';
import { quizAt } from '../attempt_view';
import { visibleQuizSubmissions } from '../policy';
import { attemptQuestions, type QuizCall, questionsOfAttempt, quizForTaker } from '../reading';
import { quiz_attempts, quiz_submissions } from '../table';
import { refusedAnswer } from '../takeability';
import { takingOf } from '../taking';

type At = Omit<QuizCall, 'course' | 'path'> & {
  readonly course: CourseContext | undefined;
  readonly path: { readonly quiz_submission_id: string };
};

/** @throws Problem 404 where the caller cannot read the course */
export function quizSubmissionIn(call: At): { readonly here: QuizCall; readonly id: number } {
  const { course, path } = call;
  const id = readId(path.quiz_submission_id);
  if (!course?.canRead || id === undefined) throw notFound();
  return { here: { ...call, course }, id };
}

export const taking = {
  attempt: optional(json),
  validation_token: optional(text),
  access_code: optional(text),
};

export interface TakingGiven {
  readonly attempt?: unknown;
  readonly validation_token?: string;
  readonly access_code?: string;
}

const attemptIn = ({ attempt }: TakingGiven): number | undefined =>
  /^\d{1,9}$/.test(String(attempt ?? '').trim()) ? Number(attempt) : undefined;

export type RunningCall = At & Pick<Call, 'request'>;

/** The caller's running attempt. @throws Problem as reference 04 §5.1 lists them */
export async function readRunning(call: RunningCall, given: TakingGiven, fileIds: readonly number[] = []) {
  const { here, id } = quizSubmissionIn(call);
  const attempt = attemptIn(given);
  const { db, me, now } = here;
  const [ownRows, quizRows, questionRows, ownFiles, triedRows] = await db.perform([
    db.build
      .select()
      .from(quiz_submissions)
      .where(sql`${quiz_submissions.id} = ${id} and ${visibleQuizSubmissions(here.course, here)}`),
    quizForTaker(here, quizAt(id)),
    questionsOfAttempt(here, sql`${id}`, sql`${attempt ?? 0}`),
    db.build
      .select({ id: files.id })
      .from(files)
      .where(and(among(files.id, fileIds), eq(files.user_id, me.id), eq(files.workflow_state, 'available'))),
    db.build
      .select({ reached: quiz_attempts.reached })
      .from(quiz_attempts)
      .where(and(eq(quiz_attempts.quiz_submission_id, id), eq(quiz_attempts.attempt, attempt ?? 0))),
  ]);
  const own = found(ownRows[0]);
  const quiz = found(quizRows[0]);
  if (own.user_id !== me.id) throw rejected('you are not allowed to update questions for this quiz submission', 403);
  const state = takingOf({ ...here, request: call.request }, quiz, own, [], given.access_code);
  if (!state.maySubmit) throw rejected('you are not allowed to update questions for this quiz submission', 403);
  const refused = refusedAnswer(state, own, { attempt, validation_token: given.validation_token }, now);
  if (refused) throw rejected(refused.message, refused.status);
  return {
    here,
    own,
    quiz,
    questions: attemptQuestions(questionRows),
    /** The last place that was shown, where questions are shown one at a time. */
    reached: triedRows[0]?.reached ?? 1,
    files: new Set(ownFiles.map((one) => one.id)),
  };
}
