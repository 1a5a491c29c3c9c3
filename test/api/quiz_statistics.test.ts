// What the attempts at a quiz say together: statistics, reports, and regrading after a key has changed.

import { quiz_question_versions, quiz_questions } from '@carrel/worker/domains/quiz_questions/table';
import { quiz_answers, quiz_attempts, quiz_submissions } from '@carrel/worker/domains/quiz_submissions/table';
import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { as, ground, many, manyStudents, nth, ok, within } from '../support/api';
import { inBulk } from '../support/budgets';
import { aCourse, type Person } from '../support/ground';
import { expectNoQuizSecrets, secretText } from '../support/quiz_secrets';

// biome-ignore lint/suspicious/noExplicitAny: tests read responses untyped.
type Body = any;
type Scene = Awaited<ReturnType<typeof aCourse>>;

const choice = {
  question_name: 'Capital',
  question_text: 'The capital of France?',
  question_type: 'multiple_choice_question',
  points_possible: 2,
  correct_comments: secretText('correct'),
  answers: [
    { answer_text: 'Paris', answer_weight: 100 },
    { answer_text: 'Lyon', answer_weight: 0 },
  ],
};
const short = { question_type: 'short_answer_question', points_possible: 3, answers: [{ answer_text: secretText('word') }] };
const essay = { question_text: 'Discuss.', question_type: 'essay_question', points_possible: 5 };

let scene: Scene;
beforeAll(async () => {
  scene = await aCourse(ground);
});

interface Quiz {
  readonly id: number;
  readonly path: string;
  readonly assignment_id: number;
  readonly asked: { id: number; answers: { id: number; weight: number; text: string }[] }[];
}

async function aQuiz(questions: readonly object[], given: object = {}): Promise<Quiz> {
  const { course, teacher } = scene;
  const made = ok(await as(teacher).post(`/courses/${course.id}/quizzes`, { quiz: { title: 'Test', quiz_type: 'assignment', ...given } }));
  const path = `/courses/${course.id}/quizzes/${made.id}`;
  const asked: Quiz['asked'] = [];
  for (const question of questions) asked.push(ok(await as(teacher).post(`${path}/questions`, { question })));
  const { assignment_id } = ok(await as(teacher).put(path, { quiz: { published: true } }));
  return { id: made.id, path, asked, assignment_id };
}

/** An attempt with answers to the questions in order; undefined leaves one out. */
async function take(quiz: Quiz, person: Person, answers: readonly unknown[]): Promise<Body> {
  const [attempt] = ok(await as(person).post(`${quiz.path}/submissions`)).quiz_submissions;
  const at = { attempt: attempt.attempt, validation_token: attempt.validation_token };
  const quiz_questions = answers.flatMap((answer, nth) => (answer === undefined ? [] : { id: quiz.asked[nth]?.id, answer }));
  if (quiz_questions.length > 0) ok(await as(person).post(`/quiz_submissions/${attempt.id}/questions`, { ...at, quiz_questions }));
  return ok(await as(person).post(`${quiz.path}/submissions/${attempt.id}/complete`, at)).quiz_submissions[0];
}

async function newStudent(name = 'Student', section?: number): Promise<Person> {
  const person = await ground.person({ name });
  await ground.enroll(scene.course, person, 'student', { section_id: section });
  return person;
}

const statistics = async (quiz: Quiz, by = scene.teacher, query: object = {}): Promise<Body> =>
  ok(within(await as(by).get(`${quiz.path}/statistics`, query), 2)).quiz_statistics[0];
const answerId = (quiz: Quiz, question: number, text: string) => quiz.asked[question]?.answers.find((one) => one.text === text)?.id;

describe('statistics', () => {
  test('count the newest attempt of each student, or all', async () => {
    const quiz = await aQuiz([choice, short, essay], { allowed_attempts: 2 });
    const [paris, lyon] = [answerId(quiz, 0, 'Paris'), answerId(quiz, 0, 'Lyon')];
    expect(await statistics(quiz)).toMatchObject({
      question_statistics: [],
      submission_statistics: { unique_count: 0, score_average: null },
    });
    const [ann, ben] = [await newStudent('Ann'), await newStudent('Ben')];
    await take(quiz, ann, [lyon]);
    await take(quiz, ann, [paris, secretText('word'), 'An essay']);
    await take(quiz, ben, [lyon, 'wrong']);
    // Neither previews nor running attempts count.
    ok(await as(scene.teacher).post(`${quiz.path}/submissions`, { preview: true }));
    ok(await as(scene.student2).post(`${quiz.path}/submissions`));
    const shown = await statistics(quiz);
    expect(shown).toMatchObject({
      id: String(quiz.id),
      quiz_id: quiz.id,
      multiple_attempts_exist: true,
      includes_all_versions: false,
      anonymous_survey: false,
      points_possible: 10,
      submission_statistics: { unique_count: 2, score_average: 2.5, score_high: 5, score_low: 0, scores: { 0: 1, 50: 1 } },
    });
    expect(shown.links.quiz).toContain(`/api/v1${quiz.path}`);
    expect(shown.speed_grader_url).toContain(`assignment_id=${quiz.assignment_id}`);
    const [first, second, third] = shown.question_statistics;
    expect(first).toMatchObject({ id: String(quiz.asked[0]?.id), position: 1, responses: 2, correct_student_count: 1 });
    expect(first.answers).toEqual([
      { id: String(paris), text: 'Paris', correct: true, responses: 1, user_ids: [ann.id], user_names: ['Ann'] },
      { id: String(lyon), text: 'Lyon', correct: false, responses: 1, user_ids: [ben.id], user_names: ['Ben'] },
    ]);
    expect(second).toMatchObject({ full_credit: 1, answers: [{ responses: 1 }, { id: 'other', responses: 1 }] });
    expect(third).toMatchObject({ responses: 1, graded: 1, full_credit: 0 });
    const all = await statistics(quiz, scene.teacher, { all_versions: true });
    expect(all).toMatchObject({ includes_all_versions: true, submission_statistics: { unique_count: 2, scores: { 0: 2, 50: 1 } } });
    expect(all.question_statistics[0].answers[1]).toMatchObject({ responses: 2, user_names: ['Ann', 'Ben'] });
  });

  test('count the sections that were asked for, and only those that the caller sees', async () => {
    const quiz = await aQuiz([choice], { quiz_type: 'practice_quiz' });
    const section = await ground.section(scene.course);
    const [here, there] = [await newStudent('Here'), await newStudent('There', section)];
    await take(quiz, here, [answerId(quiz, 0, 'Paris')]);
    await take(quiz, there, [answerId(quiz, 0, 'Lyon')]);
    const names = ({ question_statistics: [one] }: Body) => one.answers.flatMap((answer: Body) => answer.user_names);
    expect(names(await statistics(quiz))).toEqual(['Here', 'There']);
    expect(names(await statistics(quiz, scene.teacher, { section_ids: [section] }))).toEqual(['There']);
    const limited = await ground.person();
    await ground.enroll(scene.course, limited, 'teacher', { section_id: section, limited: true });
    expect(names(await statistics(quiz, limited))).toEqual(['There']);
    expect(await statistics(quiz, limited, { section_ids: [scene.course.section_id] })).toMatchObject({ question_statistics: [] });
    expect(await statistics(quiz, scene.teacher, { section_ids: [999_999] })).toMatchObject({ submission_statistics: { unique_count: 0 } });
  });

  test('of anonymous surveys name no one', async () => {
    const survey = await aQuiz([choice], { quiz_type: 'survey', anonymous_submissions: true });
    await take(survey, await newStudent('Secretive'), [answerId(survey, 0, 'Paris')]);
    const shown = await statistics(survey);
    expect(shown).toMatchObject({ anonymous_survey: true, question_statistics: [{ answers: [{ responses: 1, user_names: [] }, {}] }] });
    expect(JSON.stringify(shown)).not.toMatch(/Secretive|user_ids/);
  });

  test('are for graders, and contain the text of questions that were deleted since', async () => {
    const quiz = await aQuiz([choice]);
    await take(quiz, await newStudent(), [answerId(quiz, 0, 'Paris')]);
    ok(await as(scene.teacher).del(`${quiz.path}/questions/${quiz.asked[0]?.id}`), 204);
    expect((await statistics(quiz)).question_statistics).toMatchObject([{ question_text: 'The capital of France?', responses: 1 }]);
    const refused = await as(scene.student).get(`${quiz.path}/statistics`);
    ok(refused, 401);
    expectNoQuizSecrets(refused);
    ok(await as(scene.teacher).get(`${quiz.path}/statistics`, { section_ids: ['x'] }), 400);
    ok(await as(scene.teacher).get(`/courses/${scene.course.id}/quizzes/999999/statistics`), 404);
  });
});

const attempts = 1000;
const questions = 100;

/** A quiz of 100 questions that 1000 students have taken. */
async function aLargeQuiz(): Promise<Quiz> {
  const quiz = await aQuiz([essay], { quiz_type: 'practice_quiz' });
  const crowd = 5_000_000;
  const first = 6_000_000;
  const type = sql<string>`iif(n % 4 = 0, 'short_answer_question', 'multiple_choice_question')`;
  const answers = "json_array(json_object('id', 1, 'text', 'Right', 'weight', 100), json_object('id', 2, 'text', 'Wrong', 'weight', 0))";
  const ofAttempt = (value: string) =>
    sql.raw(
      `(with recursive q(k) as (select 1 union all select k + 1 from q where k < ${questions}) select json_group_array(json_object(${value})) from q)`,
    );
  await inBulk(async () => {
    await manyStudents(attempts, scene.course, crowd, nth('Crowd '));
    await many(questions, quiz_questions, {
      id: sql`${first} + n`,
      course_id: scene.course.id,
      quiz_id: quiz.id,
      position: sql`n + 1`,
      root_position: sql`n + 1`,
      question_name: nth('Q'),
      question_type: type,
      question_text: nth('Text '),
      points_possible: 1,
      data: sql.raw(`json_object('answers', ${answers})`),
    });
    await many(questions, quiz_question_versions, {
      question_id: sql`${first} + n`,
      version: 1,
      content: sql`json_object('question_name', 'Q' || n, 'question_type', ${type}, 'question_text', 'Text ' || n, 'data', json_object('answers', ${sql.raw(answers)}))`,
      created_at: '2026-09-01T08:00:00Z',
    });
    await many(attempts, quiz_submissions, {
      id: sql`${crowd} + n`,
      quiz_id: quiz.id,
      course_id: scene.course.id,
      user_id: sql`${crowd} + n`,
      attempt: 1,
      validation_token: nth('x'),
      workflow_state: 'complete',
    });
    await many(attempts, quiz_attempts, {
      quiz_submission_id: sql`${crowd} + n`,
      attempt: 1,
      presented: ofAttempt(`'id', ${first} + k, 'version', 1, 'points', 1, 'quiz_group_id', null, 'order', json_array(2, 1)`),
      results: ofAttempt(
        `'question_id', ${first} + k, 'correct', json(iif((n + k) % 3 = 0, 'false', 'true')), 'points', iif((n + k) % 3 = 0, 0, 1)`,
      ),
      started_at: '2026-09-01T08:00:00Z',
      finished_at: '2026-09-01T09:00:00Z',
      score: sql`n % 100`,
      quiz_version: 1,
      quiz_points_possible: questions,
      workflow_state: 'complete',
    });
    await many(attempts * questions, quiz_answers, {
      quiz_submission_id: sql`${crowd} + 1 + (n - 1) / ${sql.raw(String(questions))}`,
      attempt: 1,
      question_id: sql`${first} + 1 + (n - 1) % ${sql.raw(String(questions))}`,
      answer: sql.raw(`iif(((n - 1) % ${questions} + 1) % 4 = 0, '"right"', iif(n % 3 = 0, '2', '1'))`),
      saved_at: '2026-09-01T08:30:00Z',
    });
  });
  return quiz;
}

describe('a quiz of 100 questions with 1000 attempts', () => {
  let quiz: Quiz;
  beforeAll(async () => {
    quiz = await aLargeQuiz();
  }, 120_000);

  test('has its statistics in five round trips, which read each answer once', async () => {
    const response = await as(scene.teacher).get(`${quiz.path}/statistics`);
    const [shown] = ok(response).quiz_statistics;
    expect(shown.submission_statistics).toMatchObject({ unique_count: attempts, score_high: 99, score_average: 49.5 });
    expect(shown.question_statistics).toHaveLength(questions);
    for (const one of shown.question_statistics) expect(one.responses).toBe(attempts);
    const [first] = shown.question_statistics;
    expect(first.answers[0].responses + first.answers[1].responses).toBe(attempts);
    // The context, the first 250 attempts with the list of all, and three pages.
    expect(response.cost.d1_trips).toBe(5);
    expect(response.cost.rows_read).toBeLessThan(4 * attempts * questions);
  });
});
