// A fake server on which students take quizzes: it starts attempts, stores answers, and closes them.

import type { FakeCourse } from './course';
import type { FakeServer } from './fake_server';

type Json = Record<string, unknown>;

interface Attempt {
  readonly id: number;
  readonly quiz: number;
  readonly attempt: number;
  readonly token: string;
  readonly answers: Map<number, unknown>;
  reached: number;
  state: 'untaken' | 'complete';
  end_at: string | null;
}

interface FakeQuiz {
  readonly id: number;
  readonly questions: readonly Json[];
  readonly code: string | null;
  /** Where questions are shown one at a time: whether the earlier ones stay. */
  readonly canGoBack: boolean | null;
}

export function takesQuizzes(server: FakeServer, course: FakeCourse) {
  const quizzes = new Map<number, FakeQuiz>();
  const attempts: Attempt[] = [];
  const newest = (quiz: number) => attempts.findLast((one) => one.quiz === quiz);
  const submissionOf = (one: Attempt): Json => ({
    id: one.id,
    quiz_id: one.quiz,
    user_id: 7,
    attempt: one.attempt,
    workflow_state: one.state,
    started_at: '2026-11-20T09:00:00Z',
    finished_at: one.state === 'complete' ? '2026-11-20T09:30:00Z' : null,
    end_at: one.end_at,
    kept_score: one.state === 'complete' ? one.answers.size : null,
    score: one.state === 'complete' ? one.answers.size : null,
  });
  const record = (one: Attempt) => server.put('quiz_submission', one.id, submissionOf(one), course.id);
  const refused = (status: number, message: string) => ({ status, body: { message } });

  const proves = (one: Attempt, { attempt, validation_token, access_code }: Json) => {
    const { code } = quizzes.get(one.quiz) as FakeQuiz;
    if (code !== null && access_code !== code) return refused(403, 'invalid access code');
    if (validation_token !== one.token) return refused(403, 'invalid token');
    if (one.state !== 'untaken') return refused(400, 'quiz submission is already complete');
    return attempt === one.attempt ? undefined : refused(400, `attempt ${attempt} can not be modified`);
  };

  const start = (quiz: number, { access_code }: Json) => {
    const { code } = quizzes.get(quiz) as FakeQuiz;
    if (code !== null && access_code !== code) return refused(403, 'invalid access code');
    const before = newest(quiz);
    if (before?.state === 'untaken') return refused(409, 'a quiz submission already exists');
    const made: Attempt = {
      id: before?.id ?? server.id(),
      quiz,
      attempt: (before?.attempt ?? 0) + 1,
      token: `token-${attempts.length}`,
      answers: new Map(),
      reached: 1,
      state: 'untaken',
      end_at: ends,
    };
    attempts.push(made);
    record(made);
    return { status: 200, body: { quiz_submissions: [{ ...submissionOf(made), validation_token: made.token }] } };
  };

  const shownOf = (one: Attempt, given: Json) => {
    const why = proves(one, given);
    if (why) return why;
    const { questions, canGoBack } = quizzes.get(one.quiz) as FakeQuiz;
    const place = Number(given.position ?? one.reached);
    if (place > Math.min(one.reached + 1, questions.length) || (place < one.reached && !canGoBack))
      return refused(400, `question ${place} can not be shown now`);
    one.reached = Math.max(one.reached, place);
    const { quiz_submission_questions: all } = questionsOf(one) as { quiz_submission_questions: Json[] };
    const open = all.slice(canGoBack ? 0 : one.reached - 1, one.reached);
    return { status: 200, body: { quiz_submission_questions: open, reached: one.reached, question_count: questions.length } };
  };

  const questionsOf = (one: Attempt): Json => ({
    quiz_submission_questions: quizzes.get(one.quiz)?.questions.map((question, at) => ({
      ...question,
      position: at + 1,
      answer: one.answers.get(Number(question.id)) ?? question.answer ?? null,
      ...(one.state === 'complete' && { correct: one.answers.has(Number(question.id)), points: 1 }),
    })),
  });

  const save = (one: Attempt, given: Json) => {
    const why = proves(one, given);
    if (why) return why;
    const asked = given.quiz_questions as { id: number; answer: unknown }[];
    const { questions, canGoBack } = quizzes.get(one.quiz) as FakeQuiz;
    const isGoneBy = (id: number) => canGoBack === false && questions.findIndex((question) => question.id === id) + 1 < one.reached;
    if (asked.some(({ id }) => isGoneBy(id))) return refused(400, 'question can not be answered now');
    if (asked.some(({ answer }) => String(answer).length > 16 * 1024)) return refused(400, 'Text is too long.');
    for (const { id, answer } of asked) one.answers.set(id, answer);
    return { status: 200, body: { quiz_submission_questions: [] } };
  };

  const complete = (one: Attempt, given: Json) => {
    const why = proves(one, given);
    if (why) return why;
    one.state = 'complete';
    record(one);
    return { status: 200, body: { quiz_submissions: [submissionOf(one)] } };
  };

  let ends: string | null = null;
  const ofQuiz = (method: string, quiz: number, rest: string, given: Json) => {
    const own = attempts.filter((one) => one.quiz === quiz);
    if (method === 'POST' && rest === 's') return start(quiz, given);
    if (method === 'POST' && rest.endsWith('/complete')) return complete(own.at(-1) as Attempt, given);
    if (rest.endsWith('/time')) return { status: 200, body: { end_at: ends, time_left: 600 } };
    const listed = rest === '' ? own.slice(-1) : own;
    return { status: 200, body: { quiz_submissions: listed.map((one) => ({ ...submissionOf(one), validation_token: one.token })) } };
  };
  const before = server.besides;
  server.besides = (asked, body) => {
    const { pathname } = new URL(asked.path, server.url);
    const isPost = asked.method === 'POST';
    const [, quiz, rest = ''] = /\/quizzes\/(\d+)\/submission(.*)$/.exec(pathname) ?? [];
    const given = () => (isPost ? (JSON.parse(body) as Json) : {});
    if (quiz !== undefined) return ofQuiz(asked.method, Number(quiz), rest, given());
    const [, submission, what] = /\/quiz_submissions\/(\d+)\/(shown_)?questions$/.exec(pathname) ?? [];
    const one = attempts.findLast(({ id }) => id === Number(submission));
    if (!one) return before(asked, body);
    if (what) return shownOf(one, given());
    if (quizzes.get(one.quiz)?.canGoBack != null && !isPost && one.state === 'untaken')
      return refused(401, 'Cannot receive one question at a time questions in the API');
    return isPost ? save(one, given()) : { status: 200, body: questionsOf(one) };
  };

  return {
    quiz(title: string, questions: readonly Json[], more: Json = {}): number {
      const id = server.id();
      const canGoBack = more.one_question_at_a_time ? !more.cant_go_back : null;
      quizzes.set(id, { id, questions, code: typeof more.code === 'string' ? more.code : null, canGoBack });
      const { code: _, ...shown } = more;
      const resource = { id, course_id: course.id, title, quiz_type: 'assignment', allowed_attempts: 1, question_count: questions.length };
      server.put('quiz', id, { ...resource, points_possible: questions.length, published: true, ...shown }, course.id);
      return id;
    },
    /** Attempts end then, in ten minutes of the server. */
    endAt: (at: string) => {
      ends = at;
    },
    answersOf: (quiz: number): Json => Object.fromEntries(newest(quiz)?.answers ?? []),
    stateOf: (quiz: number) => newest(quiz)?.state,
    attemptsAt: (quiz: number): number => attempts.filter((one) => one.quiz === quiz).length,
    /** The clock of the server closes the running attempt with what it has. */
    close: (quiz: number) => {
      const one = newest(quiz) as Attempt;
      one.state = 'complete';
      record(one);
    },
    /** Another device of the student saves an answer. */
    answerElsewhere: (quiz: number, question: number, answer: unknown) => newest(quiz)?.answers.set(question, answer),
  };
}
