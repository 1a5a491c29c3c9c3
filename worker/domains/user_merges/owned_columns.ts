// The columns that belong to a user and move with them in a merge, as data. Anything more complex than replacing an id has a file of its own.

export interface OwnedColumn {
  readonly table: string;
  /** The column with the user's id. */
  readonly column: string;
  /** Columns that identify the row among the user's rows. */
  readonly key: readonly string[];
  /** At most one row per user and key: if both have one, the destination's is kept and the source's is not moved. */
  readonly isOnce?: boolean;
  /** Restricts the source's rows (table alias `t`) when the column has no index; `$source` and `$destination` are the ids. */
  readonly where?: string;
  /** A conflicting row `d` of the destination, when it is not one with the same key. */
  readonly clash?: string;
  /** The column contains a context code. */
  readonly isCode?: boolean;
}

const rows = (table: string, rest: Partial<OwnedColumn> = {}): OwnedColumn => ({ table, column: 'user_id', key: ['id'], ...rest });
const once = (table: string, ...key: string[]): OwnedColumn => rows(table, { key, isOnce: true });

const topicsOfSource =
  "select o.id from discussion_topics o where o.context_type = 'Course' and o.context_id in (select e.course_id from enrollments e where e.user_id = $source)";
const inTheirTopics = `t.discussion_topic_id in (${topicsOfSource})`;
const inTheirThreads = 't.conversation_id in (select p.conversation_id from conversation_participants p where p.user_id = $source)';

export const ownedColumns: readonly OwnedColumn[] = [
  rows('logins'),
  rows('communication_channels', {
    clash: "d.type = t.type and lower(d.address) = lower(t.address) and d.workflow_state <> 'deleted' and t.workflow_state <> 'deleted'",
  }),
  once('push_tokens', 'token'),
  rows('tokens'),
  rows('admins', { clash: 'd.account_id = t.account_id and d.role_id = t.role_id' }),
  once('favorites', 'context_type', 'context_id'),
  rows('course_nicknames', { clash: 'd.course_id = t.course_id' }),
  rows('planner_notes', {
    clash:
      "t.workflow_state = 'active' and t.linked_object_id is not null and d.workflow_state = 'active' and d.linked_object_type = t.linked_object_type and d.linked_object_id = t.linked_object_id",
  }),
  rows('planner_overrides', { clash: 'd.plannable_type = t.plannable_type and d.plannable_id = t.plannable_id' }),
  rows('ignored_todos', { clash: 'd.asset_string = t.asset_string and d.purpose = t.purpose' }),
  once('hidden_stream_items', 'stream_id'),
  // Before the memberships, which the condition uses.
  rows('groups', { column: 'leader_id', where: 't.id in (select m.group_id from group_memberships m where m.user_id = $source)' }),
  rows('group_memberships', {
    clash: `t.workflow_state not in ('deleted', 'rejected') and d.workflow_state not in ('deleted', 'rejected') and (d.group_id = t.group_id
      or (d.group_category_id = t.group_category_id and (select coalesce(c.role, '') from group_categories c where c.id = t.group_category_id) not in ('communities', 'student_organized')))`,
  }),
  rows('calendar_events', { column: 'context_code', isCode: true, where: "t.workflow_state <> 'deleted'" }),
  rows('discussion_topics'),
  rows('discussion_entries', { where: inTheirTopics }),
  rows('discussion_topic_reads', { key: ['discussion_topic_id'], isOnce: true, where: inTheirTopics }),
  rows('discussion_entry_reads', { key: ['discussion_entry_id'], isOnce: true, where: inTheirTopics }),
  rows('polls'),
  rows('webhook_subscriptions'),
  // Before the sender's own rows, by which the others are found.
  rows('content_shares', {
    column: 'sender_id',
    where: "t.share_uuid in (select s.share_uuid from content_shares s where s.user_id = $source and s.kind = 'sent')",
  }),
  rows('content_shares', { clash: 'd.share_uuid = t.share_uuid and d.kind = t.kind' }),
  rows('outcome_results', {
    clash:
      'd.learning_outcome_id = t.learning_outcome_id and d.association_type = t.association_type and d.association_id = t.association_id and d.question_bank_id = t.question_bank_id',
  }),
  rows('live_assessment_results'),
  once('line_item_scores', 'line_item_id'),
  once('outcome_positions', 'course_id', 'learning_outcome_id'),
  once('poll_submissions', 'poll_session_id'),
  once('module_marks', 'item_id', 'mark'),
  once('module_progressions', 'module_id'),
  once('assignment_override_students', 'assignment_id'),
  rows('new_quiz_accommodations', { clash: 'd.course_id = t.course_id and d.new_quiz_id = t.new_quiz_id' }),
  rows('quiz_submissions', { clash: 'd.quiz_id = t.quiz_id' }),
  rows('submission_comments', { column: 'author_id' }),
  rows('rubric_assessments', {
    column: 'assessor_id',
    clash:
      "t.assessment_type = 'peer_review' and d.assessment_type = 'peer_review' and d.submission_id = t.submission_id and d.rubric_association_id = t.rubric_association_id",
  }),
  rows('assessment_requests', {
    column: 'assessor_id',
    clash: 'd.submission_id = t.submission_id',
    where: 't.submission_id % 67108864 <> $destination',
  }),
  // Before the participants, which the condition uses.
  rows('conversation_messages', { column: 'author_id', where: inTheirThreads }),
  rows('conversation_message_participants', {
    key: ['conversation_id', 'conversation_message_id'],
    isOnce: true,
    where: inTheirThreads,
  }),
  once('conversation_participants', 'conversation_id'),
  rows('conversation_batches'),
  // Links that would make users observe themselves are dropped (links.ts).
  { table: 'observers', column: 'observer_id', key: ['student_id'], isOnce: true, where: 't.student_id <> $destination' },
  { table: 'observers', column: 'student_id', key: ['observer_id'], isOnce: true, where: 't.observer_id <> $destination' },
  rows('eportfolios'),
  rows('bookmarks'),
  once('collaborators', 'collaboration_id'),
  once('custom_data', 'namespace'),
  rows('custom_gradebook_data', {
    key: ['column_id'],
    isOnce: true,
    where:
      't.column_id in (select k.id from custom_gradebook_columns k where k.course_id in (select e.course_id from enrollments e where e.user_id = $source))',
  }),
  rows('what_if_scores', {
    key: ['course_id', 'assignment_id'],
    isOnce: true,
    where: 't.course_id in (select e.course_id from enrollments e where e.user_id = $source)',
  }),
  rows('final_grade_overrides', {
    key: ['course_id', 'grading_period_id'],
    isOnce: true,
    where: 't.course_id in (select e.course_id from enrollments e where e.user_id = $source)',
  }),
  rows('closed_account_notifications', {
    key: ['account_notification_id'],
    isOnce: true,
    where: 't.account_notification_id in (select a.id from account_notifications a)',
  }),
  rows('observer_pairing_codes', { where: "t.workflow_state = 'active'" }),
];

/** Columns with a user's id that are not moved, with the reason: a test checks that every such column is listed here or above. */
export const stays: Readonly<Record<string, string>> = {
  'enrollments.user_id': 'enrollments.ts',
  'enrollments.observed_user_id': 'enrollments.ts',
  'enrollments.temporary_enrollment_source_user_id': 'names the replaced user',
  'submissions.user_id': 'submissions.ts',
  'submissions.grader_id': 'names the grader',
  'submissions.proxy_submitter_id': 'names the grader',
  'course_scores.user_id': 'computed from submissions, and marked as these move',
  'moderation_graders.user_id': 'names the grader',
  'final_grade_overrides.grader_id': 'names the grader',
  'late_policy_runs.user_id': 'a run that was queued when the user joined a course; enrollments that move queue their own',
  'submission_reads.user_id': 'submissions.ts',
  'rubric_assessments.user_id': 'submissions.ts',
  'rubrics.user_id': 'names the creator',
  'rubric_imports.user_id': 'names the requester',
  'outcome_imports.user_id': 'names the requester',
  'content_exports.user_id': 'names the requester, whose file it is for 30 days',
  'live_assessment_results.assessor_id': 'names the assessor',
  'gradebook_uploads.user_id': 'names the requester',
  'gradebook_upload_rows.user_id': 'kept for 30 days',
  'calendar_events.user_id': 'names the creator',
  'discussion_entries.editor_id': 'names the editor',
  'files.user_id': 'names the uploader',
  'media_tracks.user_id': 'names the author',
  'error_reports.user_id': 'names the author',
  'idempotency_keys.user_id': 'kept for two days',
  'live_users.user_id': 'an open socket',
  'progress.user_id': 'names the requester',
  'observer_pairing_codes.observer_id': 'names the user of the code',
  'account_notifications.user_id': 'names the author',
  'authentication_events.user_id': 'audit log',
  'authentication_events.real_user_id': 'names the real user',
  'authorization_codes.user_id': 'valid for ten minutes',
  'authorization_codes.real_user_id': 'names the real user',
  'collaborations.user_id': 'names the creator',
  'external_feeds.user_id': 'names the creator',
  'comm_messages.user_id': 'names the recipient',
  'developer_keys.user_id': 'names the creator',
  'page_views.user_id': 'audit log',
  'page_views.real_user_id': 'names the real user',
  'page_view_queries.user_id': 'names the requester',
  'user_accesses.user_id': 'of their own page views, an audit log',
  'masquerades.user_id': 'audit log',
  'masquerades.real_user_id': 'names the real user',
  'sis_imports.user_id': 'names the requester',
  'blueprint_migrations.user_id': 'names the requester',
  'course_copies.user_id': 'names the requester',
  'content_migrations.user_id': 'names the requester',
  'course_events.user_id': 'audit log',
  'grade_changes.student_id': 'audit log',
  'grade_changes.grader_id': 'names the grader',
  'course_students.user_id': 'kept by triggers of enrollments, with counts of their own page views',
  'student_weeks.user_id': 'of their own page views, an audit log',
  'acting.user_id': 'exists only within a batch',
  'account_reports.user_id': 'names the requester',
  'sessions.user_id': 'invalid once its user is merged',
  'sessions.real_user_id': 'names the real user',
  'tokens.real_user_id': 'names the real user',
  'users.merged_into_user_id': 'says where they went',
};
