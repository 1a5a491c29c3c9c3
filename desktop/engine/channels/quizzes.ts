// The channels for taking quizzes: answers are stored at once and sent soon, and everything else asks the server.

import type { Channel } from '../../contract/channels';
import { quizHoldWords } from '../../language/quizzes';
import { t } from '../../language/texts';
import type { QuizJson } from '../model/quiz_resources';
import { holdOnQuiz } from '../quizzes/standing';
import { attemptAt, changeAnswer, changeAttempt } from '../store/quiz_attempts';
import { attemptView, ownAttemptAt, quizList, quizResults, quizView, showsSteps } from '../views/quizzes';
import type { ChannelGroup, ChannelGroupContext } from './group';

type QuizChannel = Extract<Channel, `quiz.${string}`>;

interface QuizContext extends ChannelGroupContext {
  /** Called after a change that is not sent. */
  readonly noted: () => void;
}

export const quizChannels = ({ here, edited, noted }: QuizContext): ChannelGroup<QuizChannel> => ({
  'quiz.list': async ({ course_id }) => quizList(here(), course_id),
  'quiz.open': async ({ course_id, id }) => quizView(here(), course_id, id),
  'quiz.start': async ({ course_id, id, access_code }) => {
    const workspace = here();
    const { cache, user, quizzes } = workspace;
    const quiz = cache.get<QuizJson>('quiz', id);
    if (!quiz || !quizView(workspace, course_id, id)) throw new Error(t('why.quizGone'));
    const hold = holdOnQuiz(quiz, ownAttemptAt(cache, quiz), showsSteps(cache));
    if (hold !== null) throw new Error(t(quizHoldWords[hold]));
    const kept = attemptAt(user, id);
    if (kept?.over_at != null) throw new Error(t('why.quizOver'));
    const steps = quiz.one_question_at_a_time ? { can_go_back: !quiz.cant_go_back } : null;
    await quizzes.start({ course_id, quiz_id: id }, access_code ?? kept?.access_code ?? null, steps);
    return null;
  },
  'quiz.attempt': async ({ id }) => attemptView(here(), id),
  'quiz.answer': async ({ id, question_id, answer }) => {
    const { user, quizzes } = here();
    if (!changeAnswer(user, id, question_id, { answer })) throw new Error(t('why.quizOver'));
    quizzes.soon(id);
    return null;
  },
  'quiz.flag': async ({ id, question_id, flagged }) => {
    if (!changeAnswer(here().user, id, question_id, { is_flagged: flagged })) throw new Error(t('why.quizOver'));
    noted();
    return null;
  },
  'quiz.go_on': async ({ id }) => {
    await here().quizzes.goOn(id);
    return null;
  },
  'quiz.turn_in': async ({ id }) => {
    const workspace = here();
    const { user, quizzes } = workspace;
    const view = attemptView(workspace, id);
    if (!view || view.is_over) throw new Error(t('why.quizOver'));
    const unreadable = view.questions.find(({ refused }) => refused !== null);
    if (unreadable) throw new Error(t('why.quizUnreadable', { number: unreadable.number ?? 0 }));
    if (view.turned_in_at === null) changeAttempt(user, id, { turned_in_at: workspace.now().toISOString() });
    quizzes.soon(id);
    edited();
    return null;
  },
  'quiz.forget': async ({ id }) => {
    await here().quizzes.forget(id);
    edited();
    return null;
  },
  'quiz.results': async ({ course_id, id, attempt }) => quizResults(here(), course_id, id, attempt),
});
