// The questions of an attempt: to read, answer and flag them (reference 04 §5).

import { FormattedAnswer, QuizSubmissionQuestion, QuizSubmissionQuestions } from '@carrel/shared/resources/quiz_submission';
import { cut, type Resource } from '@carrel/shared/resources/resource';
import { idField, int, json, listOf, object, optional, text } from '@carrel/shared/wire/fields';
import { and, eq, sql } from 'drizzle-orm';
import type { CourseContext } from '../../../contexts/course';
import { readId } from '../../../contexts/references';
import { among } from '../../../database/ids';
import { storableHtml } from '../../../html/kept';
import type { Call } from '../../../http/call';
import { get, post, put } from '../../../http/endpoint';
import { found, notFound, rejected } from '../../../http/problem';
import { answer, type Reply, write } from '../../../http/reply';
import { files } from '../../files/table';
import { newestAttempt, noteSeen, quizAt, readAttempt, seesAsGrader, studentsView } from '../attempt_view';
import { courseOfQuizSubmission, visibleQuizSubmissions } from '../policy';
import { attemptQuestionJson, type Showing } from '../question_json';
import { type AttemptQuestion, attemptQuestions, type QuizCall, type QuizForTaker, questionsOfAttempt, quizForTaker } from '../reading';
import { flagQuestion, mergedAnswer, type SavedQuestion, saveAnswers, saveRefusals } from '../saving';
import { quiz_submissions } from '../table';
import { refusedAnswer } from '../takeability';
import { takingOf } from '../taking';
import { formattedAnswer } from './formatted_answer';
import { savedAnswer } from './saved_answer';

export const about = { title: 'Quiz submission questions', description: 'The questions of an attempt at a quiz, and the answers to them.' };

const all = '/quiz_submissions/:quiz_submission_id/questions';
const single = `${all}/:id` as const;
const within = (path: Record<string, string>) => ({ course: courseOfQuizSubmission(path.quiz_submission_id) });
const returns = { json: QuizSubmissionQuestions } as const;

const envelope = (questions: readonly object[], also: object = {}): Reply => {
  const listed = questions.map((one) => cut(QuizSubmissionQuestion as Resource, one));
  return answer({ quiz_submission_questions: listed, ...also });
};

type At = Omit<QuizCall, 'course' | 'path'> & {
  readonly course: CourseContext | undefined;
  readonly path: { readonly quiz_submission_id: string };
};

/** @throws Problem 404 where the caller cannot read the course */
function placeOf(call: At): { readonly here: QuizCall; readonly id: number } {
  const { course, path } = call;
  const id = readId(path.quiz_submission_id);
  if (!course?.canRead || id === undefined) throw notFound();
  return { here: { ...call, course }, id };
}

const taking = {
  attempt: optional(json),
  validation_token: optional(text),
  access_code: optional(text),
};

interface TakingGiven {
  readonly attempt?: unknown;
  readonly validation_token?: string;
  readonly access_code?: string;
}

const attemptIn = ({ attempt }: TakingGiven): number | undefined =>
  /^\d{1,9}$/.test(String(attempt ?? '').trim()) ? Number(attempt) : undefined;

/** The caller's running attempt. @throws Problem as reference 04 §5.1 lists them */
async function readRunning(call: At & Pick<Call, 'request'>, given: TakingGiven, fileIds: readonly number[] = []) {
  const { here, id } = placeOf(call);
  const attempt = attemptIn(given);
  const { db, me, now } = here;
  const [ownRows, quizRows, questionRows, ownFiles] = await db.perform([
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
  ]);
  const own = found(ownRows[0]);
  const quiz = found(quizRows[0]);
  if (own.user_id !== me.id) throw rejected('you are not allowed to update questions for this quiz submission', 403);
  const state = takingOf({ ...here, request: call.request }, quiz, own, [], given.access_code);
  if (!state.maySubmit) throw rejected('you are not allowed to update questions for this quiz submission', 403);
  const refused = refusedAnswer(state, own, { attempt, validation_token: given.validation_token }, now);
  if (refused) throw rejected(refused.message, refused.status);
  return { here, own, quiz, questions: attemptQuestions(questionRows), files: new Set(ownFiles.map((one) => one.id)) };
}

/** A quiz that shows one question at a time never shows another one's text, or one that was not asked for. */
const showingTo = (quiz: QuizForTaker, origin: string): Showing => ({
  quiz_id: quiz.id,
  origin,
  isBrief: quiz.one_question_at_a_time,
  results: undefined,
  showsKeys: false,
});

const numbersIn = (given: unknown): number[] =>
  (Array.isArray(given) ? given : [given]).map(Number).filter((one) => Number.isSafeInteger(one) && one > 0);

/** The answer of a question as it is stored. @throws Problem 400 with what is wrong with it */
function savedQuestion(
  { presented, content }: AttemptQuestion,
  given: unknown,
  own: ReadonlySet<number>,
  from: Pick<Call, 'origin'>,
): SavedQuestion {
  const read = savedAnswer({ question_type: content.question_type, answers: content.data.answers, matches: content.data.matches }, given);
  if ('error' in read) throw rejected(read.error);
  if (content.question_type === 'file_upload_question')
    for (const id of numbersIn(read.answer)) if (!own.has(id)) throw rejected(`Unknown attachment '${id}'.`);
  const isHtml = content.question_type === 'essay_question' && typeof read.answer === 'string';
  return { id: presented.id, read: isHtml ? { ...read, answer: storableHtml(read.answer as string, from) } : read };
}

async function flag(call: At & Pick<Call, 'request' | 'origin'> & { readonly id: number; readonly params: TakingGiven }, flagged: boolean) {
  const { here, own, quiz, questions } = await readRunning(call, call.params);
  const question = questions.find(({ presented }) => presented.id === call.id);
  if (!question) throw notFound();
  const shown = { ...attemptQuestionJson(question, questions, showingTo(quiz, call.origin)), flagged };
  return write(flagQuestion(here, own, question.presented.id, flagged), envelope([shown]), saveRefusals);
}

export const quizSubmissionQuestionRoutes = [
  get(
    all,
    {
      within,
      can: 'user',
      params: { quiz_submission_attempt: optional(int) },
      include: ['quiz_question'],
      returns,
      summary: 'List the questions of a quiz submission',
    },
    async (call) => {
      const { here, id } = placeOf(call);
      const { quiz_submission_attempt: number } = call.params;
      const read = await readAttempt(here, id, number === undefined ? newestAttempt(id) : sql`${number}`);
      const isGrader = seesAsGrader(here, read);
      const view = isGrader ? { results: read.tried.results ?? undefined, showsKeys: true } : studentsView(read, call.now);
      if (!isGrader) noteSeen(call, read);
      const showing = { quiz_id: read.quiz.id, origin: call.origin, isBrief: false, ...view };
      const shown = read.questions.map((one) => attemptQuestionJson(one, read.questions, showing));
      if (!call.include.has('quiz_question')) return envelope(shown);
      const bare = shown.map(({ answer: _answer, flagged: _flagged, ...rest }) => rest);
      return envelope(shown, { quiz_questions: bare, meta: { primaryCollection: 'quiz_submission_questions' } });
    },
  ),

  post(
    all,
    {
      within,
      can: 'user',
      params: {
        ...taking,
        quiz_questions: optional(listOf(object({ id: idField('quiz_question'), answer: optional(json) }))),
      },
      returns,
      summary: 'Answer questions of a quiz submission',
    },
    async (call) => {
      const sent = call.params.quiz_questions ?? [];
      const perhapsFiles = sent.flatMap((one) => numbersIn(one.answer));
      const { here, own, quiz, questions, files: ownFiles } = await readRunning(call, call.params, perhapsFiles);
      const given = new Map(sent.map((one) => [one.id, one.answer]));
      const named = questions.filter(({ presented }) => given.has(presented.id));
      const saved = named.map((one) => savedQuestion(one, given.get(one.presented.id), ownFiles, call));
      const after = new Map(saved.map(({ id, read }) => [id, read]));
      const now = questions.map((one) => {
        const read = after.get(one.presented.id);
        return read ? { ...one, answer: mergedAnswer(one.answer, read) } : one;
      });
      const shown = now
        .filter(({ presented }) => given.has(presented.id))
        .map((one) => attemptQuestionJson(one, now, showingTo(quiz, call.origin)));
      return write(saveAnswers(here, own, saved), envelope(shown), saveRefusals);
    },
  ),

  put(`${single}/flag`, { within, can: 'user', params: taking, returns, summary: 'Flag a question' }, (call) => flag(call, true)),

  put(`${single}/unflag`, { within, can: 'user', params: taking, returns, summary: 'Unflag a question' }, (call) => flag(call, false)),

  get(
    `${single}/formatted_answer`,
    { within, can: 'user', params: { answer: optional(text) }, returns: { json: FormattedAnswer }, summary: 'Format an answer' },
    async (call) => {
      const { here, id } = placeOf(call);
      const { submission, questions } = await readAttempt(here, id, newestAttempt(id));
      if (submission.user_id !== call.me.id) throw notFound();
      const question = found(questions.find(({ presented }) => presented.id === call.id));
      if (call.params.answer === undefined) throw rejected('answer is missing', 422);
      const { question_type, data } = question.content;
      return answer({ formatted_answer: formattedAnswer({ question_type, answers: data.answers }, call.params.answer) });
    },
  ),
];
