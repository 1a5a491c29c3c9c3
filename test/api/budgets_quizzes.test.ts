// Budgets of quizzes and their questions.

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
    return { ...scene, quiz: long, taken, attempt, crowd };
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
        `${course.id}, printf('Quiz %05d', n), 'assignment', (select min(id) + n - 1 from assignments where course_id = ${course.id}), ${soon}, 'available', ${stamp}`,
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
      'quiz_submissions',
      'quiz_id, course_id, user_id, attempt, end_at, validation_token, workflow_state, created_at, updated_at',
      ({ course, taken, crowd }) => `${taken}, ${course.id}, ${crowd} + n, 1, '2026-09-01T08:00:00Z', 'x' || n, 'untaken', ${stamp}`,
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
const madeOfAttempt = { madeOf: ['attempt', 'enrollment', 'quiz', 'assignment', 'submission'] };
const madeOf = { madeOf: ['quiz', 'assignment', 'override', 'module item', 'attempt'] };

holdBudgets<Quizzes, 'quizzes'>(() => scenes, {
  'GET /courses/:course_id/quizzes': [asked('student', '', {}, madeOf), asked('teacher', '', {}, madeOf)],
  'GET /courses/:course_id/quizzes/assignment_overrides': [
    asked('student', '/assignment_overrides', {}, madeOf),
    asked('teacher', '/assignment_overrides', {}, madeOf),
  ],
  'GET /courses/:course_id/quizzes/:quiz_id/questions': [asked('teacher', '/quiz/questions', {})],
  'GET /courses/:course_id/quizzes/:quiz_id/outstanding_quiz_submissions': [ofTaken('/outstanding_quiz_submissions', madeOfAttempt)],
  'GET /courses/:course_id/quizzes/:quiz_id/submissions': [ofTaken('/submissions', madeOfAttempt)],
  'GET /courses/:course_id/quizzes/:quiz_id/submissions/:id/events': [ofTaken('/submissions/:id/events')],
});
