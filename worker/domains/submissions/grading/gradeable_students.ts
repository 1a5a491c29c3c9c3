// Gradeable students, and counts of graded submissions.

import { GradeableStudent } from '@carrel/shared/resources/submission_lists';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { anonymousAssignment } from '../../../contexts/anonymous_students';
import { idOf } from '../../../contexts/references';
import { among } from '../../../database/ids';
import { sharedIds } from '../../../database/shared';
import type { Call } from '../../../http/call';
import { ascending, type Listing, type RowOf, rows } from '../../../http/listing';
import { serializer } from '../../../http/serializer';
import { when } from '../../../http/when';
import { assignedTo } from '../../../rules/assigned';
import { submissionIdOf } from '../../../rules/submission_ids';
import { anonymousIdHere } from '../../assignments/submissions/anonymity';
import { provisionalGradesJson, provisionalGradesOf } from '../../assignments/submissions/provisional';
import { isAssigned, slots, studentsHere } from '../../assignments/submissions/slots';
import { isFirstOfTeam } from '../../assignments/submissions/teams';
import { assignments } from '../../assignments/table';
import { enrollments } from '../../enrollments/table';
import { userDisplay } from '../../users/display';
import { users } from '../../users/table';
import { anonymousOrderOf, type Here } from '../context';
import type { submissions } from '../table';

type ModeratedRow = {
  readonly slot_id?: number;
  readonly in_moderation_set?: number;
  readonly selected_provisional_grade_id?: number | null;
};

type GradeableRow = RowOf<typeof users> & ModeratedRow & { readonly assignment_ids?: string };

/** With `include[]=provisional_grades`, in the list of one assignment. */
const showsModeration = ({ include, course, path }: Call): boolean =>
  include.has('provisional_grades') && path.assignment_id !== undefined && (course?.can('manage_grades') ?? false);

/** The student's place in the moderation of the path's assignment. */
function moderationColumns({ path }: Call) {
  const slot = submissionIdOf(sql`(${idOf('assignment', path.assignment_id ?? '')})`, sql.raw('users.id'));
  const selection = (value: string) => sql`(select ${sql.raw(value)} from moderation_selections m where m.submission_id = ${slot})`;
  return {
    slot_id: slot.as('slot_id'),
    in_moderation_set: selection('1').as('in_moderation_set'),
    selected_provisional_grade_id: selection('m.provisional_grade_id').as('selected_provisional_grade_id'),
  };
}

export const gradeableStudent = serializer({
  resource: GradeableStudent,
  table: users,
  columns: (call) => (showsModeration(call) ? moderationColumns(call) : {}),
  also: (ids, call) => ({
    provisional: when(
      showsModeration(call),
      provisionalGradesOf(
        call,
        sql`select ${submissionIdOf(sql`(${idOf('assignment', call.path.assignment_id ?? '')})`, sql`s.id`)} from (${ids}) s`,
      ),
    ),
  }),
  json(row: GradeableRow, call, { provisional }) {
    const anonymous_id = anonymousIdHere(call, row.id);
    return {
      ...(anonymous_id === undefined ? userDisplay(row, call.origin) : { anonymous_id }),
      assignment_ids: row.assignment_ids === undefined ? undefined : JSON.parse(row.assignment_ids),
      ...(provisional && {
        in_moderation_set: row.in_moderation_set === 1,
        selected_provisional_grade_id: row.selected_provisional_grade_id ?? null,
        provisional_grades: provisionalGradesJson(provisional, row.slot_id ?? 0, call, anonymous_id !== undefined),
      }),
    };
  },
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
export const gradeableIn = (here: Parameters<typeof anonymousOrderOf>[0], assignment: SQL) =>
  students(here, sql`assignments.id = (${assignment}) and ${assignedTo(assigned)}`, {
    from: assignments,
    join: (select) => select.crossJoin(enrollments).innerJoin(users, eq(users.id, enrollments.user_id)),
    ...(anonymousAssignment(here.course, here.path.assignment_id) && {
      order: ascending(...anonymousOrderOf(here, sql`${enrollments.user_id}`), enrollments.id),
    }),
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
