// What an uploaded file is compared with: the students of its rows, and their stored grades and texts.

import { type SQL, sql } from 'drizzle-orm';
import { isEnrolledStudent } from '../../../contexts/predicates';
import { among } from '../../../database/ids';
import type { Database } from '../../../database/open';
import { shared, sharedIds } from '../../../database/shared';
import { assignedTo, effectiveDate, reaching } from '../../../rules/assigned';
import { isClosedAt } from '../../../rules/grading_periods';
import { submissionIdOf } from '../../../rules/submission_ids';
import type { StoredGrade } from '../cells';
import type { NamedStudent, UploadReach } from '../table';

const inJson = (values: readonly (string | number)[]) => sql`(select value from json_each(${JSON.stringify(values)}))`;

const isNumber = (text: string) => /^\d{1,15}$/.test(text);

const live = sql.raw("l.account_id = 1 and l.workflow_state <> 'deleted'");
const bySisId = (students: readonly NamedStudent[]): SQL =>
  sql`${live} and l.sis_user_id is not null and l.sis_user_id in ${inJson(students.map((one) => one.sis_user_id).filter(Boolean))}`;
const byLogin = (students: readonly NamedStudent[]): SQL =>
  sql`${live} and lower(l.unique_id) in (select lower(value) from json_each(${JSON.stringify(students.map((one) => one.login).filter(Boolean))}))`;

/** Students whom the caller grades, among some users. @param users valid inside `in (…)` */
export const gradedStudents = ({ build }: Database, course_id: number, { sections }: UploadReach, users: SQL) =>
  build.all<{ user_id: number }>(
    sql`select distinct e.user_id from enrollments e where e.user_id in (${users}) and +e.course_id = ${course_id} and ${isEnrolledStudent('+e')}${
      sections ? sql` and e.course_section_id in (${sharedIds('sections', sections)})` : sql``
    }`,
  );

/** The logins that rows name, and which users of the rows the caller grades. */
export const namedStudents = (db: Database, course_id: number, reach: UploadReach, students: readonly NamedStudent[]) => {
  const ids = students
    .map((one) => one.id)
    .filter(isNumber)
    .map(Number);
  const users = sql`select value from json_each(${JSON.stringify(ids)}) union select l.user_id from logins l where ${bySisId(students)} union select l.user_id from logins l where ${byLogin(students)}`;
  return [
    db.build.all<{ user_id: number; name: string }>(sql`select l.user_id, l.sis_user_id as name from logins l where ${bySisId(students)}`),
    db.build.all<{ user_id: number; name: string }>(sql`select l.user_id, l.unique_id as name from logins l where ${byLogin(students)}`),
    gradedStudents(db, course_id, reach, users),
  ] as const;
};

type Names = readonly { readonly user_id: number; readonly name: string }[];

/**
 * The student of a row: every id that the row has and that finds a student must find the same one.
 * @returns the id, or the reason why the row is ignored
 */
export function studentOf(
  { id, sis_user_id, login }: NamedStudent,
  sisIds: Names,
  logins: Names,
  inReach: ReadonlySet<number>,
): number | string {
  const same = (one: string, other: string) => one !== '' && one.toLowerCase() === other.toLowerCase();
  const found = [
    ...(isNumber(id) ? [Number(id)] : []),
    ...sisIds.flatMap(({ name, user_id }) => (name === sis_user_id ? user_id : [])),
    ...logins.flatMap(({ name, user_id }) => (same(login, name) ? user_id : [])),
  ].filter((one) => inReach.has(one));
  const [student, ...others] = new Set(found);
  if (student === undefined) return 'no student of the course has these ids';
  return others.length === 0 ? student : 'the ids of the row name different students';
}

/** The stored grades of students in some assignments, as JSON per student: found by their ids, so that other work is not read. */
export const storedGrades = ({ build }: Database, assignments: readonly number[], users: readonly number[]) =>
  build.all<{ user_id: number; grades: string }>(
    sql`select j.value as user_id, (select json_group_array(json_array(s.assignment_id, s.score, s.grade, s.excused)) from json_each(${JSON.stringify(assignments)}) a
      cross join submissions s on s.id = ${submissionIdOf(sql.raw('a.value'), sql.raw('j.value'))} where s.workflow_state <> 'deleted') as grades from json_each(${JSON.stringify(users)}) j`,
  );

export const storedTexts = ({ build }: Database, columns: readonly number[], users: readonly number[]) =>
  build.all<{ column_id: number; user_id: number; content: string }>(
    sql`select d.column_id, d.user_id, d.content from custom_gradebook_data d where ${among(sql.raw('d.column_id'), columns)} and ${among(sql.raw('d.user_id'), users)}`,
  );

/** Overrides of final grades of the whole course. */
export const storedOverrides = ({ build }: Database, course_id: number, users: readonly number[]) =>
  build.all<{ user_id: number; score: number }>(
    sql`select o.user_id, o.score from json_each(${JSON.stringify(users)}) j cross join final_grade_overrides o
      on o.course_id = ${course_id} and o.user_id = j.value and o.grading_period_id = 0 where o.score is not null`,
  );

export const overridesByUser = (rows: readonly { user_id: number; score: number }[]): ReadonlyMap<number, number> =>
  new Map(rows.map(({ user_id, score }) => [user_id, score]));

/** A cell: the column of the gradebook, and the student. */
export type Place = readonly [column_id: number, user_id: number];
export const keyOf = ([column, user]: Place): string => `${column} ${user}`;

export function gradesByPlace(rows: readonly { readonly user_id: number; readonly grades: string }[]): ReadonlyMap<string, StoredGrade> {
  const all = rows.flatMap(({ user_id, grades }) =>
    (JSON.parse(grades) as [number, number | null, string | null, number][]).map(
      ([id, score, grade, excused]) => [keyOf([id, user_id]), { score, grade, excused: excused === 1 }] as const,
    ),
  );
  return new Map(all);
}

export const textsByPlace = (rows: readonly { column_id: number; user_id: number; content: string }[]): ReadonlyMap<string, string> =>
  new Map(rows.map(({ column_id, user_id, content }) => [keyOf([column_id, user_id]), content]));

/** Whether students have the assignments, and whether their due dates are in closed grading periods, which bind everyone but account admins. */
export const gradingStates = ({ build }: Database, course_id: number, { isAdmin }: UploadReach, places: readonly Place[], now: string) => {
  const user = sql.raw('p.user_id');
  const isClosed = isAdmin
    ? sql`0`
    : isClosedAt(effectiveDate('due_at', reaching(sql.raw('= assignments.id'), user), now), shared('course', course_id), now);
  return build.all<{ assignment_id: number; user_id: number; is_assigned: number; is_closed: number }>(
    sql`select assignments.id as assignment_id, p.user_id, ${assignedTo(user)} as is_assigned, ${isClosed} as is_closed
      from (select j.value ->> 0 as assignment_id, j.value ->> 1 as user_id from json_each(${JSON.stringify(places)}) j) p
      cross join assignments on assignments.id = p.assignment_id where assignments.course_id = ${shared('course', course_id)}`,
  );
};

export type GradingState = Awaited<ReturnType<typeof gradingStates>>[number];

/** Why a grade cannot be changed; undefined if it can. */
export function refusalOfState(state: GradingState | undefined, hasSubmission: boolean): string | undefined {
  if (!state?.is_assigned && !hasSubmission) return 'the assignment is not assigned to the student';
  return state?.is_closed ? 'the grading period is closed for this student' : undefined;
}
