// Changes caused by users, courses and enrollments: to themselves, and to items that name them.

import { contextScope, eventRowsOf, me, type TriggerSource, toParticipants } from './source.ts';

/** Authors are embedded in what they have written. */
const display = ['name', 'short_name', 'pronouns', 'avatar_url'];

const named = (kind: string, select: string, columns: readonly string[] = display, as?: string): TriggerSource => ({
  table: 'users',
  kind,
  ...(as && { as }),
  events: ['update'],
  columns,
  select,
});

/** Columns in an enrollment's JSON, without sort keys. */
const ofEnrollment = [
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

/** Courses that two participants of a conversation begin or cease to share. */
const threadsAmong = `select 'user_' || w.user_id, 'conversation', w.conversation_id from conversation_participants mine
    cross join conversation_participants other on other.conversation_id = mine.conversation_id and other.user_id <> mine.user_id
    cross join enrollments e on e.user_id = other.user_id and e.course_id = $.course_id
    cross join conversation_participants w on w.conversation_id = mine.conversation_id and w.user_id in (mine.user_id, other.user_id)
    where mine.user_id = $.user_id`;

/** Account notifications contain their author and the names of their roles. */
const announcing = (where: string): Pick<TriggerSource, 'select'> => ({
  select: `select 'accounts', 'account_notification', n.id from account_notifications n where ${where}`,
});

export const ofPeople: readonly TriggerSource[] = [
  { table: 'account_notifications', kind: 'account_notification', item: '$.id', scope: "'accounts'" },
  { table: 'closed_account_notifications', kind: 'account_notification', item: '$.account_notification_id', scope: me },
  { table: 'users', kind: 'account_notification', events: ['update'], columns: ['name'], ...announcing('n.user_id = $.id') },
  {
    table: 'roles',
    kind: 'account_notification',
    events: ['update'],
    columns: ['name'],
    ...announcing('exists (select 1 from json_each(n.role_ids) j where j.value = $.id)'),
  },
  { table: 'users', kind: 'user', item: '$.id', scope: "'user_' || $.id" },
  named('calendar_event', eventRowsOf("'user_' || $.id")),
  named(
    'discussion_topic',
    `select ${contextScope('t')}, 'discussion_topic', t.id from discussion_topics t where t.user_id = $.id and t.workflow_state <> 'deleted'`,
  ),
  named(
    'page',
    `select ${contextScope('p')}, 'page', p.id from pages p where p.last_edited_by_id = $.id and p.workflow_state <> 'deleted'`,
  ),
  named(
    'submission',
    "select 'user_' || s.user_id, 'submission', s.id from submissions s where s.id in (select c.submission_id from submission_comments c where c.author_id = $.id and c.workflow_state = 'active')",
  ),
  named('conversation', `${toParticipants('conversation_participants mine', 'mine.conversation_id')} where mine.user_id = $.id`),
  // Events contain the user's custom colours of contexts.
  named(
    'calendar_event',
    `select 'user_' || $.id, 'calendar_event', e.id from json_each(coalesce($.settings -> '$.custom_colors', '{}')) c
      join calendar_events e on e.workflow_state <> 'deleted' and (e.context_code = c.key or e.parent_event_id in (select o.id from calendar_events o where o.context_code = c.key and o.workflow_state <> 'deleted'))
      where c.value is not (old.settings -> '$.custom_colors' ->> c.key)`,
    ['settings'],
    'colors',
  ),
  { table: 'logins', kind: 'user', item: '$.user_id', scope: me },
  {
    table: 'logins',
    kind: 'enrollment',
    columns: ['sis_user_id', 'workflow_state'],
    select:
      "select 'user_' || e.user_id, 'enrollment', e.id from enrollments e where e.user_id = $.user_id and e.enrollment_state <> 'deleted'",
  },
  { table: 'communication_channels', kind: 'user', item: '$.user_id', scope: me },
  { table: 'courses', kind: 'course', item: '$.id', scope: "'course_' || $.id" },
  {
    table: 'courses',
    kind: 'calendar_event',
    events: ['update'],
    columns: ['name', 'friendly_name'],
    select: eventRowsOf("'course_' || $.id"),
  },
  {
    table: 'courses',
    kind: 'conversation',
    events: ['update'],
    columns: ['name'],
    select: `${toParticipants('conversations c', 'c.id')} where c.context_type = 'Course' and c.context_id = $.id and c.context_id is not null`,
  },
  {
    table: 'sections',
    kind: 'calendar_event',
    events: ['update'],
    columns: ['name'],
    select: `${eventRowsOf("'course_section_' || $.id")}
      union all select o.context_code, 'calendar_event', o.id from calendar_events o where o.workflow_state <> 'deleted' and o.id in (select e.parent_event_id from calendar_events e where e.context_code = 'course_section_' || $.id and e.workflow_state <> 'deleted')`,
  },
  {
    table: 'course_nicknames',
    kind: 'calendar_event',
    select:
      "select 'user_' || $.user_id, 'calendar_event', e.id from calendar_events e where e.context_code = 'course_' || $.course_id and e.workflow_state <> 'deleted'",
  },
  { table: 'course_nicknames', kind: 'course', item: '$.course_id', scope: me },
  { table: 'favorites', kind: 'course', item: '$.context_id', scope: me, when: "$.context_type = 'Course'" },
  { table: 'enrollments', kind: 'enrollment', item: '$.id', scope: me, columns: ofEnrollment },
  { table: 'enrollments', kind: 'conversation', columns: ['enrollment_state', 'course_id'], select: threadsAmong },
  {
    table: 'enrollments',
    kind: 'conversation',
    events: ['update'],
    columns: ['course_id'],
    isBefore: true,
    select: threadsAmong,
  },
  // Staff see the number of ungraded submissions of active students.
  {
    table: 'enrollments',
    kind: 'assignment',
    columns: ['enrollment_state', 'course_id', 'course_section_id'],
    select:
      "select 'staff_' || s.course_id, 'assignment', s.assignment_id from submissions s where s.user_id = $.user_id and s.submission_type is not null and s.workflow_state <> 'deleted' and (s.score is null or s.graded_attempt is not s.attempt or s.workflow_state = 'pending_review')",
  },
];
