// Writes that change a conversation in the feed.

import { me, showingUser, type TriggerSource } from '../../database/triggers/source.ts';

/** A conversation, once for each participant. */
const toParticipants = (from: string, where: string) =>
  `select 'user_' || p.user_id, 'conversation', p.conversation_id from ${from} join conversation_participants p on p.conversation_id = ${where}`;

/** Courses that two participants of a conversation begin or cease to share. */
const threadsAmong = `select 'user_' || w.user_id, 'conversation', w.conversation_id from conversation_participants mine
    cross join conversation_participants other on other.conversation_id = mine.conversation_id and other.user_id <> mine.user_id
    cross join enrollments e on e.user_id = other.user_id and e.course_id = $.course_id
    cross join conversation_participants w on w.conversation_id = mine.conversation_id and w.user_id in (mine.user_id, other.user_id)
    where mine.user_id = $.user_id`;

/** Conversations that name the course or group. */
const namedBy = (table: string, type: 'Course' | 'Group'): TriggerSource => ({
  table,
  kind: 'conversation',
  events: ['update'],
  columns: ['name'],
  select: `${toParticipants('conversations c', 'c.id')} where c.context_type = '${type}' and c.context_id = $.id and c.context_id is not null`,
});

export const conversationSources: readonly TriggerSource[] = [
  showingUser('conversation', `${toParticipants('conversation_participants mine', 'mine.conversation_id')} where mine.user_id = $.id`),
  namedBy('courses', 'Course'),
  { table: 'enrollments', kind: 'conversation', columns: ['enrollment_state', 'course_id'], select: threadsAmong },
  {
    table: 'enrollments',
    kind: 'conversation',
    events: ['update'],
    columns: ['course_id'],
    isBefore: true,
    select: threadsAmong,
  },
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
  namedBy('groups', 'Group'),
  // Conversations list the groups shared by their participants.
  {
    table: 'group_memberships',
    kind: 'conversation',
    columns: ['user_id', 'workflow_state'],
    select: `select 'user_' || w.user_id, 'conversation', w.conversation_id from conversation_participants mine
      cross join conversation_participants other on other.conversation_id = mine.conversation_id and other.user_id <> mine.user_id
      cross join group_memberships m on m.user_id = other.user_id and m.group_id = $.group_id
      cross join conversation_participants w on w.conversation_id = mine.conversation_id and w.user_id in (mine.user_id, other.user_id)
      where mine.user_id = $.user_id`,
  },
];
