// Courses that differ in students and assignments only: every student has handed in everything, and all but one in each assignment are graded.

import type { D1Database } from '@cloudflare/workers-types';
import { type BuiltCourse, groundOf, type Person } from '../../support/ground';
import { withDatabase } from '../../support/server';
import { inBulkLoad } from '../institution/bulk';

export interface GradedCourse {
  readonly id: number;
  readonly students: number;
  readonly assignments: number;
  readonly firstAssignment: number;
  readonly firstGroup: number;
  readonly rubric: number;
}

export interface GradingScene {
  readonly persist: string;
  readonly teacher: Person;
  /** Of every course, with a token. */
  readonly student: Person;
  /** The first of 500 others. */
  readonly firstOther: number;
  readonly courses: readonly GradedCourse[];
}

export const sizes = [
  [10, 10],
  [500, 10],
  [10, 200],
  [500, 200],
] as const;

const mostStudents = 500;
const groups = 4;
const at = "'2026-09-01T08:00:00Z'";
const people = 67_108_864;
/** The criteria of the rubric, each of five points. */
export const criteria = ['argument', 'style'] as const;

/** Rows of a table from a select over `n`, which counts from 0. */
const fill = (d1: D1Database, table: string, columns: string, values: string, count: number) =>
  d1
    .prepare(
      `with recursive counted(n) as (select 0 union all select n + 1 from counted where n < ${count - 1}) insert into ${table} (${columns}) select ${values} from counted`,
    )
    .run();

const newest = async (d1: D1Database, table: string): Promise<number> =>
  (await d1.prepare(`select coalesce(max(id), 0) as id from ${table}`).first<number>('id')) ?? 0;

async function addOthers(d1: D1Database): Promise<number> {
  const first = (await newest(d1, 'users')) + 1;
  await fill(
    d1,
    'users',
    'id, name, short_name, sortable_name, uuid, created_at, updated_at',
    `${first} + n, printf('Student %03d', n), 'Student', printf('Student %03d', n), 'graded-' || n, ${at}, ${at}`,
    mostStudents,
  );
  return first;
}

/** The people of a course: the student with a token, and the others before them. */
async function enrollOthers(d1: D1Database, course: { id: number; section_id: number }, first: number, count: number): Promise<void> {
  await fill(
    d1,
    'enrollments',
    'user_id, course_id, course_section_id, type, role_id, enrollment_state, sortable_name, created_at, updated_at',
    `${first} + n, ${course.id}, ${course.section_id}, 'StudentEnrollment', 3, 'active', printf('Student %03d', n), ${at}, ${at}`,
    count,
  );
  await d1
    .prepare(
      `insert into course_students (course_id, user_id, is_student) select course_id, user_id, 1 from enrollments where course_id = ? and user_id >= ?`,
    )
    .bind(course.id, first)
    .run();
}

async function addRubric(d1: D1Database, course: number, teacher: number): Promise<number> {
  const rubric = (await newest(d1, 'rubrics')) + 1;
  const rating = (id: string, points: number) => ({ id, points, description: id, long_description: '' });
  const rows = criteria.map((id) => ({
    id,
    description: id,
    long_description: '',
    points: 5,
    criterion_use_range: false,
    ratings: [rating('full', 5), rating('none', 0)],
  }));
  await d1
    .prepare(
      `insert into rubrics (id, context_type, context_id, user_id, title, criteria, points_possible, created_at, updated_at) values (?, 'Course', ?, ?, 'Rubric', ?, 10, ${at}, ${at})`,
    )
    .bind(rubric, course, teacher, JSON.stringify(rows))
    .run();
  await d1
    .prepare(
      `insert into rubric_associations (rubric_id, association_type, association_id, context_type, context_id, purpose, created_at, updated_at) values (?, 'Course', ?, 'Course', ?, 'bookmark', ${at}, ${at})`,
    )
    .bind(rubric, course, course)
    .run();
  return rubric;
}

/** The work of all students: row `n` is the submission of student `n / assignments` in assignment `n % assignments`. */
async function addWork(d1: D1Database, course: GradedCourse, teacher: number, firstOther: number): Promise<void> {
  const { id, students, assignments, firstAssignment, rubric } = course;
  const others = students - 1;
  const assignment = `(${firstAssignment} + n % ${assignments})`;
  const user = `(${firstOther} + n / ${assignments})`;
  const submission = `${assignment} * ${people} + ${user}`;
  // Every assignment is graded on a day of its own.
  const graded = `strftime('%Y-%m-%dT%H:%M:%SZ', 1788300000 + (n % ${assignments}) * 86400 + n / ${assignments}, 'unixepoch')`;
  await fill(
    d1,
    'submissions',
    'id, course_id, assignment_id, user_id, attempt, submission_type, body, submitted_at, score, grade, graded_attempt, graded_at, posted_at, grader_id, workflow_state, created_at, updated_at',
    `${submission}, ${id}, ${assignment}, ${user}, 1, 'online_text_entry', '<p>Mine.</p>', ${at}, 8, '8', 1, ${graded}, ${graded}, ${teacher}, 'graded', ${at}, ${at}`,
    others * assignments,
  );
  await fill(
    d1,
    'grade_changes',
    'course_id, assignment_id, student_id, grader_id, version_number, attempt, score_after, grade_after, excused_before, excused_after, posted_before, posted_after, created_at',
    `${id}, ${assignment}, ${user}, ${teacher}, 1, 1, 8, '8', 0, 0, 0, 1, ${graded}`,
    others * assignments,
  );
  await fill(
    d1,
    'rubric_assessments',
    'rubric_id, rubric_association_id, course_id, assignment_id, user_id, submission_id, artifact_attempt, assessment_type, assessor_id, score, data, created_at, updated_at',
    `${rubric}, (select a.id from rubric_associations a where a.association_type = 'Assignment' and a.purpose = 'grading' and a.workflow_state = 'active' and a.association_id = ${assignment}),
      ${id}, ${assignment}, ${user}, ${submission}, 1, 'grading', ${teacher}, 8, '[]', ${at}, ${at}`,
    others * assignments,
  );
  await d1
    .prepare(
      `insert into course_scores (course_id, user_id, pending) select course_id, user_id, 'stale' from enrollments where course_id = ? and type = 'StudentEnrollment'`,
    )
    .bind(id)
    .run();
  await d1.prepare('insert into course_score_marks (id, generation, done) values (?, 1, 0)').bind(id).run();
}

async function addCourse(
  d1: D1Database,
  built: { id: number; section_id: number },
  size: (typeof sizes)[number],
  teacher: number,
  firstOther: number,
) {
  const [students, assignments] = size;
  await enrollOthers(d1, built, firstOther, students - 1);
  const firstGroup = (await newest(d1, 'assignment_groups')) + 1;
  await fill(
    d1,
    'assignment_groups',
    'course_id, name, position, group_weight, rules, created_at, updated_at',
    `${built.id}, 'Group ' || n, n + 2, 25, '{"drop_lowest":1}', ${at}, ${at}`,
    groups,
  );
  await d1.prepare('update courses set apply_assignment_group_weights = 1 where id = ?').bind(built.id).run();
  const firstAssignment = (await newest(d1, 'assignments')) + 1;
  await fill(
    d1,
    'assignments',
    'course_id, assignment_group_id, name, position, points_possible, submission_types, lti_context_id, workflow_state, created_at, updated_at',
    `${built.id}, ${firstGroup} + n % ${groups}, 'Assignment ' || n, n / ${groups} + 1, 10, '["online_text_entry"]', 'graded-${built.id}-' || n, 'published', ${at}, ${at}`,
    assignments,
  );
  const rubric = await addRubric(d1, built.id, teacher);
  await fill(
    d1,
    'rubric_associations',
    'rubric_id, association_type, association_id, context_type, context_id, purpose, use_for_grading, created_at, updated_at',
    `${rubric}, 'Assignment', ${firstAssignment} + n, 'Course', ${built.id}, 'grading', 1, ${at}, ${at}`,
    assignments,
  );
  const course = { id: built.id, students, assignments, firstAssignment, firstGroup, rubric };
  await addWork(d1, course, teacher, firstOther);
  return course;
}

export function buildGradingScene(persist: string): Promise<GradingScene> {
  return withDatabase(persist, async (d1) => {
    const ground = groundOf(d1);
    const [teacher, student] = [await ground.person({ name: 'Tara Teacher' }), await ground.person({ name: 'Sam Student' })];
    const built: BuiltCourse[] = [];
    for (const [students, assignments] of sizes) {
      const course = await ground.course({ name: `${students} × ${assignments}` });
      await ground.enroll(course, teacher, 'teacher');
      await ground.enroll(course, student, 'student');
      built.push(course);
    }
    const courses: GradedCourse[] = [];
    let firstOther = 0;
    await inBulkLoad(d1, async () => {
      firstOther = await addOthers(d1);
      for (const [nth, size] of sizes.entries()) courses.push(await addCourse(d1, built[nth] as BuiltCourse, size, teacher.id, firstOther));
    });
    return { persist, teacher, student, firstOther, courses };
  });
}
