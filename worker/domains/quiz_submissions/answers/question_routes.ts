// The questions of an attempt: to read, answer and flag them (reference 04 §5).

import { FormattedAnswer, QuizSubmissionQuestion, QuizSubmissionQuestions, ShownQuestions } from '@carrel/shared/resources/quiz_submission';
import { cut, type Resource } from '@carrel/shared/resources/resource';
import { idField, int, json, listOf, object, optional, text } from '@carrel/shared/wire/fields';
import { sql } from 'drizzle-orm';
import { storableHtml } from '../../../html/kept';
import type { Call } from '../../../http/call';
import { get, post, put } from '../../../http/endpoint';
import { found, notFound, rejected } from '../../../http/problem';
import { answer, type Reply, write } from '../../../http/reply';
import { newestAttempt, noteSeen, readAttempt, seesAsGrader, studentsView } from '../attempt_view';
import { courseOfQuizSubmission } from '../policy';
import { attemptQuestionJson, type Showing } from '../question_json';
import type { AttemptQuestion, QuizForTaker } from '../reading';
import { flagQuestion, mergedAnswer, reachQuestion, type SavedQuestion, saveAnswers, saveRefusals } from '../saving';
import { formattedAnswer } from './formatted_answer';
import { canGoTo, isGoneBy, isQuestionOpen } from './one_at_a_time';
import { quizSubmissionIn, type RunningCall, readRunning, type TakingGiven, taking } from './running_attempt';
import { savedAnswer } from './saved_answer';

export const about = { title: 'Quiz submission questions', description: 'The questions of an attempt at a quiz, and the answers to them.' };

const all = '/quiz_submissions/:quiz_submission_id/questions';
const single = `${all}/:id` as const;
const shownQuestions = '/quiz_submissions/:quiz_submission_id/shown_questions';
const within = (path: Record<string, string>) => ({ course: courseOfQuizSubmission(path.quiz_submission_id) });
const returns = { json: QuizSubmissionQuestions } as const;

const envelope = (questions: readonly object[], also: object = {}): Reply => {
  const listed = questions.map((one) => cut(QuizSubmissionQuestion as Resource, one));
  return answer({ quiz_submission_questions: listed, ...also });
};

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

async function flag(call: RunningCall & Pick<Call, 'origin'> & { readonly id: number; readonly params: TakingGiven }, flagged: boolean) {
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
      const { here, id } = quizSubmissionIn(call);
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
      const { here, own, quiz, questions, reached, files: ownFiles } = await readRunning(call, call.params, perhapsFiles);
      const given = new Map(sent.map((one) => [one.id, one.answer]));
      const named = questions.filter(({ presented }) => given.has(presented.id));
      const late = named.find((one) => isGoneBy(quiz, reached, questions.indexOf(one) + 1));
      if (late) throw rejected(`question ${questions.indexOf(late) + 1} can not be answered now`);
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

  post(
    shownQuestions,
    {
      within,
      can: 'user',
      params: { ...taking, position: optional(int) },
      returns: { json: ShownQuestions },
      summary: 'Go to a question of a quiz submission',
    },
    async (call) => {
      const { here, own, quiz, questions, reached } = await readRunning(call, call.params);
      const { position = reached } = call.params;
      if (!questions[position - 1] || !canGoTo(quiz, reached, position)) throw rejected(`question ${position} can not be shown now`);
      const now = Math.max(reached, position);
      const shown = questions.filter((_, at) => isQuestionOpen(quiz, now, at + 1));
      const showing = { ...showingTo(quiz, call.origin), isBrief: false };
      return write(
        position > reached ? reachQuestion(here, own, position) : [],
        answer({
          quiz_submission_questions: shown.map((one) =>
            cut(QuizSubmissionQuestion as Resource, attemptQuestionJson(one, questions, showing)),
          ),
          reached: now,
          question_count: questions.length,
        }),
        saveRefusals,
      );
    },
  ),

  put(`${single}/flag`, { within, can: 'user', params: taking, returns, summary: 'Flag a question' }, (call) => flag(call, true)),

  put(`${single}/unflag`, { within, can: 'user', params: taking, returns, summary: 'Unflag a question' }, (call) => flag(call, false)),

  get(
    `${single}/formatted_answer`,
    { within, can: 'user', params: { answer: optional(text) }, returns: { json: FormattedAnswer }, summary: 'Format an answer' },
    async (call) => {
      const { here, id } = quizSubmissionIn(call);
      const { submission, questions } = await readAttempt(here, id, newestAttempt(id));
      if (submission.user_id !== call.me.id) throw notFound();
      const question = found(questions.find(({ presented }) => presented.id === call.id));
      if (call.params.answer === undefined) throw rejected('answer is missing', 422);
      const { question_type, data } = question.content;
      return answer({ formatted_answer: formattedAnswer({ question_type, answers: data.answers }, call.params.answer) });
    },
  ),
];
