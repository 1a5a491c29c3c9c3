// Reads and writes overrides of final grades, as statements for one batch.

import { type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { isEnrolledStudent } from '../../contexts/predicates';
import { inSectionLimit } from '../../contexts/section_limit';
import type { Database, Statement } from '../../database/open';
import type { OverrideChange, StatusChange } from './input';

/** Whether a user is a student of the course in a section of the caller. The unary plus makes SQLite search by the user, not through the course. */
const isInReach = (course: CourseContext, user: SQL): SQL =>
  sql`exists (select 1 from enrollments r where r.user_id = ${user} and +r.course_id = ${course.id} and ${isEnrolledStudent('+r')}${inSectionLimit(course, 'r')})`;

const idsOf = (ids: readonly number[]): SQL => sql`json_each(${JSON.stringify([...new Set(ids)])})`;

/** Those of the users whom the caller may grade. */
export const readReachable = ({ build }: Database, course: CourseContext, ids: readonly number[]) =>
  build.all<{ id: number }>(sql`select j.value as id from ${idsOf(ids)} j where ${isInReach(course, sql`j.value`)}`);

export interface StoredOverride {
  readonly user_id: number;
  readonly grading_period_id: number;
  readonly score: number | null;
  readonly custom_grade_status_id: number | null;
}

/** The status of an override that the institution still has. @param override its alias */
export const statusOfOverride = (override: string): SQL =>
  sql.raw(`(select g.id from custom_grade_statuses g where g.id = ${override}.custom_grade_status_id and g.workflow_state = 'active')`);
const columns = sql`o.user_id, o.grading_period_id, o.score, ${statusOfOverride('o')} as custom_grade_status_id`;
const isSet = sql.raw('(o.score is not null or o.custom_grade_status_id is not null)');

/** Overrides of the students whom the caller sees. */
export const readOverrides = ({ build }: Database, course: CourseContext) =>
  build.all<StoredOverride>(
    sql`select ${columns} from final_grade_overrides o where o.course_id = ${course.id} and ${isSet} and ${isInReach(course, sql`o.user_id`)}
      order by o.user_id, o.grading_period_id`,
  );

export const readOverridesOf = ({ build }: Database, course: CourseContext, ids: readonly number[]) =>
  build.all<StoredOverride>(
    sql`select ${columns} from ${idsOf(ids)} j cross join final_grade_overrides o on o.course_id = ${course.id} and o.user_id = j.value and ${isSet}`,
  );

/** The statuses of the institution. */
export const readStatuses = ({ build }: Database, course: Pick<CourseContext, 'root_account_id'>) =>
  build.all<{ id: number }>(
    sql`select g.id as id from custom_grade_statuses g where g.account_id = ${course.root_account_id} and g.workflow_state = 'active'`,
  );

/** Saves changes of the score; one that changes nothing is not logged. @param period 0 for the whole course */
export const saveOverrides = (
  { build }: Database,
  course: Pick<CourseContext, 'id'>,
  period: number,
  changes: readonly OverrideChange[],
  grader: number,
): Statement =>
  build.run(
    sql`insert into final_grade_overrides (course_id, user_id, grading_period_id, score, grade, grader_id)
      select ${course.id}, j.value ->> 0, ${period}, j.value ->> 1, j.value ->> 2, ${grader}
      from json_each(${JSON.stringify(changes.map(({ student_id, score, grade }) => [student_id, score, grade]))}) j
      where j.value ->> 1 is not null or exists (select 1 from final_grade_overrides o
        where o.course_id = ${course.id} and o.user_id = j.value ->> 0 and o.grading_period_id = ${period})
      on conflict (course_id, user_id, grading_period_id) do update
        set score = excluded.score, grade = excluded.grade, grader_id = excluded.grader_id, version = version + 1 where score is not excluded.score`,
  );

/** Saves changes of the status, which are in no log. A row for a status alone has version 0, because its score never changed. */
export const saveStatuses = (
  { build }: Database,
  course: Pick<CourseContext, 'id'>,
  period: number,
  changes: readonly StatusChange[],
  grader: number,
): Statement =>
  build.run(
    sql`insert into final_grade_overrides (course_id, user_id, grading_period_id, custom_grade_status_id, grader_id, version)
      select ${course.id}, j.value ->> 0, ${period}, j.value ->> 1, ${grader}, 0
      from json_each(${JSON.stringify(changes.map(({ student_id, custom_grade_status_id }) => [student_id, custom_grade_status_id]))}) j
      where j.value ->> 1 is not null or exists (select 1 from final_grade_overrides o
        where o.course_id = ${course.id} and o.user_id = j.value ->> 0 and o.grading_period_id = ${period})
      on conflict (course_id, user_id, grading_period_id) do update
        set custom_grade_status_id = excluded.custom_grade_status_id where custom_grade_status_id is not excluded.custom_grade_status_id`,
  );
