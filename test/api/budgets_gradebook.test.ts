// Budgets of the grade-change log and the history of a gradebook.

import { enrollments } from '@carrel/worker/domains/enrollments/table';
import { gradebook_uploads } from '@carrel/worker/domains/gradebook_csv/table';
import { submissions } from '@carrel/worker/domains/submissions/table';
import { users } from '@carrel/worker/domains/users/table';
import { sql } from 'drizzle-orm';
import { beforeAll } from 'vitest';
import { as, ground, many, nth, ok } from '../support/api';
import { type Budget, few, fillRows, fillTime, holdBudgets, inBulk, lots, type Scene, type Twins, twins } from '../support/budgets';
import type { Person } from '../support/ground';

interface Graded extends Scene {
  readonly admin: Person;
  /** Graded for each of the bulk students. */
  readonly essay: number;
  /** Graded many times for one student. */
  readonly lab: number;
  /** A column with a text for each of the bulk students. */
  readonly notes: number;
  /** A file with a row for each of them. */
  readonly upload: number;
  /** The id before the first of the bulk students. */
  readonly crowd: number;
}

let scenes: Twins<Graded>;
const stamp = "'2026-09-01T08:00:00Z', '2026-09-01T08:00:00Z'";
const people = 2 ** 26;

async function withCrowd(scene: Scene, count: number, admin: Person): Promise<Graded> {
  const crowd = count * 100;
  await many(count, users, { id: sql`${crowd} + n`, name: nth('S'), short_name: 'S', sortable_name: 'S', uuid: nth(`u${count}-`) });
  await many(count, enrollments, {
    user_id: sql`${crowd} + n`,
    course_id: scene.course.id,
    course_section_id: scene.course.section_id,
    type: 'StudentEnrollment',
    role_id: 3,
    enrollment_state: 'active',
    sortable_name: sql`printf('S%05d', n)`,
  });
  const [essay, lab] = [await ground.assignment(scene.course, { name: 'Essay' }), await ground.assignment(scene.course, { name: 'Lab' })];
  const column = { title: 'Notes', teacher_notes: true };
  const { id: notes } = ok(await as(scene.teacher).post(`/courses/${scene.course.id}/custom_gradebook_columns`, { column }));
  const file = { uuid: `file ${count}`, filename: 'grades.csv', size: 1, columns: [], row_count: count };
  const options = { reach: { sections: null, isAdmin: false }, clears: false, hasDecimalComma: false };
  await many(1, gradebook_uploads, { ...file, options, id: crowd, course_id: scene.course.id, user_id: scene.teacher.id });
  return { ...scene, admin, essay, lab, notes, upload: crowd, crowd };
}

/** Changes of one day: five thousand a second. */
const changes =
  'course_id, assignment_id, student_id, grader_id, version_number, score_before, score_after, grade_after, excused_before, excused_after, posted_before, posted_after, created_at';
const at = "strftime('%Y-%m-%dT%H:%M:%SZ', 1788000000 + n / 5000, 'unixepoch')";

async function fillAll(): Promise<void> {
  await fillRows(
    scenes,
    'custom_gradebook_columns',
    'course_id, title, position, created_at, updated_at',
    ({ course }) => `${course.id}, 'C' || n, n + 1, ${stamp}`,
  );
  await fillRows(scenes, 'custom_gradebook_data', 'column_id, user_id, content', ({ notes, crowd }) => `${notes}, ${crowd} + n, 'x'`);
  await fillRows(
    scenes,
    'gradebook_upload_rows',
    'upload_id, row, student, cells, user_id, created_at',
    ({ upload, crowd }) => `${upload}, n, '{"name": "S"}', '[]', ${crowd} + n, '2026-09-01T08:00:00Z'`,
  );
  const work = 'id, course_id, assignment_id, user_id, score, grade, graded_at, posted_at, workflow_state, created_at, updated_at';
  const graded = "9, '9', '2026-09-02T08:00:00Z', '2026-09-02T08:00:00Z', 'graded'";
  await fillRows(
    scenes,
    'submissions',
    work,
    ({ course, essay, crowd }) => `${essay} * ${people} + ${crowd} + n, ${course.id}, ${essay}, ${crowd} + n, ${graded}, ${stamp}`,
  );
  await fillRows(
    scenes,
    'grade_changes',
    changes,
    ({ course, essay, crowd, teacher }) => `${course.id}, ${essay}, ${crowd} + n, ${teacher.id}, 1, null, 9, '9', 0, 0, 0, 1, ${at}`,
  );
  for (const { course, lab, student } of [scenes.small, scenes.large])
    await many(1, submissions, {
      id: lab * people + student.id,
      course_id: course.id,
      assignment_id: lab,
      user_id: student.id,
      score: 9,
      grade: '9',
      graded_at: '2026-09-02T08:00:00Z',
      workflow_state: 'graded',
    });
  await fillRows(
    scenes,
    'grade_changes',
    changes,
    ({ course, lab, student, ta }) => `${course.id}, ${lab}, ${student.id}, ${ta.id}, n, n - 1, n, n, 0, 0, 1, 1, ${at}`,
  );
}

beforeAll(async () => {
  const [{ small, large }, admin] = [await twins(ground), await ground.admin()];
  await inBulk(async () => {
    scenes = { small: await withCrowd(small, few, admin), large: await withCrowd(large, lots, admin) };
    await fillAll();
  });
}, fillTime);

type Path = (scene: Graded) => string;
const asked = (
  by: 'admin' | 'teacher',
  path: Path,
  query: (scene: Graded) => object = () => ({}),
  more: Partial<Budget<Graded>> = {},
  about = '',
): Budget<Graded> => ({
  with: `as ${by}${about}`,
  asks: (scene) => ({ by: scene[by], path: path(scene) }),
  query,
  ...more,
});

const events = {
  items: ({ events }: { events: unknown[] }) => events,
  perItem: [30, 'a change, looked at again for its assignment, course, student and grader; the student with login and address'] as const,
};
const inCourse =
  (rest: Path = () => ''): Path =>
  (scene) =>
    `/audit/grade_change/courses/${scene.course.id}${rest(scene)}`;
const audited = (by: 'admin' | 'teacher', path: Path) => [asked(by, path, undefined, events)];
const history =
  (rest: Path): Path =>
  (scene) =>
    `/courses/${scene.course.id}/gradebook_history${rest(scene)}`;
/** The day of all changes. */
const day = '2026-08-29';
const grouped = { perItem: [800, 'a hundred changes of one day, looked at again for grader and assignment'] as const };
const onDay: Path = ({ essay, teacher }) => `/${day}/graders/${teacher.id}/assignments/${essay}/submissions`;
const version = { perItem: [52, 'a change, looked at again for its submission, attempts, assignment, student and grader'] as const };

holdBudgets<Graded, 'gradebook'>(() => scenes, {
  'GET /audit/grade_change': [
    asked(
      'admin',
      () => '/audit/grade_change',
      ({ course, essay }) => ({ course_id: course.id, assignment_id: essay }),
      events,
    ),
    asked(
      'admin',
      () => '/audit/grade_change',
      ({ student }) => ({ student_id: student.id, include: ['current_grade'] }),
      events,
    ),
  ],
  'GET /audit/grade_change/assignments/:assignment_id': audited('admin', ({ essay }) => `/audit/grade_change/assignments/${essay}`),
  'GET /audit/grade_change/courses/:course_id': audited('teacher', inCourse()),
  'GET /audit/grade_change/courses/:course_id/assignments/:assignment_id': audited(
    'teacher',
    inCourse(({ essay }) => `/assignments/${essay}`),
  ),
  'GET /audit/grade_change/courses/:course_id/assignments/:assignment_id/graders/:grader_id': audited(
    'teacher',
    inCourse(({ essay, teacher }) => `/assignments/${essay}/graders/${teacher.id}`),
  ),
  'GET /audit/grade_change/courses/:course_id/assignments/:assignment_id/graders/:grader_id/students/:student_id': audited(
    'teacher',
    inCourse(({ lab, ta, student }) => `/assignments/${lab}/graders/${ta.id}/students/${student.id}`),
  ),
  'GET /audit/grade_change/courses/:course_id/assignments/:assignment_id/students/:student_id': audited(
    'teacher',
    inCourse(({ lab, student }) => `/assignments/${lab}/students/${student.id}`),
  ),
  'GET /audit/grade_change/courses/:course_id/graders/:grader_id': audited(
    'teacher',
    inCourse(({ ta }) => `/graders/${ta.id}`),
  ),
  'GET /audit/grade_change/courses/:course_id/graders/:grader_id/students/:student_id': audited(
    'teacher',
    inCourse(({ ta, student }) => `/graders/${ta.id}/students/${student.id}`),
  ),
  'GET /audit/grade_change/courses/:course_id/students/:student_id': audited(
    'teacher',
    inCourse(({ student }) => `/students/${student.id}`),
  ),
  'GET /audit/grade_change/graders/:grader_id': audited('admin', ({ ta }) => `/audit/grade_change/graders/${ta.id}`),
  'GET /audit/grade_change/students/:student_id': audited('admin', ({ student }) => `/audit/grade_change/students/${student.id}`),
  'GET /courses/:course_id/custom_gradebook_columns': [asked('teacher', ({ course }) => `/courses/${course.id}/custom_gradebook_columns`)],
  'GET /courses/:course_id/custom_gradebook_columns/:id/data': [
    asked('teacher', ({ course, notes }) => `/courses/${course.id}/custom_gradebook_columns/${notes}/data`, undefined, {
      madeOf: ['text', 'enrollment'],
    }),
  ],
  'GET /courses/:course_id/gradebook_uploads/:id/rows': [
    asked('teacher', ({ course, upload }) => `/courses/${course.id}/gradebook_uploads/${upload}/rows`),
  ],
  'GET /courses/:course_id/gradebook_history/:date': [
    asked(
      'teacher',
      history(() => `/${day}`),
      undefined,
      { ...grouped, page: 2 },
    ),
  ],
  'GET /courses/:course_id/gradebook_history/:date/graders/:grader_id/assignments/:assignment_id/submissions': [
    asked('teacher', history(onDay), undefined, version),
  ],
  'GET /courses/:course_id/gradebook_history/days': [
    asked(
      'teacher',
      history(() => '/days'),
      undefined,
      { ...grouped, page: 1 },
    ),
  ],
  'GET /courses/:course_id/gradebook_history/feed': [
    asked(
      'teacher',
      history(() => '/feed'),
      ({ essay }) => ({ assignment_id: essay }),
      version,
    ),
    asked(
      'teacher',
      history(() => '/feed'),
      ({ student }) => ({ user_id: student.id, ascending: true }),
      version,
    ),
  ],
});
