// Which writes queue a notification, as data. `notify.ts` makes the statements, and the code of every write calls it.

export interface NotificationEvent {
  readonly notification: string;
  /** The table that is written. */
  readonly table: string;
  readonly on: 'insert' | 'update';
  /** For updates: only those that set one of these columns. */
  readonly columns?: readonly string[];
  /** A value that a column must have after the write. An update that sets it to another constant needs no statement. */
  readonly becomes?: Readonly<Record<string, string>>;
  /** SQL over the row after the write, `new`, and for updates over the row before it, `old`. */
  readonly when?: string;
  /** The subject, when it is another row that changes with this one: a join with it, and its id. */
  readonly subject?: { readonly join: string; readonly id: string };
  /** It reports an edit of what users know already, and a write can leave it out. */
  readonly isEdit?: true;
  /** SQL of the time before which nothing is sent; the time of the write when absent. */
  readonly not_before?: string;
}

const topics = (notification: string, kind: 0 | 1): NotificationEvent[] => {
  const isOfCourse = `new.context_type = 'Course' and new.is_announcement = ${kind} and new.root_topic_id is null`;
  const event = { notification, table: 'discussion_topics', becomes: { workflow_state: 'active' } };
  return [
    { ...event, on: 'insert', when: isOfCourse },
    {
      ...event,
      on: 'update',
      columns: ['workflow_state'],
      when: `${isOfCourse} and old.workflow_state in ('unpublished', 'post_delayed')`,
    },
  ];
};

/** A graded discussion and its assignment share name, text and publication, so that a write of one changes the other. */
const gradedDiscussions: readonly NotificationEvent[] = [
  {
    notification: 'new_discussion_topic',
    table: 'assignments',
    on: 'update',
    columns: ['workflow_state'],
    becomes: { workflow_state: 'published' },
    when: "old.workflow_state = 'unpublished'",
    subject: {
      join: "discussion_topics t on t.assignment_id = new.id and t.workflow_state = 'unpublished' and t.context_type = 'Course' and t.is_announcement = 0 and t.root_topic_id is null",
      id: 't.id',
    },
  },
  {
    notification: 'assignment_created',
    table: 'discussion_topics',
    on: 'update',
    columns: ['workflow_state'],
    when: "new.workflow_state not in ('unpublished', 'deleted') and old.workflow_state = 'unpublished'",
    subject: { join: "assignments a on a.id = new.assignment_id and a.workflow_state = 'unpublished'", id: 'a.id' },
  },
  {
    notification: 'assignment_changed',
    isEdit: true,
    table: 'discussion_topics',
    on: 'update',
    columns: ['title', 'message'],
    when: "new.workflow_state not in ('unpublished', 'deleted') and (new.title <> old.title or new.message is not old.message)",
    subject: {
      join: "assignments a on a.id = new.assignment_id and a.workflow_state = 'published' and (a.name <> new.title or a.description is not new.message)",
      id: 'a.id',
    },
  },
];

const isPosted = "new.workflow_state = 'graded' and new.posted_at is not null and new.score is not null";
const asksForNotification = "json_extract(m.options, '$.send_notification')";

/** The end of the last copy of a blueprint sync ends the sync. */
const blueprintSyncs: readonly NotificationEvent[] = [
  {
    notification: 'blueprint_content_added',
    table: 'course_copies',
    on: 'update',
    columns: ['workflow_state'],
    becomes: { workflow_state: 'completed' },
    when: "new.purpose = 'blueprint' and old.workflow_state <> 'completed'",
    subject: {
      join: `blueprint_imports i on i.copy_id = new.id join blueprint_migrations m on m.id = i.migration_id and ${asksForNotification}`,
      id: 'i.id',
    },
  },
  {
    notification: 'blueprint_sync_complete',
    table: 'course_copies',
    on: 'update',
    columns: ['workflow_state'],
    becomes: { workflow_state: 'completed' },
    when: "new.purpose = 'blueprint' and old.workflow_state <> 'completed'",
    subject: {
      join: `blueprint_imports i on i.copy_id = new.id join blueprint_migrations m on m.id = i.migration_id and m.workflow_state = 'imports_queued' and ${asksForNotification}
        and not exists (select 1 from blueprint_imports o where o.migration_id = m.id and o.id <> i.id and o.workflow_state in ('imports_queued', 'imports_failed'))`,
      id: 'm.id',
    },
  },
  {
    notification: 'blueprint_sync_complete',
    table: 'blueprint_migrations',
    on: 'update',
    columns: ['workflow_state'],
    becomes: { workflow_state: 'completed' },
    when: "old.workflow_state <> 'completed' and json_extract(new.options, '$.send_notification')",
  },
];

export const notificationEvents: readonly NotificationEvent[] = [
  ...topics('new_announcement', 1),
  ...topics('new_discussion_topic', 0),
  { notification: 'new_discussion_entry', table: 'discussion_entries', on: 'insert', becomes: { workflow_state: 'active' } },
  { notification: 'assignment_created', table: 'assignments', on: 'insert', becomes: { workflow_state: 'published' } },
  {
    notification: 'assignment_created',
    table: 'assignments',
    on: 'update',
    columns: ['workflow_state'],
    becomes: { workflow_state: 'published' },
    when: "old.workflow_state = 'unpublished'",
  },
  {
    notification: 'assignment_due_date_changed',
    isEdit: true,
    table: 'assignments',
    on: 'update',
    columns: ['due_at'],
    becomes: { workflow_state: 'published' },
    when: "old.workflow_state = 'published' and new.due_at is not old.due_at",
  },
  {
    notification: 'assignment_changed',
    isEdit: true,
    table: 'assignments',
    on: 'update',
    columns: ['name', 'description', 'points_possible'],
    becomes: { workflow_state: 'published' },
    when: "old.workflow_state = 'published' and (new.name <> old.name or new.description is not old.description or new.points_possible is not old.points_possible)",
  },
  ...gradedDiscussions,
  {
    notification: 'submission_graded',
    table: 'submissions',
    on: 'update',
    columns: ['score', 'posted_at'],
    when: `${isPosted} and (old.posted_at is null or new.score is not old.score)`,
  },
  {
    notification: 'submission_comment',
    table: 'submission_comments',
    on: 'insert',
    becomes: { workflow_state: 'active' },
    when: 'new.is_draft = 0',
  },
  { notification: 'peer_review_invitation', table: 'assessment_requests', on: 'insert', becomes: { workflow_state: 'assigned' } },
  {
    notification: 'peer_review_invitation',
    table: 'assessment_requests',
    on: 'update',
    columns: ['workflow_state'],
    becomes: { workflow_state: 'assigned' },
    when: "old.workflow_state = 'deleted'",
  },
  {
    notification: 'new_wiki_page',
    table: 'pages',
    on: 'insert',
    becomes: { workflow_state: 'active' },
    when: "new.context_type = 'Course'",
  },
  {
    notification: 'new_wiki_page',
    table: 'pages',
    on: 'update',
    columns: ['workflow_state'],
    becomes: { workflow_state: 'active' },
    when: "new.context_type = 'Course' and old.workflow_state = 'unpublished'",
  },
  {
    notification: 'updated_wiki_page',
    table: 'pages',
    on: 'update',
    columns: ['body'],
    becomes: { workflow_state: 'active' },
    when: "new.context_type = 'Course' and old.workflow_state = 'active' and new.body is not old.body",
  },
  {
    notification: 'new_file_added',
    table: 'files',
    on: 'update',
    columns: ['workflow_state'],
    becomes: { workflow_state: 'available' },
    when: "new.context_type = 'Course' and old.workflow_state = 'pending' and new.is_submitted = 0",
  },
  { notification: 'conversation_message', table: 'conversation_messages', on: 'insert', when: 'new.generated = 0' },
  { notification: 'added_to_conversation', table: 'conversation_messages', on: 'insert', when: 'new.generated = 1' },
  { notification: 'enrollment_invitation', table: 'enrollments', on: 'insert', becomes: { enrollment_state: 'invited' } },
  {
    notification: 'enrollment_invitation',
    table: 'enrollments',
    on: 'update',
    columns: ['enrollment_state'],
    becomes: { enrollment_state: 'invited' },
    when: "old.enrollment_state = 'creation_pending'",
  },
  {
    notification: 'new_event_created',
    table: 'calendar_events',
    on: 'insert',
    becomes: { workflow_state: 'active' },
    when: "new.context_code like 'course%'",
  },
  ...blueprintSyncs,
  { notification: 'account_notification', table: 'account_notifications', on: 'insert', not_before: 'new.start_at' },
];
