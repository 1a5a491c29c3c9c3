// Writing assignments, as statements for one batch.

import { and, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import type { Database, Statement } from '../../database/open';
import { shared } from '../../database/shared';
import { duplicateLink } from '../../rules/copied_tool_links';
import { changeAssignments, removeAssignments } from '../../rules/graded_topics';
import { notifyOfInsert } from '../../rules/notify';
import { assignment_groups } from '../assignment_groups/table';
import { copyRubricUse } from '../rubrics/associations/writes';
import { refuseClosedDates } from './closed_periods';
import type { AssignmentGiven, valuesOf } from './input';
import { presentAssignments } from './policy';
import { assignment_overrides, assignments } from './table';

type Values = ReturnType<typeof valuesOf>;
interface Around {
  readonly db: Database;
  readonly course: CourseContext;
  readonly now: string;
}

/** The assignment inserted in this batch: ids only grow. */
export const newestAssignment = sql`(select max(id) from assignments)`;

const known = (course: CourseContext, id: number | undefined) =>
  sql`(select id from assignment_groups where id = ${id ?? 0} and course_id = ${course.id} and workflow_state = 'available')`;
const first = (course: CourseContext) =>
  sql`(select id from assignment_groups where course_id = ${course.id} and workflow_state = 'available' order by position, id limit 1)`;

/** A course without groups gets its first group with its first assignment. */
const someGroup = ({ db, course, now }: Around): Statement =>
  db.build
    .insert(assignment_groups)
    .select(
      sql`select null, ${course.id}, 'Assignments', 1, 0, null, '{}', '{}', 'available', ${shared('time', now)}, ${shared('time', now)} where not exists ${first(course)}`,
    );

/** Shifts every assignment of the group from a position on by one. */
const makeRoom = ({ db }: Around, group: SQL, position: number): Statement =>
  db.build
    .update(assignments)
    .set({ position: sql`position + 1` })
    .where(and(sql`assignments.assignment_group_id = ${group}`, presentAssignments, sql`assignments.position >= ${position}`));

const afterLast = (group: SQL) =>
  sql`coalesce((select max(position) from assignments where assignment_group_id = ${group} and ${presentAssignments}), 0) + 1`;

/** @throws Problem 403 for a due date in a closed grading period */
export function createAssignment(around: Around, values: Values, given: AssignmentGiven): Statement[] {
  const { db, course, now } = around;
  if (!values.only_visible_to_overrides) refuseClosedDates(course, [values.due_at ?? null], now);
  const group = sql`coalesce(${known(course, given.assignment_group_id)}, ${first(course)})`;
  const position = given.position === undefined ? undefined : Math.max(1, given.position);
  return [
    someGroup(around),
    ...(position === undefined ? [] : [makeRoom(around, group, position)]),
    db.build.insert(assignments).values({
      ...values,
      name: values.name ?? 'Assignment',
      points_possible: values.points_possible ?? 0,
      course_id: course.id,
      assignment_group_id: group,
      position: position ?? afterLast(group),
      lti_context_id: crypto.randomUUID(),
      created_at: now,
      updated_at: now,
    }),
    ...notifyOfInsert(db, assignments, now),
  ];
}

export function update(around: Around, id: number, values: Values, given: AssignmentGiven): Statement[] {
  const { db, course, now } = around;
  const own = sql`(select assignment_group_id from assignments where id = ${id})`;
  const group = sql`coalesce(${known(course, given.assignment_group_id)}, ${own})`;
  const position = given.position === undefined ? undefined : Math.max(1, given.position);
  const moves = given.assignment_group_id !== undefined;
  return [
    ...(position === undefined ? [] : [makeRoom(around, group, position)]),
    ...changeAssignments(
      db,
      sql`${id}`,
      {
        ...values,
        ...(moves && {
          assignment_group_id: group,
          ...(position === undefined && {
            position: sql`case when assignment_group_id = ${group} then position else ${afterLast(group)} end`,
          }),
        }),
        ...(position !== undefined && { position }),
        updated_at: now,
      },
      undefined,
      given.notify_of_update === false,
    ),
    ...(values.group_category_id === undefined ? [] : [endOtherSets(around, id, values.group_category_id)]),
  ];
}

/** When the group set changes, overrides for groups of the previous set are deleted. */
const endOtherSets = ({ db, now }: Around, id: number, set: number | null): Statement =>
  db.build
    .update(assignment_overrides)
    .set({ workflow_state: 'deleted', updated_at: now })
    .where(
      sql`${assignment_overrides.assignment_id} = ${id} and ${assignment_overrides.set_type} = 'Group' and ${assignment_overrides.workflow_state} = 'active' and ${assignment_overrides.group_category_id} is not ${set}`,
    );

export const deleteAssignment = ({ db, now }: Around, id: number): Statement[] => removeAssignments(db, sql`${id}`, now);

const notCopied = ['post_to_sis', 'integration_data', 'peer_review_count'];

/** The name of a copy: `Essay Copy`, then `Essay Copy 2`, until it is unused. */
export function copyName(name: string, taken: ReadonlySet<string>): string {
  const stem = `${name.replace(/ Copy( \d+)?$/, '').slice(0, 240)} Copy`;
  for (let at = 1; ; at += 1) {
    const candidate = at === 1 ? stem : `${stem} ${at}`;
    if (!taken.has(candidate)) return candidate;
  }
}

/** Duplicates an assignment directly after its source: unpublished, without overrides and submissions. */
export function duplicate(around: Around, source: typeof assignments.$inferSelect, name: string): Statement[] {
  const { id, ...copied } = source;
  const options = Object.fromEntries(Object.entries(source.options).filter(([key]) => !notCopied.includes(key)));
  const original = { original_course_id: source.course_id, original_assignment_id: id, original_assignment_name: source.name };
  return [
    makeRoom(around, sql`${source.assignment_group_id}`, source.position + 1),
    around.db.build.insert(assignments).values({
      ...copied,
      name,
      position: source.position + 1,
      options: { ...options, ...original },
      sis_assignment_id: null,
      integration_id: null,
      only_visible_to_overrides: false,
      lti_context_id: crypto.randomUUID(),
      workflow_state: 'unpublished',
      created_at: around.now,
      updated_at: around.now,
    }),
    copyRubricUse(around.db, id, newestAssignment, around.now),
    ...(source.submission_types.includes('external_tool') ? [duplicateLink(around.db, id, newestAssignment, around.now)] : []),
  ];
}
