// Conversations as each participant sees them.

import { Conversation } from '@carrel/shared/resources/conversation';
import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { isInSelect } from '../../database/ids';
import type { Call } from '../../http/call';
import { descending, type RowOf, rows } from '../../http/listing';
import { embed, serializer } from '../../http/serializer';
import { avatarOf } from '../users/display';
import { type MessageRow, message } from './message_json';
import { contextsOf, type MessageParticipant, rolesByCourse, selectParticipants, sharedGroupRoles, sharedGroupsOf } from './people_json';
import { areOpenToAll, repliesIn } from './recipients/replies';
import { conversation_messages, conversations, conversation_message_participants as copies } from './table';
import { byActivity } from './thread/changes';
import { inboxViewOf, isShown } from './view';

export type ConversationRow = RowOf<typeof conversations> & { readonly context_name?: string | null };

const contextName = () =>
  sql<
    string | null
  >`case conversations.context_type when 'Course' then (select courses.name from courses where courses.id = conversations.context_id) when 'Group' then (select g.name from groups g where g.id = conversations.context_id) end`.as(
    'context_name',
  );

type Detail = 'list' | 'full';

interface Around {
  readonly people: readonly MessageParticipant[];
}

/** A conversation as the caller sees it. */
function tell(row: ConversationRow, call: Call, { people }: Around, detail: Detail) {
  const inThread = people.filter((person) => person.conversation_id === row.id);
  const mine = inThread.find((person) => person.user_id === call.me.id);
  if (!mine) return {};
  const others = inThread.filter((person) => person !== mine).sort(byActivity);
  const audience = others.map((person) => person.user_id);
  const { conversation_id: _, user_id: __, name: ___, shared: ____, teams: _____, ...state } = mine;
  const contextCode = row.context_type === null ? null : `${row.context_type.toLowerCase()}_${row.context_id}`;
  const showsAvatars = detail === 'full' || call.include.has('participant_avatars');
  return {
    ...row,
    ...state,
    id: row.id,
    audience: audience.length > 0 ? audience : [call.me.id],
    audience_contexts: { courses: contextsOf(row, others), groups: sharedGroupsOf(row, others) },
    avatar_url: others.length > 1 ? `${call.origin}/images/messages/avatar-group-50.png` : avatarOf(others[0] ?? mine, call.origin),
    participants: [mine, ...others].map((person) => ({
      id: person.user_id,
      name: person.short_name,
      full_name: person.name,
      ...(person.pronouns !== null && { pronouns: person.pronouns }),
      ...(showsAvatars && { avatar_url: avatarOf(person, call.origin) }),
      ...(detail === 'full' && { common_courses: rolesByCourse(person), common_groups: sharedGroupRoles(person) }),
    })),
    visible:
      detail === 'list' ||
      isShown(inboxViewOf(call.params), {
        mine,
        userIds: inThread.map((person) => person.user_id),
        contextCode,
        sharedCourseIds: others.flatMap(({ shared }) => shared.map(([course_id]) => course_id)),
        sharedGroupIds: others.flatMap(({ teams }) => teams),
      }),
    context_code: contextCode,
  };
}

/** A conversation in a list. */
export const conversation = serializer({
  resource: Conversation,
  table: conversations,
  columns: () => ({ context_name: contextName() }),
  also: (ids, call) => ({ people: selectParticipants(ids, call) }),
  json: (row: ConversationRow, call, found) => tell(row, call, found, 'list'),
});

/** A conversation after an update. */
export const conversationChanged = serializer({
  resource: Conversation,
  table: conversations,
  columns: () => ({ context_name: contextName() }),
  also: (ids, call) => ({ people: selectParticipants(ids, call) }),
  json: (row: ConversationRow, call, found) => tell(row, call, found, 'full'),
});

function cannotReply(course: CourseContext | undefined, { people }: Around, me: number): boolean {
  const replies = repliesIn(course);
  if (replies !== 'staff_only' || !course) return replies === 'ended';
  return !areOpenToAll(
    course,
    people.filter((person) => person.user_id !== me),
  );
}

/** The caller's messages in these conversations, newest first. */
const messagesFor = (me: number, ids: SQL) =>
  rows(conversation_messages, {
    from: copies,
    join: (select) => select.innerJoin(conversation_messages, eq(conversation_messages.id, copies.conversation_message_id)),
    where: and(isInSelect(copies.conversation_id, ids), eq(copies.user_id, me), eq(copies.hidden, false)),
    order: descending(conversation_messages.position),
  });

/** A conversation with its messages. */
export const conversationRead = serializer({
  resource: Conversation,
  table: conversations,
  columns: () => ({ context_name: contextName() }),
  also: (ids, call) => ({ people: selectParticipants(ids, call), messages: embed(message, messagesFor(call.me.id, ids)) }),
  json: (row: ConversationRow, call, { messages, ...found }) => ({
    ...tell(row, call, found, 'full'),
    messages: messages.map(({ json }) => json),
    submissions: [],
    cannot_reply: cannotReply(call.course, found, call.me.id),
  }),
});

/** A conversation with one message: the response to sending it. Several at once are returned without messages. */
export const conversationOfMessage = serializer({
  resource: Conversation,
  table: conversation_messages,
  also(ids, call) {
    const threads = sql`select conversation_id from conversation_messages where id in (${ids})`;
    return {
      threads: call.db.build
        .select({ ...getTableColumns(conversations), context_name: contextName() })
        .from(conversations)
        .where(isInSelect(conversations.id, threads)),
      people: selectParticipants(threads, call),
      messages: embed(message, rows(conversation_messages, { where: isInSelect(conversation_messages.id, ids) })),
    };
  },
  json(row: MessageRow, call, { threads, messages, ...found }) {
    const thread = threads.find((one) => one.id === row.conversation_id);
    return {
      ...(thread && tell(thread, call, found, 'full')),
      ...(threads.length === 1 && { messages: messages.filter((one) => one.row.id === row.id).map(({ json }) => json) }),
    };
  },
});
