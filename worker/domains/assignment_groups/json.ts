// Assignment groups as clients see them: whatever is included is read in the same round trip, never once per row.

import { AssignmentGroup } from '@carrel/shared/resources/assignment_group';
import { and, type SQL } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { within } from '../../database/ids';
import type { Call } from '../../http/call';
import { ascending, type RowOf, rows } from '../../http/listing';
import { embed, serializer } from '../../http/serializer';
import { assignment } from '../assignments/json';
import { visible } from '../assignments/policy';
import { assignments } from '../assignments/table';
import { assignment_groups } from './table';

export type AssignmentGroupRow = RowOf<typeof assignment_groups>;

const assignmentsOf = (course: CourseContext, groupIds: SQL, call: Call) =>
  rows(assignments, {
    where: and(within(assignments.assignment_group_id, groupIds), visible(course, call)),
    order: ascending(assignments.position, assignments.id),
  });

export const assignmentGroup = serializer({
  resource: AssignmentGroup,
  table: assignment_groups,
  also: (ids, call) => ({
    assignments: call.include.has('assignments') && call.course ? embed(assignment, assignmentsOf(call.course, ids, call)) : undefined,
  }),
  json: (group: AssignmentGroupRow, { course }, { assignments: all }) => ({
    ...group,
    sis_source_id: course?.can('read_sis') ? group.sis_source_id : undefined,
    ...(all && {
      assignments: all.filter(({ row }) => row.assignment_group_id === group.id).map(({ json }) => json),
      any_assignment_in_closed_grading_period: false,
    }),
  }),
});
