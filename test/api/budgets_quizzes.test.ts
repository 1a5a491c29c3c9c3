// Budgets of quizzes and their questions.

import { defaultNewQuizSettings } from '@carrel/worker/domains/new_quizzes/settings';
import { beforeAll } from 'vitest';
import { as, ground, ok } from '../support/api';
import { type Budget, fillPeople, fillRows, fillTime, holdBudgets, inBulk, type Scene, type Twins, twins } from '../support/budgets';

interface Quizzes extends Scene {
  /** With many questions. */
  readonly quiz: number;
  /** Taken by many students. */
  readonly taken: number;
  /** The first quiz submission there, with many events. */
  readonly attempt: number;
  /** A New Quiz with many items and accommodations. */
  readonly newQuiz: string;
  /** The id before the first of many users. */
  readonly crowd: number;
}

let scenes: Twins<Quizzes>;
const stamp = "'2026-09-01T08:00:00Z', '2026-09-01T08:00:00Z'";
const soon = `strftime('%Y-%m-%dT%H:%M:%SZ', 4000000000 + n * 60, 'unixepoch')`;

beforeAll(async () => {
  const { small, large } = await twins(ground);
  const withQuiz = async (scene: Scene, crowd: number): Promise<Quizzes> => {
    const quiz = { title: 'Long', quiz_type: 'practice_quiz', published: true };
    const make = async () => ok(await as(scene.teacher).post(`/courses/${scene.course.id}/quizzes`, { quiz })).id as number;
    const [long, taken] = [await make(), await make()];
    const attempt = await ground.quizSubmission({ id: taken, course_id: scene.course.id }, scene.student);
    await ground.quizAttempt(attempt);
    const { id: newQuiz } = ok(
      await as(scene.teacher).post(`/api/quiz/v1/courses/${scene.course.id}/quizzes`, { quiz: { title: 'Long' } }),
    );
    return { ...scene, quiz: long, taken, attempt, newQuiz, crowd };
  };
  scenes = { small: await withQuiz(small, 1_000_000), large: await withQuiz(large, 2_000_000) };
  await inBulk(async () => {
    await fillRows(
      scenes,
      'assignments',
      'course_id, assignment_group_id, name, position, points_possible, submission_types, lock_at, workflow_state, lti_context_id, created_at, updated_at',
      ({ course }) =>
        `${course.id}, ${course.assignment_group_id}, printf('Quiz %05d', n), n + 1, 10, '["online_quiz"]', ${soon}, 'published', 'x', ${stamp}`,
    );
    await fillRows(
      scenes,
      'quizzes',
      'course_id, title, quiz_type, assignment_id, lock_at, workflow_state, created_at, updated_at',
      ({ course }) =>
        `${course.id}, printf('Quiz %05d', n), 'assignment', (select min(id) from assignments where course_id = ${course.id} and submission_types = '["online_quiz"]') + n - 1, ${soon}, 'available', ${stamp}`,
    );
    await fillRows(
      scenes,
      'assignments',
      'course_id, assignment_group_id, name, position, points_possible, submission_types, lock_at, workflow_state, lti_context_id, created_at, updated_at',
      ({ course }) =>
        `${course.id}, ${course.assignment_group_id}, printf('New Quiz %05d', n), n + 1, 10, '["external_tool"]', ${soon}, 'published', 'y', ${stamp}`,
    );
    await fillRows(
      scenes,
      'new_quizzes',
      'id, course_id, quiz_settings, created_at, updated_at',
      ({ course }) =>
        `(select max(id) from assignments where course_id = ${course.id}) - n + 1, ${course.id}, '${JSON.stringify(defaultNewQuizSettings)}', ${stamp}`,
    );
    await fillRows(
      scenes,
      'new_quiz_items',
      'new_quiz_id, position, entry_type, entry, created_at, updated_at',
      ({ newQuiz }) => `${newQuiz}, n, 'Stimulus', '{"title":"Text"}', ${stamp}`,
    );
    await fillRows(
      scenes,
      'quiz_questions',
      'course_id, quiz_id, position, root_position, question_name, question_type, question_text, data, created_at, updated_at',
      ({ course, quiz }) => `${course.id}, ${quiz}, n, n, 'Q' || n, 'essay_question', 'Text', '{"answers":[]}', ${stamp}`,
    );
    await fillPeople(scenes);
    await fillRows(
      scenes,
      'enrollments',
      'user_id, course_id, course_section_id, type, role_id, enrollment_state, sortable_name, created_at, updated_at',
      ({ course, crowd }) =>
        `${crowd} + n, ${course.id}, ${course.section_id}, 'StudentEnrollment', 3, 'active', printf('Many %05d', n), ${stamp}`,
    );
    await fillRows(
      scenes,
      'new_quiz_accommodations',
      'course_id, new_quiz_id, user_id, extra_time, created_at, updated_at',
      ({ course, newQuiz, crowd }) => `${course.id}, ${newQuiz}, ${crowd} + n, 5, ${stamp}`,
    );
    await fillRows(
      scenes,
      'quiz_submissions',
      'quiz_id, course_id, user_id, attempt, end_at, validation_token, workflow_state, created_at, updated_at',
      ({ course, taken, crowd }) => `${taken}, ${course.id}, ${crowd} + n, 1, '2026-09-01T08:00:00Z', 'x' || n, 'untaken', ${stamp}`,
    );
    await fillRows(
      scenes,
      'quiz_submissions',
      'quiz_id, course_id, user_id, attempt, started_at, validation_token, workflow_state, created_at, updated_at',
      ({ course, newQuiz, crowd }) => `-${newQuiz}, ${course.id}, ${crowd} + n, 1, '2026-09-01T08:00:00Z', 'y' || n, 'untaken', ${stamp}`,
    );
    await fillRows(
      scenes,
      'quiz_attempts',
      'quiz_submission_id, attempt, presented, started_at, quiz_version, quiz_points_possible, workflow_state, created_at, updated_at',
      ({ newQuiz, crowd }) =>
        `(select s.id from quiz_submissions s where s.quiz_id = -${newQuiz} and s.user_id = ${crowd} + n), 1, '[{"id":-1}]', '2026-09-01T08:00:00Z', 1, 1, 'untaken', ${stamp}`,
    );
    await fillRows(
      scenes,
      'quiz_submission_events',
      'quiz_submission_id, attempt, event_type, created_at',
      ({ attempt }) => `${attempt}, 1, 'page_blurred', ${soon}`,
    );
  });
}, fillTime);

const asked = (by: 'student' | 'teacher', rest: string, query: object, more: Partial<Budget<Quizzes>> = {}): Budget<Quizzes> => ({
  with: `as a ${by} ${JSON.stringify(query)}`,
  asks: (scene) => ({ by: scene[by], path: `/courses/${scene.course.id}/quizzes${rest.replace('quiz', String(scene.quiz))}` }),
  query: () => query,
  ...more,
});
const ofTaken = (rest: string, more: Partial<Budget<Quizzes>> = {}): Budget<Quizzes> => ({
  with: 'as a teacher',
  ...more,
  asks: ({ teacher, course, taken, attempt }) => ({
    by: teacher,
    path: `/courses/${course.id}/quizzes/${taken}${rest.replace(':id', String(attempt))}`,
  }),
});
const ofNewQuizzes = (
  by: 'student' | 'teacher',
  path: (scene: Quizzes) => string,
  more: Partial<Budget<Quizzes>> = {},
): Budget<Quizzes> => ({
  with: `as a ${by}`,
  ...more,
  asks: (scene) => ({ by: scene[by], path: path(scene) }),
});
const newQuizzesOf = ({ course }: Quizzes) => `/api/quiz/v1/courses/${course.id}/quizzes`;
const madeOfAttempt = { madeOf: ['attempt', 'enrollment', 'quiz', 'assignment', 'submission'] };
const madeOf = { madeOf: ['quiz', 'assignment', 'override', 'module item', 'attempt'] };

const madeOfNewQuiz = { madeOf: ['New Quiz', 'assignment', 'override', 'enrollment', 'module item'] };

holdBudgets<Quizzes, 'quizzes'>(() => scenes, {
  'GET /courses/:course_id/quizzes': [asked('student', '', {}, madeOf), asked('teacher', '', {}, madeOf)],
  'GET /courses/:course_id/quizzes/assignment_overrides': [
    asked('student', '/assignment_overrides', {}, madeOf),
    asked('teacher', '/assignment_overrides', {}, madeOf),
  ],
  'GET /api/quiz/v1/courses/:course_id/quizzes': [
    ofNewQuizzes('student', newQuizzesOf, { madeOf: ['New Quiz', 'assignment'] }),
    ofNewQuizzes('teacher', newQuizzesOf, { madeOf: ['New Quiz', 'assignment'] }),
  ],
  'GET /api/quiz/v1/courses/:course_id/quizzes/:assignment_id/items': [
    ofNewQuizzes('teacher', (scene) => `${newQuizzesOf(scene)}/${scene.newQuiz}/items`, { madeOf: ['item', 'bank', 'question of a bank'] }),
  ],
  'GET /api/quiz/v1/courses/:course_id/quizzes/:assignment_id/sessions': [
    ofNewQuizzes('teacher', (scene) => `${newQuizzesOf(scene)}/${scene.newQuiz}/sessions`, {
      madeOf: ['attempt', 'enrollment', 'submission'],
    }),
  ],
  'GET /courses/:course_id/new_quizzes/assignment_overrides': [
    ofNewQuizzes('student', ({ course }) => `/courses/${course.id}/new_quizzes/assignment_overrides`, madeOfNewQuiz),
    ofNewQuizzes('teacher', ({ course }) => `/courses/${course.id}/new_quizzes/assignment_overrides`, madeOfNewQuiz),
  ],
  'GET /courses/:course_id/assignments/:assignment_id/accommodations': [
    ofNewQuizzes('teacher', ({ course, newQuiz }) => `/courses/${course.id}/assignments/${newQuiz}/accommodations`, {
      madeOf: ['accommodation', 'enrollment'],
    }),
  ],
  'GET /courses/:course_id/quizzes/:quiz_id/questions': [asked('teacher', '/quiz/questions', {})],
  'GET /courses/:course_id/quizzes/:quiz_id/outstanding_quiz_submissions': [ofTaken('/outstanding_quiz_submissions', madeOfAttempt)],
  'GET /courses/:course_id/quizzes/:quiz_id/submissions': [ofTaken('/submissions', madeOfAttempt)],
  'GET /courses/:course_id/quizzes/:quiz_id/submissions/:id/events': [ofTaken('/submissions/:id/events')],
});
