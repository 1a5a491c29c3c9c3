// What a gradebook export reads: once the students and columns, then some students at a time.

import { type SQL, sql } from 'drizzle-orm';
import { isActiveOrInvitedStudent } from '../../../contexts/predicates';
import { atMost } from '../../../database/at_most';
import { among } from '../../../database/ids';
import type { Database } from '../../../database/open';
import { shared, sharedIds } from '../../../database/shared';
import { isAssignmentIn } from '../../../rules/grading_periods';
import { standardsOfCourses } from '../../../rules/grading_schemes';
import { assignments } from '../../assignments/table';
import { courses } from '../../courses/table';
import { computedWork, countedGroups } from '../../enrollments/grades/facts';
import { type GradebookAssignment, isInGradebook } from '../columns';
import type { ExportedStudent, ShownColumns } from './lines';

/** The input of the job: what was asked for, and what the caller may see. */
export interface ExportRequest {
  readonly course_id: number;
  readonly file_uuid: string;
  /** Null for the whole course. */
  readonly sections: readonly number[] | null;
  readonly seesNames: boolean;
  readonly shown: ShownColumns;
  readonly period?: number;
  readonly group?: number;
  /** Assignments that come first, in this order. */
  readonly assignmentOrder: readonly number[];
  readonly studentOrder: readonly number[];
  readonly hasMark: boolean;
}

const mostStudents = 50_000;

const inSections = ({ sections }: Pick<ExportRequest, 'sections'>) =>
  sections ? sql` and e.course_section_id in (${sharedIds('sections', sections)})` : sql``;

/** The given ones first, in their order; the others follow as they are. */
export function ordered<T extends { readonly id: number }>(all: readonly T[], first: readonly number[]): T[] {
  const places = new Map(first.map((id, at) => [id, at]));
  const place = ({ id }: T) => places.get(id) ?? first.length;
  return [...all].sort((a, b) => place(a) - place(b));
}

/** Students by name, the test student last. */
export const studentsInOrder = ({ build }: Database, request: ExportRequest) =>
  build.all<{ id: number }>(
    sql`select e.user_id as id from enrollments e where e.course_id = ${request.course_id} and ${isActiveOrInvitedStudent('e')}${inSections(request)}
      group by e.user_id order by max(e.type = 'StudentViewEnrollment'), min(e.sortable_name), e.user_id limit ${atMost(mostStudents)}`,
  );

/** The assignments of the course that are in the asked period. */
export const assignmentsInPeriod = ({ build }: Database, course_id: number, period: number) =>
  build
    .select({ id: assignments.id })
    .from(assignments)
    .where(sql`${assignments.course_id} = ${course_id} and ${assignments.workflow_state} = 'published' and ${isAssignmentIn(period)}`);

/** The course, and its grading scheme. */
export const courseAndStandard = (db: Database, { course_id }: Pick<ExportRequest, 'course_id'>) =>
  [
    db.build
      .select({ id: courses.id, grading_standard_id: courses.grading_standard_id, settings: courses.settings })
      .from(courses)
      .where(sql`${courses.id} = ${course_id}`),
    standardsOfCourses(db, sql`${course_id}`),
  ] as const;

/** The assignments that the caller may see with names. */
export const visibleColumns = (all: readonly GradebookAssignment[], { seesNames }: ExportRequest): GradebookAssignment[] =>
  all.filter((one) => seesNames || !one.anonymize_students);

const login = (column: string) =>
  sql.raw(
    `(select l.${column} from logins l where l.user_id = u.id and l.account_id = 1 and l.workflow_state <> 'deleted' order by l.${column} is null, l.id limit 1)`,
  );

/** Assignments whose cells are the names of grades, as `showsName` decides. */
const namedGrades = (course: SQL) =>
  sql`select assignments.id from assignments where assignments.course_id = ${course} and ${isInGradebook} and coalesce(assignments.points_possible, 0) = 0 and assignments.grading_type in ('letter_grade', 'gpa_scale', 'pass_fail')`;

/** Students with their work; a student with 200 assignments is 200 rows to read. */
export function studentsWithWork({ build }: Database, request: ExportRequest, ids: readonly number[], customColumns: readonly number[]) {
  const course = shared('course', request.course_id);
  return build.all<ExportedStudent>(
    sql`select u.id, u.sortable_name, ${login('sis_user_id')} as sis_user_id, ${login('unique_id')} as login, ${login('integration_id')} as integration_id,
      (select json_group_array(name) from (select distinct x.name from enrollments e join sections x on x.id = e.course_section_id
        where e.user_id = u.id and +e.course_id = ${course} and ${isActiveOrInvitedStudent('+e')}${inSections(request)} order by x.name)) as sections,
      ${computedWork(sql.raw('u.id'), course)} as work,
      (select json_group_array(json_array(s.assignment_id, s.grade)) from submissions s where s.user_id = u.id and s.course_id = ${course} and s.workflow_state <> 'deleted'
        and s.assignment_id in (${namedGrades(course)})) as grades,
      (select json_group_array(json_array(d.column_id, d.content)) from custom_gradebook_data d where d.user_id = u.id and ${among(sql.raw('d.column_id'), customColumns)}) as texts
    from json_each(${JSON.stringify(ids)}) j cross join users u on u.id = j.value
    where exists (select 1 from enrollments e where e.user_id = u.id and +e.course_id = ${course} and ${isActiveOrInvitedStudent('+e')}${inSections(request)})
    order by j.key`,
  );
}

export const countedHere = (db: Database, { course_id }: ExportRequest) => countedGroups(db, sql`${course_id}`);
