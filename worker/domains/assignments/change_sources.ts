// Writes and times that change an assignment in the feed, and what blueprints record and lock of it. Items that embed an assignment are found when the
// change is sent (sync/showing.ts).

import { type BlueprintSource, courseScope, me, type ScheduleSource, type TriggerSource } from '../../database/triggers/source.ts';

export const assignmentSources: readonly TriggerSource[] = [
  // Staff see the number of ungraded submissions of active students.
  {
    table: 'enrollments',
    kind: 'assignment',
    columns: ['enrollment_state', 'course_id', 'course_section_id'],
    select:
      "select 'staff_' || s.course_id, 'assignment', s.assignment_id from submissions s where s.user_id = $.user_id and s.submission_type is not null and s.workflow_state <> 'deleted' and (s.score is null or s.graded_attempt is not s.attempt or s.workflow_state = 'pending_review')",
  },
  { table: 'assignments', kind: 'assignment', item: '$.id', scope: courseScope },
  { table: 'assignment_overrides', kind: 'assignment', item: '$.assignment_id', scope: courseScope },
  {
    table: 'assignment_override_students',
    kind: 'assignment',
    select: "select 'course_' || a.course_id, 'assignment', a.id from assignments a where a.id = $.assignment_id",
  },
  // Every submission changes the number to grade, for staff; for everyone else, only the first submission or grade matters:
  // the conditions are those of `has_submissions` and `has_grades`, so a graded student who submits again is no grade.
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
    when: `($.submission_type is not null and not exists (select 1 from submissions s where s.assignment_id = $.assignment_id and s.id <> $.id and s.submission_type is not null and s.workflow_state <> 'deleted'))
      or ($.graded_at is not null and not exists (select 1 from submissions s where s.assignment_id = $.assignment_id and s.id <> $.id and s.graded_at is not null and s.workflow_state = 'graded'))`,
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
  // A group override moves dates for users who join, and no longer for users who leave.
  {
    table: 'group_memberships',
    kind: 'assignment',
    columns: ['user_id', 'workflow_state'],
    select: `select 'user_' || $.user_id, 'assignment', o.assignment_id from groups g cross join assignments a on a.group_category_id = g.group_category_id
      join assignment_overrides o on o.assignment_id = a.id and o.workflow_state = 'active' and o.set_type = 'Group' and o.set_id = g.id where g.id = $.group_id`,
  },
];

const dates = ['unlock_at', 'lock_at', 'due_at'];

export const assignmentSchedule: readonly ScheduleSource[] = [
  { table: 'assignments', kind: 'assignment', item: '$.id', scope: courseScope, fields: dates },
  {
    table: 'assignment_overrides',
    kind: 'assignment',
    item: '$.assignment_id',
    scope: courseScope,
    fields: dates,
    prefix: "'override_' || $.id || '_' || ",
  },
];

export const assignmentBlueprint = {
  table: 'assignments',
  kind: 'assignment',
  course: '$.course_id',
  locks: {
    content: ['name', 'description'],
    points: ['points_possible'],
    due_dates: ['due_at'],
    availability_dates: ['unlock_at', 'lock_at'],
    state: ['workflow_state'],
  },
  derived: {
    points:
      "exists (select 1 from quizzes q where q.assignment_id = $.id and q.workflow_state <> 'deleted' and q.quiz_type <> 'graded_survey')",
  },
} as const satisfies BlueprintSource;
