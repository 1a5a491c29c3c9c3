// Responses to the questions of a running attempt at a New Quiz, saved through the engine of attempts.

import { and, eq, sql } from 'drizzle-orm';
import { among } from '../../../database/ids';
import type { Statement } from '../../../database/open';
import { storableHtml } from '../../../html/kept';
import type { Call } from '../../../http/call';
import { found, rejected } from '../../../http/problem';
import { files } from '../../files/table';
import type { PresentedContent } from '../../quiz_questions/table';
import { savedAnswer } from '../../quiz_submissions/answers/saved_answer';
import { isAllowedFile, itemResponse } from '../../quiz_submissions/interactions/item_response';
import { interactionSlugOf } from '../../quiz_submissions/interactions/parts';
import { isPlaceOpen, mayGoTo } from '../../quiz_submissions/interactions/taken_new_quiz';
import { type AttemptQuestion, attemptQuestions, questionsOfAttempt } from '../../quiz_submissions/reading';
import { flagQuestion, mergedAnswer, type SavedQuestion, saveAnswers } from '../../quiz_submissions/saving';
import { quiz_attempts, quiz_submissions } from '../../quiz_submissions/table';
import { refusedAnswer } from '../../quiz_submissions/takeability';
import { questionsIn } from './item_json';
import { sessionIn, visibleSession } from './policy';
import { newQuizForTaker, type SessionCall, takingOfNewQuiz } from './reading';

export interface WorkGiven {
  readonly attempt: number | undefined;
  readonly validation_token: string | undefined;
  readonly access_code: string | undefined;
}

export interface ResponseGiven {
  readonly position: number;
  /** Undefined leaves what was saved. */
  readonly response?: unknown;
  readonly flagged?: boolean;
}

const notAllowed = () => rejected('you are not allowed to update questions for this quiz submission', 403);

const numbersIn = (given: unknown): number[] =>
  (Array.isArray(given) ? given : [given]).map(Number).filter((one) => Number.isSafeInteger(one) && one > 0);

/** The caller's running attempt. @throws Problem 404 for an unknown one, 400 or 403 where it cannot be worked on */
async function readRunning(call: SessionCall, given: WorkGiven, fileIds: readonly number[]) {
  const { db, me, course, now } = call;
  const session = sql`${sessionIn(call.path)}`;
  const [quizRows, ownRows, questionRows, triedRows, ownFiles] = await db.perform([
    newQuizForTaker(call),
    db.build.select().from(quiz_submissions).where(visibleSession(course, call)),
    questionsOfAttempt(call, session, sql`${given.attempt ?? 0}`),
    db.build
      .select({ reached: quiz_attempts.reached })
      .from(quiz_attempts)
      .where(sql`${quiz_attempts.quiz_submission_id} = ${session} and ${quiz_attempts.attempt} = ${given.attempt ?? 0}`),
    db.build
      .select({ id: files.id, display_name: files.display_name })
      .from(files)
      .where(and(among(files.id, fileIds), eq(files.user_id, me.id), eq(files.workflow_state, 'available'))),
  ]);
  const own = found(ownRows[0]);
  const quiz = found(quizRows[0]);
  if (own.user_id !== me.id) throw notAllowed();
  const taking = takingOfNewQuiz(call, quiz, [], given.access_code);
  if (!taking.maySubmit) throw notAllowed();
  const refused = refusedAnswer(taking, own, given, now);
  if (refused) throw rejected(refused.message, refused.status);
  return {
    own,
    settings: quiz.quiz_settings,
    all: attemptQuestions(questionRows),
    reached: triedRows[0]?.reached ?? 1,
    files: new Map(ownFiles.map(({ id, display_name }) => [id, display_name])),
  };
}

/** A response as it is stored, or what is wrong with it. */
function storedResponse({ presented, content }: AttemptQuestion, response: unknown): SavedQuestion['read'] | { readonly error: string } {
  const { question_type, data } = content;
  if (!data.item) return savedAnswer({ question_type, answers: data.answers, matches: data.matches }, response);
  const read = itemResponse(data.item, response, presented.shown);
  return 'error' in read ? read : { answer: read.response };
}

/** What is wrong with the files of a response; undefined for those of the student, of a type that the question allows. */
function wrongFile({ data }: PresentedContent, answer: unknown, own: ReadonlyMap<number, string>): string | undefined {
  for (const id of numbersIn(answer ?? [])) {
    const name = own.get(id);
    if (name === undefined) return `has no file '${id}'`;
    if (data.item && !isAllowedFile(data.item, name)) return 'has a file of another type';
  }
  return undefined;
}

/** @throws Problem 400 with what is wrong with the response */
function readResponse(
  question: AttemptQuestion,
  { position, response }: ResponseGiven,
  own: ReadonlyMap<number, string>,
  from: Pick<Call, 'origin'>,
): SavedQuestion['read'] {
  const { content } = question;
  const slug = content.data.item ? interactionSlugOf(content.data.item) : content.question_type;
  const read = storedResponse(question, response);
  const isFiles = slug === 'file-upload' || slug === 'file_upload_question';
  const error = 'error' in read ? read.error : isFiles ? wrongFile(content, read.answer, own) : undefined;
  if ('error' in read || error !== undefined) throw rejected(`response to question ${position}: ${error}`);
  const isHtml = (slug === 'essay' || slug === 'essay_question') && typeof read.answer === 'string';
  return isHtml ? { answer: storableHtml(read.answer as string, from) } : read;
}

interface Responding extends WorkGiven {
  readonly responses: readonly ResponseGiven[];
  /** The place to which the student goes. */
  readonly position: number | undefined;
}

/**
 * @returns the statements, and the questions as they are then: those that were named, and the one at the new place
 * @throws Problem as reference 04 §5.1 lists them for answers
 */
export async function saveResponses(call: SessionCall, given: Responding) {
  const { db, now } = call;
  const perhapsFiles = given.responses.flatMap((one) => numbersIn(one.response));
  const { own, settings, all, reached, files: ownFiles } = await readRunning(call, given, perhapsFiles);
  const questions = questionsIn(all);
  const wanted = new Map(given.responses.map((one) => [one.position, one]));
  for (const position of wanted.keys())
    if (!questions[position - 1] || !isPlaceOpen(settings, reached, position))
      throw rejected(`question ${position} can not be answered now`);
  const { position: next = reached } = given;
  if (next !== reached && (!questions[next - 1] || !mayGoTo(settings, reached, next)))
    throw rejected(`question ${next} can not be shown now`);
  const named = [...wanted].map(([position, one]) => ({ question: questions[position - 1] as AttemptQuestion, one }));
  const saved: SavedQuestion[] = named
    .filter(({ one }) => one.response !== undefined)
    .map(({ question, one }) => ({ id: question.presented.id, read: readResponse(question, one, ownFiles, call) }));
  const after = new Map(saved.map(({ id, read }) => [id, read]));
  const flags = new Map(named.flatMap(({ question, one }) => (one.flagged === undefined ? [] : [[question.presented.id, one.flagged]])));
  const changed = all.map((one) => {
    const read = after.get(one.presented.id);
    return {
      ...one,
      flagged: flags.get(one.presented.id) ?? one.flagged,
      answer: read ? mergedAnswer(one.answer, read) : one.answer,
    };
  });
  const statements: Statement[] = [
    ...saveAnswers(call, own, saved),
    ...[...flags].flatMap(([id, flagged]) => flagQuestion(call, own, id, flagged).slice(1)),
    ...(next > reached
      ? [
          db.build
            .update(quiz_attempts)
            .set({ reached: next, updated_at: now })
            .where(sql`quiz_submission_id = ${own.id} and attempt = ${own.attempt} and reached < ${next}`),
        ]
      : []),
  ];
  const shown = questionsIn(changed).filter((_, at) => {
    const place = at + 1;
    return (wanted.has(place) || place === given.position) && isPlaceOpen(settings, Math.max(reached, next), place);
  });
  return { statements, all: changed, shown };
}
