// Queues notifications: one row, processed within a minute, in the same write as the event.

import { now } from './now.ts';
import { trigger } from './trigger.ts';

interface Source {
  readonly notification: string;
  readonly table: string;
  readonly event: 'insert' | 'update';
  /** For updates: only of these columns. */
  readonly columns?: readonly string[];
  readonly when: string;
  readonly item?: string;
  readonly not_before?: string;
  /** Also during course copies. */
  readonly always?: true;
}

const topics = (notification: string, kind: string): Source[] => {
  const told = `new.context_type = 'Course' and new.is_announcement = ${kind} and new.workflow_state = 'active' and new.root_topic_id is null`;
  return [
    { notification, table: 'discussion_topics', event: 'insert', when: told },
    {
      notification,
      table: 'discussion_topics',
      event: 'update',
      columns: ['workflow_state'],
      when: `${told} and old.workflow_state in ('unpublished', 'post_delayed')`,
    },
  ];
};

const isTold = "new.workflow_state = 'graded' and new.posted_at is not null and new.score is not null";

const sources: readonly Source[] = [
  ...topics('new_announcement', '1'),
  ...topics('new_discussion_topic', '0'),
  { notification: 'new_discussion_entry', table: 'discussion_entries', event: 'insert', when: "new.workflow_state = 'active'" },
  { notification: 'assignment_created', table: 'assignments', event: 'insert', when: "new.workflow_state = 'published'" },
  {
    notification: 'assignment_created',
    table: 'assignments',
    event: 'update',
    columns: ['workflow_state'],
    when: "new.workflow_state = 'published' and old.workflow_state = 'unpublished'",
  },
  {
    notification: 'assignment_due_date_changed',
    table: 'assignments',
    event: 'update',
    columns: ['due_at'],
    when: "new.workflow_state = 'published' and old.workflow_state = 'published' and new.due_at is not old.due_at",
  },
  {
    notification: 'assignment_changed',
    table: 'assignments',
    event: 'update',
    columns: ['name', 'description', 'points_possible'],
    when: "new.workflow_state = 'published' and old.workflow_state = 'published' and (new.name <> old.name or new.description is not old.description or new.points_possible is not old.points_possible)",
  },
  { notification: 'submission_graded', table: 'submissions', event: 'insert', when: isTold },
  {
    notification: 'submission_graded',
    table: 'submissions',
    event: 'update',
    columns: ['score', 'posted_at'],
    when: `${isTold} and (old.posted_at is null or new.score is not old.score)`,
  },
  {
    notification: 'submission_comment',
    table: 'submission_comments',
    event: 'insert',
    when: "new.is_draft = 0 and new.workflow_state = 'active'",
  },
  { notification: 'new_wiki_page', table: 'pages', event: 'insert', when: "new.context_type = 'Course' and new.workflow_state = 'active'" },
  {
    notification: 'new_wiki_page',
    table: 'pages',
    event: 'update',
    columns: ['workflow_state'],
    when: "new.context_type = 'Course' and new.workflow_state = 'active' and old.workflow_state = 'unpublished'",
  },
  {
    notification: 'updated_wiki_page',
    table: 'pages',
    event: 'update',
    columns: ['body'],
    when: "new.context_type = 'Course' and new.workflow_state = 'active' and old.workflow_state = 'active' and new.body is not old.body",
  },
  {
    notification: 'new_file_added',
    table: 'files',
    event: 'update',
    columns: ['workflow_state'],
    when: "new.context_type = 'Course' and new.workflow_state = 'available' and old.workflow_state = 'pending' and new.is_submitted = 0",
  },
  { notification: 'conversation_message', table: 'conversation_messages', event: 'insert', when: 'new.generated = 0' },
  { notification: 'added_to_conversation', table: 'conversation_messages', event: 'insert', when: 'new.generated = 1' },
  { notification: 'enrollment_invitation', table: 'enrollments', event: 'insert', when: "new.enrollment_state = 'invited'" },
  {
    notification: 'enrollment_invitation',
    table: 'enrollments',
    event: 'update',
    columns: ['enrollment_state'],
    when: "new.enrollment_state = 'invited' and old.enrollment_state = 'creation_pending'",
  },
  {
    notification: 'new_event_created',
    table: 'calendar_events',
    event: 'insert',
    when: "new.workflow_state = 'active' and new.context_code like 'course%'",
  },
  {
    notification: 'blueprint_sync_complete',
    table: 'blueprint_migrations',
    event: 'update',
    columns: ['workflow_state'],
    when: "new.workflow_state = 'completed' and old.workflow_state <> 'completed' and json_extract(new.options, '$.send_notification')",
    always: true,
  },
  {
    notification: 'blueprint_content_added',
    table: 'blueprint_imports',
    event: 'update',
    columns: ['workflow_state'],
    when: "new.workflow_state = 'completed' and old.workflow_state <> 'completed' and exists (select 1 from blueprint_migrations m where m.id = new.migration_id and json_extract(m.options, '$.send_notification'))",
    always: true,
  },
  { notification: 'account_notification', table: 'account_notifications', event: 'insert', when: '1', not_before: 'new.start_at' },
];

/** A notification that is already queued is not queued again. */
export const happeningTriggers = sources.map(({ notification, table, event, columns, when, not_before = now, always }) =>
  trigger({
    on: table,
    name: `notify_${notification}_${event}`,
    event,
    ...(columns && { of: columns }),
    when: `(${when})${always ? '' : ' and not exists (select 1 from course_copying c where c.id = 1)'}`,
    run: [
      `insert into happenings (notification, item_id, not_before) select '${notification}', new.id, ${not_before}
    where not exists (select 1 from happenings h where h.notification = '${notification}' and h.item_id = new.id);`,
    ],
    purpose: `Queue the notification \`${notification}\`.`,
  }),
);
