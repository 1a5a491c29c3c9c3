// Writes that change an enrollment in the feed.

import { me, type TriggerSource } from '../../database/triggers/source.ts';

/** Columns in an enrollment's JSON, without sort keys. */
const shown = [
  'user_id',
  'course_id',
  'course_section_id',
  'type',
  'role_id',
  'observed_user_id',
  'enrollment_state',
  'sortable_name',
  'limit_privileges_to_course_section',
  'self_enrolled',
  'start_at',
  'end_at',
  'completed_at',
  'last_activity_at',
  'last_attended_at',
  'total_activity_time',
  'sis_import_id',
  'updated_at',
];

export const enrollmentSources: readonly TriggerSource[] = [
  {
    table: 'logins',
    kind: 'enrollment',
    columns: ['unique_id', 'sis_user_id', 'integration_id', 'sis_import_id', 'workflow_state'],
    select:
      "select 'user_' || e.user_id, 'enrollment', e.id from enrollments e where e.user_id = $.user_id and e.enrollment_state <> 'deleted'",
  },
  { table: 'enrollments', kind: 'enrollment', item: '$.id', scope: me, columns: shown },
  // A section that moves to another course takes its students out of the work of graders.
  {
    table: 'enrollments',
    kind: 'enrollment',
    as: 'moved_to_another_course',
    logs: 'the `enrollment` for the staff of its former course',
    events: ['update'],
    columns: ['course_id'],
    when: "$.type = 'StudentEnrollment'",
    isBefore: true,
    select: "select 'staff_' || $.course_id, 'enrollment', $.id where $.type = 'StudentEnrollment'",
  },
];
