// Assignments as clients see them: dates and locks as they bind who asks, includes read with the page.

import { Assignment } from '@carrel/shared/resources/assignment';
import type { Call } from '../../http/call';
import { serializer } from '../../http/serializer';
import { lockFields } from '../modules/lock_fields';
import { type Computed, computed } from './columns';
import { type AssignmentRow, plainFields } from './fields';
import { assignments } from './table';

export type { AssignmentRow } from './fields';
/** A row as a listing of the serializer reads it. */
export type ComputedRow = AssignmentRow & Computed;

const showsBaseDates = ({ tree }: Pick<Call, 'tree'>) => ['false', '0', false].includes(tree.override_assignment_dates as never);

export const assignment = serializer<ComputedRow, typeof Assignment>({
  resource: Assignment,
  table: assignments,
  columns: computed,
  json(row, call) {
    const { course } = call;
    const isStaff = row.as_staff === 1 || (course?.readsAsAdmin ?? false);
    const unlock_at = row.effective_unlock_at;
    const lock_at = row.effective_lock_at;
    const lock = isStaff
      ? { locked_for_user: false as const }
      : lockFields({ asset_string: `assignment_${row.id}`, unlock_at, lock_at }, call.now);
    const manages = course ? course.can('manage_assignments_edit') : row.as_staff === 1;
    const readsSis = course?.can('read_sis') ?? false;
    return {
      ...plainFields(row, call),
      description: lock.locked_for_user && !lock.lock_info?.can_view ? null : row.description,
      ...(!showsBaseDates(call) && { due_at: row.effective_due_at, unlock_at, lock_at }),
      ...lock,
      muted: row.is_hidden === 1,
      has_submitted_submissions: row.has_submissions === 1,
      graded_submissions_exist: row.has_grades === 1,
      unpublishable: manages ? row.has_submissions === 0 : undefined,
      has_overrides: manages ? row.has_overrides === 1 : undefined,
      needs_grading_count: row.to_grade ?? undefined,
      sis_assignment_id: readsSis ? row.sis_assignment_id : undefined,
      integration_id: readsSis ? row.integration_id : undefined,
      integration_data: readsSis ? (row.options.integration_data ?? {}) : undefined,
    };
  },
});
