// Attempts at quizzes: taken by students, completed by hand and by the clock, scored, and what each caller learns of them.

import { env } from 'cloudflare:test';
import type { Platform } from '@carrel/worker/platform';
import { tick } from '@carrel/worker/schedule';
import { beforeAll, expect, test } from 'vitest';
import { as, ground, manyStudents, ok, within } from '../support/api';
import { aCourse, type Person } from '../support/ground';

type Scene = Awaited<ReturnType<typeof aCourse>>;
type Body = Record<string, unknown>;
interface Attempt {
  readonly id: number;
  readonly attempt: number;
  readonly validation_token: string;
  readonly [name: string]: unknown;
}

let scene: Scene;
beforeAll(async () => {
  scene = await aCourse(ground);
});

const choice = {
  question_name: 'Capital',
  question_text: 'The capital of France?',
  question_type: 'multiple_choice_question',
  points_possible: 2,
  answers: [
    { answer_text: 'Paris', answer_weight: 100, answer_comments: 'TheKeyComment' },
    { answer_text: 'Lyon', answer_weight: 0 },
  ],
};
const blank = {
  question_text: 'Name a primary colour.',
  question_type: 'short_answer_question',
  points_possible: 3,
  answers: [{ answer_text: 'TheAcceptedText' }],
};
const essay = { question_text: 'Discuss.', question_type: 'essay_question', points_possible: 5 };

async function aQuiz(questions: readonly Body[], given: Body = {}) {
  const { course, teacher } = scene;
  const made = ok(await as(teacher).post(`/courses/${course.id}/quizzes`, { quiz: { title: 'Test', quiz_type: 'assignment', ...given } }));
  const path = `/courses/${course.id}/quizzes/${made.id}`;
  const asked: { id: number; answers: { id: number; weight: number }[] }[] = [];
  for (const question of questions) asked.push(ok(await as(teacher).post(`${path}/questions`, { question })) as never);
  const quiz = ok(await as(teacher).put(path, { quiz: { published: true } }));
  return { id: made.id as number, path, asked, assignment_id: quiz.assignment_id as number };
}
type Quiz = Awaited<ReturnType<typeof aQuiz>>;

const first = (body: Body) => (body.quiz_submissions as Attempt[])[0] as Attempt;
const start = async (quiz: Quiz, person: Person, given: Body = {}) =>
  first(ok(within(await as(person).post(`${quiz.path}/submissions`, given), 3)));
const save = (attempt: Attempt, person: Person, quiz_questions: Body[], given: Body = {}) => {
  const { validation_token } = attempt;
  return as(person).post(`/quiz_submissions/${attempt.id}/questions`, { attempt: attempt.attempt, validation_token, quiz_questions, ...given });
};
const complete = (quiz: Quiz, attempt: Attempt, person: Person, given: Body = {}) => {
  const { validation_token } = attempt;
  return as(person).post(`${quiz.path}/submissions/${attempt.id}/complete`, { attempt: attempt.attempt, validation_token, ...given });
};
const right = (quiz: Quiz, at: number) => quiz.asked[at]?.answers.find(({ weight }) => weight === 100)?.id;
const questionsOf = async (attempt: Attempt, person: Person) =>
  ok(within(await as(person).get(`/quiz_submissions/${attempt.id}/questions`), 2)).quiz_submission_questions as Body[];
const gradeOf = async (quiz: Quiz, person: Person) =>
  ok(await as(scene.teacher).get(`/courses/${scene.course.id}/assignments/${quiz.assignment_id}/submissions/${person.id}`));

async function newStudent(): Promise<Person> {
  const person = await ground.person();
  await ground.enroll(scene.course, person, 'student');
  return person;
}

test('a student starts, saves answers, flags and completes; the score is the grade of the assignment', async () => {
  const { student, teacher } = scene;
  const quiz = await aQuiz([choice, blank]);
  const attempt = await start(quiz, student);
  expect(attempt).toMatchObject({ attempt: 1, workflow_state: 'untaken', user_id: student.id, score: null, finished_at: null, attempts_left: 0 });
  expect(attempt.validation_token).toMatch(/^[0-9a-f]{64}$/);
  const questions = await questionsOf(attempt, student);
  expect(questions.map(({ question_name, answer }) => [question_name, answer])).toEqual([
    ['Question 1', null],
    ['Question 2', null],
  ]);
  const [one, two] = quiz.asked;
  const saved = within(await save(attempt, student, [{ id: one?.id, answer: right(quiz, 0) }]), 3);
  expect(ok(saved).quiz_submission_questions).toMatchObject([{ id: one?.id, answer: right(quiz, 0) }]);
  ok(await save(attempt, student, [{ id: two?.id, answer: ' theacceptedtext ' }, { id: 999_999, answer: 1 }]));
  const flag = { attempt: 1, validation_token: attempt.validation_token };
  const flagged = ok(within(await as(student).put(`/quiz_submissions/${attempt.id}/questions/${two?.id}/flag`, flag), 3));
  expect(flagged.quiz_submission_questions).toMatchObject([{ id: two?.id, flagged: true }]);
  expect((await questionsOf(attempt, student)).map((each) => each.flagged)).toEqual([false, true]);
  ok(await as(student).put(`/quiz_submissions/${attempt.id}/questions/${two?.id}/unflag`, flag));
  expect((await questionsOf(attempt, student)).map((each) => each.flagged)).toEqual([false, false]);

  const done = first(ok(within(await complete(quiz, attempt, student), 3)));
  expect(done).toMatchObject({ score: 5, kept_score: 5, workflow_state: 'complete', attempts_left: 0 });
  expect(first(ok(await as(student).get(`${quiz.path}/submission`)))).toMatchObject({ ...done, result_url: done.result_url });
  const grade = await gradeOf(quiz, student);
  expect(grade).toMatchObject({ score: 5, grade: '5', submission_type: 'online_quiz', attempt: 1, workflow_state: 'graded' });
  expect(grade.submitted_at).toBe(done.finished_at);
  expect((await questionsOf(attempt, student)).map(({ correct }) => correct)).toEqual([true, true]);
  expect(ok(await as(teacher).get(`${quiz.path}/submissions`)).quiz_submissions).toMatchObject([{ id: attempt.id, score: 5 }]);
});

test('a repeated save writes nothing, and one save writes few rows', async () => {
  const student = await newStudent();
  const quiz = await aQuiz([choice]);
  const attempt = await start(quiz, student);
  const answer = [{ id: quiz.asked[0]?.id, answer: right(quiz, 0) }];
  const saved = await save(attempt, student, answer);
  expect(saved.cost?.rows_written ?? saved.timing?.rows_written).toBeLessThan(10);
});
