// Assignment groups: every endpoint, in the order of the API reference.

import { bool, idField, int, json, listOf, number, object, optional, text } from '@carrel/shared/wire/fields';
import { and, eq, ne, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { limitOf } from '../../database/at_most';
import type { Database } from '../../database/open';
import { shared } from '../../database/shared';
import type { Call } from '../../http/call';
import { del, get, post, put } from '../../http/endpoint';
import { ascending, rows } from '../../http/listing';
import { badParameter, found, invalid, unauthorized } from '../../http/problem';
import { list, one, row, write } from '../../http/reply';
import { changeAssignments, removeAssignments } from '../../rules/graded_topics';
import { isAssignmentClosed } from '../../rules/grading_periods';
import { assignmentIncludes } from '../assignments/includes';
import { assignments } from '../assignments/table';
import { isSameRules, keptRules, type RulesGiven, refusalOfRules } from './drop_rules';
import { assignmentGroup } from './json';
import { onlyAssignmentGroup, presentAssignmentGroups } from './policy';
import { positionAt } from './positions';
import { assignment_groups } from './table';

export const about = { title: 'Assignment groups', description: 'Groups of assignments with their weights and drop rules.' };

const groups = '/courses/:course_id/assignment_groups';
/** `assignments`, and the includes of assignments. */
const include = ['assignments', 'discussion_topic', ...assignmentIncludes] as const;
const wanted = {
  assignment_ids: optional(listOf(idField('assignment'))),
  exclude_assignment_submission_types: optional(listOf(text)),
  override_assignment_dates: optional(bool),
  exclude_response_fields: optional(listOf(text)),
  grading_period_id: optional(idField('grading_period')),
  scope_assignments_to_student: optional(bool),
};
const editable = {
  name: optional(text),
  position: optional(int),
  group_weight: optional(number),
  rules: optional(object({ drop_lowest: optional(int), drop_highest: optional(int), never_drop: optional(listOf(idField('assignment'))) })),
  sis_source_id: optional(text),
  integration_data: optional(json),
};

/** @throws Problem 400 unless it is an object; null and blank clear it */
function integrationDataOf(given: unknown): Record<string, unknown> | undefined {
  if (given === undefined) return undefined;
  if (given === null || given === '') return {};
  if (typeof given !== 'object' || Array.isArray(given)) throw badParameter('integration_data', 'is not an object');
  return given as Record<string, unknown>;
}

/** @param id the group that is to be moved, which does not count */
const lastPosition = (course: CourseContext, id = 0) =>
  sql`select max(position) from assignment_groups where ${presentAssignmentGroups(course)} and ${ne(assignment_groups.id, id)}`;

/** The group, the ids of its assignments, whether any of them is in a closed grading period, and the group that takes them over on delete. */
async function load({ db, now }: Pick<Call, 'db' | 'now'>, course: CourseContext, id: number, targetId = id) {
  const [groupRows, targets, members, closed] = await db.perform([
    db.build.select().from(assignment_groups).where(onlyAssignmentGroup(course, id)),
    db.build.select({ id: assignment_groups.id }).from(assignment_groups).where(onlyAssignmentGroup(course, targetId)),
    db.build
      .select({ id: assignments.id })
      .from(assignments)
      .where(and(eq(assignments.assignment_group_id, id), ne(assignments.workflow_state, 'deleted'))),
    db.build
      .select({ id: assignments.id })
      .from(assignments)
      .where(
        and(
          eq(assignments.assignment_group_id, id),
          ne(assignments.workflow_state, 'deleted'),
          isAssignmentClosed(shared('course', course.id), now),
        ),
      )
      .limit(limitOf(1)),
  ]);
  found(targets[0]);
  return { group: found(groupRows[0]), memberIds: members.map((member) => member.id), isClosed: closed.length > 0 };
}

/** The last position among the assignments of a group, as it was before the statement. */
const lastIn = (group: number) =>
  sql`(select coalesce(max(placed.position), 0) from assignments placed where placed.assignment_group_id = ${group} and placed.workflow_state <> 'deleted')`;

/** @throws Problem 404 for a period of another course */
function checkPeriod({ grading: { periods } }: CourseContext, id: number | undefined): void {
  if (id !== undefined) found(periods.find((period) => period.id === id));
}

function checkRules(given: RulesGiven | undefined, memberIds: readonly number[]) {
  const refusal = given && refusalOfRules(given, memberIds);
  if (refusal) throw invalid('rules', 'invalid', refusal);
}

/** Shifts every group from a position on by one. */
const makeRoom = (db: Database, course: CourseContext, position: number) =>
  db.build
    .update(assignment_groups)
    .set({ position: sql`position + 1` })
    .where(and(presentAssignmentGroups(course), sql`position >= ${position}`));

export const assignmentGroupRoutes = [
  get(
    groups,
    { can: 'read', params: wanted, include, returns: [assignmentGroup], summary: 'List assignment groups' },
    ({ course, params }) => {
      checkPeriod(course, params.grading_period_id);
      return list(
        rows(assignment_groups, {
          where: presentAssignmentGroups(course),
          order: ascending(assignment_groups.position, assignment_groups.id),
        }),
      );
    },
  ),

  get(
    `${groups}/:id`,
    { can: 'read', params: wanted, include, returns: assignmentGroup, summary: 'Get an assignment group' },
    ({ course, id, params }) => {
      checkPeriod(course, params.grading_period_id);
      return one(rows(assignment_groups, { where: onlyAssignmentGroup(course, id) }));
    },
  ),

  post(
    groups,
    { can: 'manage_assignments_add', params: editable, returns: assignmentGroup, summary: 'Create an assignment group' },
    ({ db, course, params, now }) => {
      checkRules(params.rules, []);
      return write(
        [
          ...(params.position === undefined ? [] : [makeRoom(db, course, params.position)]),
          db.build.insert(assignment_groups).values({
            course_id: course.id,
            name: params.name || 'Assignments',
            position: positionAt(params.position, lastPosition(course)),
            group_weight: params.group_weight ?? 0,
            sis_source_id: course.can('manage_sis') ? params.sis_source_id : undefined,
            integration_data: integrationDataOf(params.integration_data) ?? {},
            rules: keptRules(params.rules ?? {}),
            created_at: now,
            updated_at: now,
          }),
        ],
        one(rows(assignment_groups, { where: eq(assignment_groups.id, sql`last_insert_rowid()`) })),
      );
    },
  ),

  put(
    `${groups}/:id`,
    { can: 'manage_assignments_edit', params: editable, include, returns: assignmentGroup, summary: 'Update an assignment group' },
    async ({ db, course, id, params, now }) => {
      const { group: before, memberIds, isClosed } = await load({ db, now }, course, id);
      checkRules(params.rules, memberIds);
      const rules = params.rules && keptRules(params.rules);
      const changesScores =
        (params.group_weight !== undefined && params.group_weight !== before.group_weight) ||
        (rules !== undefined && !isSameRules(rules, before.rules));
      if (isClosed && changesScores && !course.isAdmin) throw unauthorized();
      const moves = params.position !== undefined && params.position !== before.position;
      return write(
        [
          ...(moves && params.position !== undefined ? [makeRoom(db, course, params.position)] : []),
          db.build
            .update(assignment_groups)
            .set({
              name: params.name || undefined,
              position: moves ? positionAt(params.position, lastPosition(course, id)) : undefined,
              group_weight: params.group_weight,
              sis_source_id: course.can('manage_sis') ? params.sis_source_id : undefined,
              integration_data: integrationDataOf(params.integration_data),
              rules,
              updated_at: now,
            })
            .where(onlyAssignmentGroup(course, id)),
        ],
        one(rows(assignment_groups, { where: onlyAssignmentGroup(course, id) })),
      );
    },
  ),

  del(
    `${groups}/:id`,
    {
      can: 'manage_assignments_delete',
      params: { move_assignments_to: optional(idField('assignment_group')), move_assignment_to: optional(idField('assignment_group')) },
      returns: assignmentGroup,
      summary: 'Delete an assignment group',
    },
    async ({ db, course, id, params, now }) => {
      const target = params.move_assignments_to ?? params.move_assignment_to;
      if (target === id) throw invalid('move_assignments_to', 'invalid', 'is the group that is to be deleted');
      const { group: gone, isClosed } = await load({ db, now }, course, id, target);
      if (isClosed && !course.isAdmin) throw unauthorized();
      const members = sql`select a.id from assignments a where a.assignment_group_id = ${id} and a.workflow_state <> 'deleted'`;
      return write(
        [
          ...(target === undefined
            ? removeAssignments(db, members, now)
            : changeAssignments(db, members, {
                assignment_group_id: target,
                position: sql`position + ${lastIn(target)}`,
                updated_at: now,
              })),
          db.build.update(assignment_groups).set({ workflow_state: 'deleted', updated_at: now }).where(onlyAssignmentGroup(course, id)),
        ],
        row(gone),
      );
    },
  ),
];
