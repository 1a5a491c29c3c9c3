// Changes caused by assignments and submissions. Items that embed an assignment are found when the change is sent (sync/window.ts).

import { courseScope, me, type TriggerSource } from './source.ts';

export const ofWork: readonly TriggerSource[] = [
  { table: 'assignment_groups', kind: 'assignment_group', item: '$.id', scope: courseScope },
  { table: 'assignments', kind: 'assignment', item: '$.id', scope: courseScope },
  { table: 'assignment_overrides', kind: 'assignment', item: '$.assignment_id', scope: courseScope },
  {
    table: 'assignment_override_students',
    kind: 'assignment',
    select: "select 'course_' || a.course_id, 'assignment', a.id from assignments a where a.id = $.assignment_id",
  },
  { table: 'submissions', kind: 'submission', item: '$.id', scope: me },
  // Every submission changes the number to grade, for staff; for everyone else, only the first submission or grade matters.
  {
    table: 'submissions',
    kind: 'assignment',
    item: '$.assignment_id',
    as: 'for_staff',
    logs: 'the `assignment` for staff',
    scope: "'staff_' || $.course_id",
    columns: ['submission_type', 'attempt', 'workflow_state', 'score', 'excused', 'graded_attempt', 'posted_at'],
  },
  {
    table: 'submissions',
    kind: 'assignment',
    item: '$.assignment_id',
    scope: courseScope,
    columns: ['submission_type', 'graded_at', 'posted_at', 'workflow_state'],
    when: `($.submission_type is not null and not exists (select 1 from submissions s where s.assignment_id = $.assignment_id and s.id <> $.id and s.submission_type is not null))
      or ($.graded_at is not null and not exists (select 1 from submissions s where s.assignment_id = $.assignment_id and s.id <> $.id and s.graded_at is not null))`,
  },
  {
    table: 'submissions',
    kind: 'assignment',
    item: '$.assignment_id',
    as: 'for_student',
    logs: 'the `assignment` for the student',
    scope: me,
    columns: ['graded_at', 'posted_at'],
  },
  {
    table: 'submission_comments',
    kind: 'submission',
    select: "select 'user_' || s.user_id, 'submission', s.id from submissions s where s.id = $.submission_id",
  },
];
