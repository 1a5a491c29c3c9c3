// Changes caused by discussions and conversations.

import { context, contextScope, holders, me, type TriggerSource } from './source.ts';

const rootOf = (id: string) => `select ${contextScope('r')}, 'discussion_topic', r.id from discussion_topics r where r.id = ${id}`;
const ownRootOf = (topic: string) =>
  `select 'user_' || $.user_id, 'discussion_topic', t.root_topic_id from discussion_topics t where ${topic} and t.root_topic_id is not null`;

export const ofTalk: readonly TriggerSource[] = [
  { table: 'discussion_topics', kind: 'discussion_topic', item: '$.id', scope: context },
  {
    table: 'discussion_topics',
    kind: 'module',
    columns: ['title', 'workflow_state', 'delayed_post_at', 'lock_at', 'section_ids', 'assignment_id'],
    ...holders('Discussion'),
  },
  {
    table: 'discussion_entries',
    kind: 'discussion_topic',
    select:
      "select lower(t.context_type) || '_' || t.context_id, 'discussion_topic', t.id from discussion_topics t where t.id = $.discussion_topic_id",
  },
  // A topic with student posts cannot be unpublished, which staff see in its module items.
  {
    table: 'discussion_entries',
    kind: 'module',
    columns: ['workflow_state'],
    select: `select 'staff_' || i.course_id, 'module', i.module_id from module_items i where i.type = 'Discussion' and i.content_id = $.discussion_topic_id and i.workflow_state = 'active'
      and not exists (select 1 from discussion_entries o join enrollments n on n.user_id = o.user_id and n.course_id = i.course_id and n.type = 'StudentEnrollment'
        where o.discussion_topic_id = $.discussion_topic_id and o.id <> $.id and o.workflow_state = 'active')`,
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
  // Participants are visible to all participants.
  {
    table: 'conversation_messages',
    kind: 'conversation',
    events: ['insert'],
    when: '$.generated = 1',
    select:
      "select 'user_' || p.user_id, 'conversation', p.conversation_id from conversation_participants p where p.conversation_id = $.conversation_id",
  },
  { table: 'conversation_participants', kind: 'conversation', item: '$.conversation_id', scope: me },
];
