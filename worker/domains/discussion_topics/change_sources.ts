// Writes and times that change a discussion topic in the feed, and what blueprints record and lock of it.

import {
  type BlueprintSource,
  context,
  contextScope,
  courseContent,
  me,
  type ScheduleSource,
  showingUser,
  type TriggerSource,
} from '../../database/triggers/source.ts';

const rootOf = (id: string) => `select ${contextScope('r')}, 'discussion_topic', r.id from discussion_topics r where r.id = ${id}`;
const ownRootOf = (topic: string) =>
  `select 'user_' || $.user_id, 'discussion_topic', t.root_topic_id from discussion_topics t where ${topic} and t.root_topic_id is not null`;

export const discussionTopicSources: readonly TriggerSource[] = [
  showingUser(
    'discussion_topic',
    `select ${contextScope('t')}, 'discussion_topic', t.id from discussion_topics t where t.user_id = $.id and t.workflow_state <> 'deleted'`,
  ),
  { table: 'discussion_topics', kind: 'discussion_topic', item: '$.id', scope: context },
  {
    table: 'discussion_entries',
    kind: 'discussion_topic',
    select:
      "select lower(t.context_type) || '_' || t.context_id, 'discussion_topic', t.id from discussion_topics t where t.id = $.discussion_topic_id",
  },
  { table: 'discussion_topic_reads', kind: 'discussion_topic', item: '$.discussion_topic_id', scope: me },
  // A root topic shows its group topics: which exist, whether there are entries, and subscriptions.
  {
    table: 'discussion_topics',
    kind: 'discussion_topic',
    as: 'root',
    logs: 'the `discussion_topic` of the course',
    columns: ['workflow_state', 'entry_count'],
    when: '$.root_topic_id is not null',
    select: rootOf('$.root_topic_id'),
  },
  {
    table: 'discussion_topic_reads',
    kind: 'discussion_topic',
    as: 'root',
    logs: 'the `discussion_topic` of the course',
    columns: ['subscribed'],
    select: ownRootOf('t.id = $.discussion_topic_id'),
  },
  {
    table: 'discussion_entries',
    kind: 'discussion_topic',
    as: 'root',
    logs: 'the `discussion_topic` of the course',
    columns: ['workflow_state'],
    select: ownRootOf('t.id = $.discussion_topic_id'),
  },
  {
    table: 'group_memberships',
    kind: 'discussion_topic',
    columns: ['user_id', 'workflow_state'],
    select: ownRootOf("t.context_type = 'Group' and t.context_id = $.group_id"),
  },
  { table: 'discussion_entry_reads', kind: 'discussion_topic', item: '$.discussion_topic_id', scope: me },
];

export const discussionTopicSchedule: readonly ScheduleSource[] = [
  { table: 'discussion_topics', kind: 'discussion_topic', item: '$.id', scope: context, fields: ['delayed_post_at', 'lock_at'] },
];

export const discussionTopicBlueprint = {
  table: 'discussion_topics',
  kind: 'discussion_topic',
  ...courseContent,
  // Replies also change a topic's columns.
  noted: [
    'title',
    'message',
    'discussion_type',
    'pinned',
    'locked',
    'delayed_post_at',
    'lock_at',
    'todo_date',
    'require_initial_post',
    'allow_rating',
    'only_graders_can_rate',
    'sort_by_rating',
    'podcast_enabled',
    'podcast_has_student_posts',
    'assignment_id',
    'attachment_id',
    'section_ids',
    'sort_order',
    'sort_order_locked',
    'expanded',
    'expanded_locked',
    'workflow_state',
  ],
  locks: { content: ['title', 'message'], availability_dates: ['delayed_post_at', 'lock_at'], state: ['workflow_state'] },
} as const satisfies BlueprintSource;
