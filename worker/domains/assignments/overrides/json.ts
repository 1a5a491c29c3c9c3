// Overrides as clients see them: a date is present only when it is overridden.

import { AssignmentOverride } from '@carrel/shared/resources/assignment_override';
import { asc, type SQL } from 'drizzle-orm';
import { isInSelect } from '../../../database/ids';
import type { Database } from '../../../database/open';
import type { Call } from '../../../http/call';
import type { RowOf } from '../../../http/listing';
import { serializer } from '../../../http/serializer';
import { allDay } from '../dates/midnight';
import { assignment_override_students, assignment_overrides } from '../table';

export type OverrideRow = RowOf<typeof assignment_overrides>;

/** Reads the names of the targets of these overrides. */
export const namedBy = (db: Database, ids: SQL) =>
  db.build
    .select({ assignment_override_id: assignment_override_students.assignment_override_id, user_id: assignment_override_students.user_id })
    .from(assignment_override_students)
    .where(isInSelect(assignment_override_students.assignment_override_id, ids))
    .orderBy(asc(assignment_override_students.user_id));

/** Days are in the course's time zone. */
export const contextZoneOf = ({
  course,
  group,
  institution,
}: Pick<Call, 'course' | 'institution'> & { readonly group?: Call['group'] }): string =>
  (course ?? group?.course)?.time_zone ?? institution.root.default_time_zone;

const targets = {
  ADHOC: () => ({}),
  CourseSection: (id: number) => ({ course_section_id: id }),
  Group: (id: number, { group_category_id }: OverrideRow) => ({
    group_id: id,
    group_category_id: group_category_id ?? undefined,
    non_collaborative: false,
  }),
  Course: (id: number) => ({ course_id: id }),
};

export const assignmentOverrideJson = (row: OverrideRow, student_ids: readonly number[], zone: string) => ({
  id: row.id,
  assignment_id: row.assignment_id,
  title: row.title,
  unassign_item: row.unassign_item,
  ...(row.set_type === 'ADHOC' ? { student_ids } : targets[row.set_type](row.set_id ?? 0, row)),
  ...(row.due_at_overridden && { due_at: row.due_at, ...allDay(row.due_at, zone) }),
  ...(row.unlock_at_overridden && { unlock_at: row.unlock_at }),
  ...(row.lock_at_overridden && { lock_at: row.lock_at }),
});

export const assignmentOverride = serializer({
  resource: AssignmentOverride,
  table: assignment_overrides,
  also: (ids, { db }) => ({ named: namedBy(db, ids) }),
  json: (row: OverrideRow, call, { named }) =>
    assignmentOverrideJson(
      row,
      named.filter((one) => one.assignment_override_id === row.id).map((one) => one.user_id),
      contextZoneOf(call),
    ),
});
