// Quizzes that differ in questions and in the attempts of others only.

import type { D1Database } from '@cloudflare/workers-types';
import { groundOf, type Person } from '../../support/ground';
import { withDatabase } from '../../support/server';
import { inBulkLoad } from '../institution/bulk';

export interface TakenQuiz {
  readonly id: number;
  readonly course_id: number;
  readonly questions: number;
  /** Completed attempts of other students, with all answers. */
  readonly attempts: number;
  readonly firstQuestion: number;
}

export interface QuizScene {
  readonly persist: string;
  readonly teacher: Person;
  /** Students of every course who have not begun. */
  readonly students: readonly Person[];
  readonly quizzes: readonly TakenQuiz[];
}

export const quizSizes = [
  [10, 10],
  [100, 10],
  [10, 1000],
  [100, 1000],
] as const;

const mostAttempts = 1000;
const at = "'2026-09-01T08:00:00Z'";
/** Each question has two answers, of which the first is right. */
const data = `'{"answers":[{"id":1,"weight":100,"text":"Right"},{"id":2,"weight":0,"text":"Wrong"}]}'`;
const type = "'multiple_choice_question'";

/** Rows of a table from a select over `n`, which counts from 0. */
const fill = (d1: D1Database, table: string, columns: string, values: string, count: number) =>
  d1
    .prepare(
      `with recursive counted(n) as (select 0 union all select n + 1 from counted where n < ${count - 1}) insert into ${table} (${columns}) select ${values} from counted`,
    )
    .run();

const nextId = async (d1: D1Database, table: string): Promise<number> =>
  ((await d1.prepare(`select max(id) as id from ${table}`).first<number>('id')) ?? 0) + 1;

async function addOtherTakers(d1: D1Database): Promise<number> {
  const first = await nextId(d1, 'users');
  await fill(
    d1,
    'users',
    'id, name, short_name, sortable_name, uuid, created_at, updated_at',
    `${first} + n, printf('Taker %04d', n), 'Taker', printf('Taker %04d', n), 'taker-' || n, ${at}, ${at}`,
    mostAttempts,
  );
  return first;
}

interface Built {
  readonly id: number;
  readonly section_id: number;
  readonly assignment_group_id: number;
}

async function addQuiz(
  d1: D1Database,
  course: Built,
  [questions, attempts]: (typeof quizSizes)[number],
  firstTaker: number,
): Promise<TakenQuiz> {
  await fill(
    d1,
    'enrollments',
    'user_id, course_id, course_section_id, type, role_id, enrollment_state, sortable_name, created_at, updated_at',
    `${firstTaker} + n, ${course.id}, ${course.section_id}, 'StudentEnrollment', 3, 'active', printf('Taker %04d', n), ${at}, ${at}`,
    attempts,
  );
  const assignment = await nextId(d1, 'assignments');
  await fill(
    d1,
    'assignments',
    'id, course_id, assignment_group_id, name, position, points_possible, submission_types, lti_context_id, workflow_state, created_at, updated_at',
    `${assignment}, ${course.id}, ${course.assignment_group_id}, 'Quiz', 1, ${questions}, '["online_quiz"]', 'quiz-${course.id}', 'published', ${at}, ${at}`,
    1,
  );
  const id = await nextId(d1, 'quizzes');
  await fill(
    d1,
    'quizzes',
    'id, course_id, title, quiz_type, assignment_id, time_limit, points_possible, question_count, workflow_state, created_at, updated_at',
    `${id}, ${course.id}, 'Quiz', 'assignment', ${assignment}, 60, ${questions}, ${questions}, 'available', ${at}, ${at}`,
    1,
  );
  const firstQuestion = await nextId(d1, 'quiz_questions');
  await fill(
    d1,
    'quiz_questions',
    'id, course_id, quiz_id, position, root_position, question_name, question_type, question_text, points_possible, data, created_at, updated_at',
    `${firstQuestion} + n, ${course.id}, ${id}, n + 1, n + 1, 'Question', ${type}, '<p>Which?</p>', 1, ${data}, ${at}, ${at}`,
    questions,
  );
  await fill(
    d1,
    'quiz_question_versions',
    'question_id, version, content, created_at',
    `${firstQuestion} + n, 1, json_object('question_name', 'Question', 'question_type', ${type}, 'question_text', '<p>Which?</p>', 'data', json(${data})), ${at}`,
    questions,
  );
  const submission = await nextId(d1, 'quiz_submissions');
  await fill(
    d1,
    'quiz_submissions',
    'id, quiz_id, course_id, user_id, attempt, started_at, finished_at, score, kept_score, quiz_version, quiz_points_possible, validation_token, workflow_state, created_at, updated_at',
    `${submission} + n, ${id}, ${course.id}, ${firstTaker} + n, 1, ${at}, ${at}, ${questions}, ${questions}, 1, ${questions}, 'token', 'complete', ${at}, ${at}`,
    attempts,
  );
  const presented = `(select json_group_array(json_object('id', q.id, 'version', 1, 'points', 1, 'quiz_group_id', null)) from quiz_questions q where q.quiz_id = ${id})`;
  const results = `(select json_group_array(json_object('question_id', q.id, 'correct', json('true'), 'points', 1)) from quiz_questions q where q.quiz_id = ${id})`;
  await fill(
    d1,
    'quiz_attempts',
    'quiz_submission_id, attempt, presented, results, started_at, finished_at, score, quiz_version, quiz_points_possible, workflow_state, created_at, updated_at',
    `${submission} + n, 1, ${presented}, ${results}, ${at}, ${at}, ${questions}, 1, ${questions}, 'complete', ${at}, ${at}`,
    attempts,
  );
  await fill(
    d1,
    'quiz_answers',
    'quiz_submission_id, attempt, question_id, answer, saved_at',
    `${submission} + n / ${questions}, 1, ${firstQuestion} + n % ${questions}, '1', ${at}`,
    attempts * questions,
  );
  return { id, course_id: course.id, questions, attempts, firstQuestion };
}

export function buildQuizScene(persist: string, repeats: number): Promise<QuizScene> {
  return withDatabase(persist, async (d1) => {
    const ground = groundOf(d1);
    const teacher = await ground.person({ name: 'Tara Teacher' });
    const students: Person[] = [];
    for (let nth = 0; nth < repeats; nth++) students.push(await ground.person({ name: `Sam ${nth}` }));
    const courses: Built[] = [];
    for (const [questions, attempts] of quizSizes) {
      const course = await ground.course({ name: `${questions} × ${attempts}` });
      await ground.enroll(course, teacher, 'teacher');
      for (const student of students) await ground.enroll(course, student, 'student');
      courses.push(course);
    }
    const quizzes: TakenQuiz[] = [];
    await inBulkLoad(d1, async () => {
      const first = await addOtherTakers(d1);
      for (const [nth, size] of quizSizes.entries()) quizzes.push(await addQuiz(d1, courses[nth] as Built, size, first));
    });
    return { persist, teacher, students, quizzes };
  });
}
