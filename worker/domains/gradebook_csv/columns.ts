// Which columns the gradebook of a course has for a caller.

import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../database/open';
import { moderationOf } from '../../rules/moderated_grading';
import { assignments } from '../assignments/table';
import { custom_gradebook_columns } from '../custom_gradebook_columns/table';

/** A course has fewer. */
const most = 1500;

/** Published and graded; what students of the course see as a page or not at all is in no gradebook. */
export const isInGradebook: SQL = sql.raw(
  "assignments.workflow_state = 'published' and assignments.grading_type <> 'not_graded' and assignments.submission_types not like '%\"wiki_page\"%' and assignments.submission_types not like '%\"not_graded\"%'",
);

/** In the order of the gradebook: by group, then position. */
export const gradebookAssignments = ({ build }: Database, course_id: number) =>
  build
    .select({
      id: assignments.id,
      course_id: assignments.course_id,
      name: assignments.name,
      assignment_group_id: assignments.assignment_group_id,
      points_possible: assignments.points_possible,
      grading_type: assignments.grading_type,
      submission_types: assignments.submission_types,
      options: assignments.options,
      post_manually: assignments.post_manually,
      anonymize_students: assignments.anonymize_students,
      group_position:
        sql<number>`coalesce((select g.position from assignment_groups g where g.id = assignments.assignment_group_id), 0)`.as(
          'group_position',
        ),
      is_published_moderation: sql<number>`exists (select 1 from published_moderations p where p.assignment_id = assignments.id)`.as(
        'is_published_moderation',
      ),
    })
    .from(assignments)
    .where(sql`${assignments.course_id} = ${course_id} and ${isInGradebook}`)
    .orderBy(sql`group_position, ${assignments.assignment_group_id}, ${assignments.position}, ${assignments.id}`)
    .limit(most);

export type GradebookAssignment = Awaited<ReturnType<typeof gradebookAssignments>>[number];

export const gradebookGroups = ({ build }: Database, course_id: number) =>
  build.all<{ id: number; name: string }>(
    sql`select g.id, g.name from assignment_groups g where g.course_id = ${course_id} and g.workflow_state = 'available' order by g.position, g.id`,
  );

/** @param withHidden columns that the gradebook does not show */
export const gradebookCustomColumns = ({ build }: Database, course_id: number, withHidden: boolean) =>
  build
    .select()
    .from(custom_gradebook_columns)
    .where(
      sql`${custom_gradebook_columns.course_id} = ${course_id} and ${custom_gradebook_columns.workflow_state} = 'active'${withHidden ? sql`` : sql` and ${custom_gradebook_columns.hidden} = 0`}`,
    )
    .orderBy(custom_gradebook_columns.position, custom_gradebook_columns.id);

/** Why an assignment takes no grades from a file; undefined for one that does. */
export function refusalOf(
  {
    options,
    is_published_moderation,
    anonymize_students,
  }: Pick<GradebookAssignment, 'options' | 'is_published_moderation' | 'anonymize_students'>,
  seesNames: boolean,
): string | undefined {
  if (anonymize_students && !seesNames) return 'the students of the assignment are anonymous';
  if (moderationOf(options).moderated_grading && !is_published_moderation)
    return 'the grades of the assignment are moderated and not published';
  return undefined;
}
