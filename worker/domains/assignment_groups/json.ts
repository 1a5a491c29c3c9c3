// Assignment groups as clients see them. All includes are read in the same round trip, never per row.

import { AssignmentGroup } from '@carrel/shared/resources/assignment_group';
import { and, not, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { among, isInSelect } from '../../database/ids';
import type { Call } from '../../http/call';
import { ascending, type RowOf, rows } from '../../http/listing';
import { embed, serializer } from '../../http/serializer';
import { effectiveDate } from '../../rules/assigned';
import { isAssignmentIn, isDateIn } from '../../rules/grading_periods';
import { assignment } from '../assignments/json';
import { visibleAssignments } from '../assignments/policy';
import { assignments } from '../assignments/table';
import { overridesSeen } from '../assignments/viewpoint';
import { assignmentWithTopic } from '../discussion_topics/topic_of_assignment';
import { assignment_groups } from './table';

export type AssignmentGroupRow = RowOf<typeof assignment_groups>;

/** What a listing of groups includes for their assignments. */
export interface MembersWanted {
  readonly assignment_ids?: readonly number[];
  readonly exclude_assignment_submission_types?: readonly string[];
  readonly grading_period_id?: number;
  /** The period of the caller's own due date counts, not that of any student's. */
  readonly scope_assignments_to_student?: boolean;
}

const holdsOneOf = (types: readonly string[]) =>
  sql`exists (select 1 from json_each(${assignments.submission_types}) t where ${among(sql`t.value`, types)})`;

/** Filters by period. */
const inPeriod = (period: number, call: Call): SQL =>
  (call.params as MembersWanted).scope_assignments_to_student && call.course?.participates
    ? isDateIn(effectiveDate('due_at', overridesSeen(call), call.now), period)
    : isAssignmentIn(period);

const assignmentsOf = (course: CourseContext, groupIds: SQL, call: Call) => {
  const { assignment_ids, exclude_assignment_submission_types: excluded, grading_period_id: period } = call.params as MembersWanted;
  return rows(assignments, {
    where: and(
      isInSelect(assignments.assignment_group_id, groupIds),
      visibleAssignments(course, call),
      assignment_ids?.length ? among(assignments.id, assignment_ids) : undefined,
      excluded?.length ? not(holdsOneOf(excluded)) : undefined,
      period === undefined ? undefined : inPeriod(period, call),
    ),
    order: ascending(assignments.position, assignments.id),
  });
};

export const assignmentGroup = serializer({
  resource: AssignmentGroup,
  table: assignment_groups,
  also: (ids, call) => ({
    assignments:
      call.include.has('assignments') && call.course
        ? embed(call.include.has('discussion_topic') ? assignmentWithTopic : assignment, assignmentsOf(call.course, ids, call))
        : undefined,
  }),
  json: (group: AssignmentGroupRow, { course }, { assignments: all }) => ({
    ...group,
    sis_source_id: course?.can('read_sis') ? group.sis_source_id : undefined,
    ...(all && {
      assignments: all.filter(({ row }) => row.assignment_group_id === group.id).map(({ json }) => json),
      any_assignment_in_closed_grading_period: all.some(({ row }) => row.assignment_group_id === group.id && row.is_closed === 1),
    }),
  }),
});
