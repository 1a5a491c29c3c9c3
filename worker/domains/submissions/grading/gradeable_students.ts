// Gradeable students, and counts of graded submissions.

import { GradeableStudent } from '@carrel/shared/resources/submission_lists';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { among } from '../../../database/ids';
import { sharedIds } from '../../../database/shared';
import type { Call } from '../../../http/call';
import { ascending, type Listing, type RowOf, rows } from '../../../http/listing';
import { serializer } from '../../../http/serializer';
import { assignedTo } from '../../../rules/assigned';
import { isAssigned, slots, studentsHere } from '../../assignments/submissions/slots';
import { isFirstOfTeam } from '../../assignments/submissions/teams';
import { assignments } from '../../assignments/table';
import { enrollments } from '../../enrollments/table';
import { userDisplay } from '../../users/display';
import { users } from '../../users/table';
import type { Here } from '../context';
import type { submissions } from '../table';

type GradeableRow = RowOf<typeof users> & { readonly assignment_ids?: string };

export const gradeableStudent = serializer({
  resource: GradeableStudent,
  table: users,
  json: (row: GradeableRow, { origin }) => ({
    ...userDisplay(row, origin),
    assignment_ids: row.assignment_ids === undefined ? undefined : JSON.parse(row.assignment_ids),
  }),
});

const assigned = sql.raw('enrollments.user_id');

/** Active students whom the caller may grade, each once, by name. */
function students({ course, section }: Here, where: SQL, more: Partial<Listing> = {}): Listing<GradeableRow> {
  const { sections } = studentsHere(course, section);
  const inSections = (alias: string) =>
    sections ? sql` and ${sql.raw(alias)}.course_section_id in (${sharedIds('sections', sections)})` : sql``;
  const earlier = sql`select 1 from enrollments d where d.course_id = enrollments.course_id and d.type = 'StudentEnrollment' and d.enrollment_state = 'active' and d.user_id = enrollments.user_id and d.id < enrollments.id${inSections('d')}`;
  return rows(users, {
    from: enrollments,
    join: (select) => select.innerJoin(users, eq(users.id, enrollments.user_id)),
    where: and(
      eq(enrollments.course_id, course.id),
      sql`enrollments.type = 'StudentEnrollment' and enrollments.enrollment_state = 'active'${inSections('enrollments')} and not exists (${earlier})`,
      where,
    ),
    order: ascending(enrollments.sortable_name, enrollments.id),
    ...more,
  }) as Listing<GradeableRow>;
}

/** @param assignment a select of its id */
export const gradeableIn = (here: Here, assignment: SQL) =>
  students(here, sql`assignments.id = (${assignment}) and ${assignedTo(assigned)}`, {
    from: assignments,
    join: (select) => select.crossJoin(enrollments).innerJoin(users, eq(users.id, enrollments.user_id)),
  });

/** With the assignments in which each may be graded. */
export const gradeableInCourse = (here: Here, assignmentIds: readonly number[]) => {
  const those = and(
    sql`assignments.course_id = ${here.course.id} and assignments.workflow_state = 'published'`,
    among(sql`assignments.id`, assignmentIds),
    assignedTo(assigned),
  );
  const ids = sql`(select json_group_array(id) from (select assignments.id from assignments where ${those} order by assignments.id))`;
  return students(here, sql`exists (select 1 from assignments where ${those})`, { columns: { assignment_ids: ids.as('assignment_ids') } });
};

/** Counts of graded, ungraded and missing submissions. */
export const countGrading = ({ db }: Pick<Call, 'db'>, { course, section, now }: Here, assignment: SQL, isGrouped = false) =>
  db.build
    .select({
      total: sql<number>`count(*)`.as('total'),
      graded: sql<number>`coalesce(sum(excused or (workflow_state = 'graded' and graded_attempt is coalesce(attempt, 0))), 0)`.as('graded'),
      ungraded:
        sql<number>`coalesce(sum(not excused and submission_type is not null and (workflow_state <> 'graded' or graded_attempt is not attempt)), 0)`.as(
          'ungraded',
        ),
    })
    .from(
      slots(
        { course, now },
        studentsHere(course, section),
        and(sql`assignments.id = (${assignment})`, isAssigned, isGrouped ? isFirstOfTeam : undefined) as SQL,
      ) as typeof submissions,
    );
