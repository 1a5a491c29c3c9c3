// Conversations as each of their people sees them.

import { Conversation, ConversationBatch, ConversationMessage } from '@carrel/shared/resources/conversation';
import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { within } from '../../database/ids';
import type { ResultOf } from '../../database/open';
import type { Call } from '../../http/call';
import { descending, type RowOf, rows } from '../../http/listing';
import { embed, serializer } from '../../http/serializer';
import { type FileRow, file, filesByIds } from '../files/json';
import { avatarOf } from '../users/display';
import { users } from '../users/table';
import type { BatchOptions } from './letter';
import { teamsWith } from './reach';
import { areOpenToAll, repliesIn } from './replies';
import {
  conversation_batches,
  conversation_messages,
  conversations,
  conversation_message_participants as copies,
  conversation_participants as participants,
} from './table';
import { byActivity } from './thread';
import { isShown, viewOf } from './view';

export type ConversationRow = RowOf<typeof conversations> & { readonly context_name?: string | null };
export type MessageRow = RowOf<typeof conversation_messages>;

const contextName = () =>
  sql<
    string | null
  >`case conversations.context_type when 'Course' then (select name from courses where courses.id = conversations.context_id) when 'Group' then (select g.name from groups g where g.id = conversations.context_id) end`.as(
    'context_name',
  );

/** What a person is in the courses that the caller is in too, as `[course, type]`. */
const sharedCourses = (me: number) =>
  sql<
    [number, string][]
  >`iif(${participants.user_id} = ${me}, '[]', (select json_group_array(json_array(e.course_id, e.type)) from enrollments e
    where e.user_id = ${participants.user_id} and e.enrollment_state in ('active', 'invited', 'completed')
      and e.course_id in (select course_id from enrollments where user_id = ${me} and enrollment_state in ('active', 'invited', 'completed'))))`
    .mapWith((told: string) => JSON.parse(told) as [number, string][])
    .as('shared');

/** The groups that a person is in with the caller. */
const sharedGroups = (me: number) =>
  sql<number[]>`iif(${participants.user_id} = ${me}, '[]', ${teamsWith(sql`${participants.user_id}`, me)})`
    .mapWith((told: string) => JSON.parse(told) as number[])
    .as('teams');

const peopleOf = (ids: SQL, { db, me }: Pick<Call, 'db' | 'me'>) => {
  const { joined_at: _, version: __, ...state } = getTableColumns(participants);
  return db.build
    .select({
      ...state,
      name: users.name,
      short_name: users.short_name,
      pronouns: users.pronouns,
      avatar_url: users.avatar_url,
      shared: sharedCourses(me.id),
      teams: sharedGroups(me.id),
    })
    .from(participants)
    .innerJoin(users, eq(users.id, participants.user_id))
    .where(within(participants.conversation_id, ids));
};
type Person = ResultOf<ReturnType<typeof peopleOf>>[number];

const rolesByCourse = ({ shared }: Person) => {
  const roles: Record<string, string[]> = {};
  for (const [course_id, type] of shared) roles[course_id] = [...new Set([...(roles[course_id] ?? []), type])];
  return roles;
};

/** Courses that the caller has in common with everyone else; with one other person alone, also what they are there. */
function contextsOf(row: ConversationRow, others: readonly Person[]) {
  const perPerson = others.map(rolesByCourse);
  const common = Object.keys(perPerson[0] ?? {}).filter((course) => perPerson.every((roles) => course in roles));
  const named = row.context_type === 'Course' && row.context_id !== null ? [String(row.context_id)] : [];
  return Object.fromEntries(
    [...new Set([...common, ...named])].map((course) => [course, others.length === 1 ? (perPerson[0]?.[course] ?? []) : []]),
  );
}

/** Groups that the caller has in common with everyone else. */
function groupsOf(row: ConversationRow, others: readonly Person[]) {
  const [first, ...rest] = others;
  const common = (first?.teams ?? []).filter((id) => rest.every(({ teams }) => teams.includes(id)));
  const named = row.context_type === 'Group' && row.context_id !== null ? [row.context_id] : [];
  return Object.fromEntries(
    [...new Set([...common, ...named])].map((id) => [String(id), others.length === 1 && first?.teams.includes(id) ? ['Member'] : []]),
  );
}

const membersOf = ({ teams }: Person) => Object.fromEntries(teams.map((id) => [String(id), ['Member']]));

type Detail = 'list' | 'full';

interface Around {
  readonly people: readonly Person[];
}

/** One thread as the caller has it. */
export function tell(row: ConversationRow, call: Call, { people }: Around, detail: Detail) {
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
    audience_contexts: { courses: contextsOf(row, others), groups: groupsOf(row, others) },
    avatar_url: others.length > 1 ? `${call.origin}/images/messages/avatar-group-50.png` : avatarOf(others[0] ?? mine, call.origin),
    participants: [mine, ...others].map((person) => ({
      id: person.user_id,
      name: person.short_name,
      full_name: person.name,
      ...(person.pronouns !== null && { pronouns: person.pronouns }),
      ...(showsAvatars && { avatar_url: avatarOf(person, call.origin) }),
      ...(detail === 'full' && { common_courses: rolesByCourse(person), common_groups: membersOf(person) }),
    })),
    visible:
      detail === 'list' ||
      isShown(viewOf(call.params), {
        mine,
        userIds: inThread.map((person) => person.user_id),
        contextCode,
        sharedCourseIds: others.flatMap(({ shared }) => shared.map(([course_id]) => course_id)),
        sharedGroupIds: others.flatMap(({ teams }) => teams),
      }),
    context_code: contextCode,
  };
}

interface Beside {
  readonly reached: readonly { conversation_message_id: number; user_id: number }[];
  readonly attachments: readonly { row: FileRow; json: object }[];
}

const messageJson = (row: MessageRow, { reached, attachments }: Beside) => ({
  ...row,
  attachments: row.attachment_ids.flatMap((id) => attachments.filter((one) => one.row.id === id).map(({ json }) => json)),
  participating_user_ids: reached.filter((copy) => copy.conversation_message_id === row.id).map((copy) => copy.user_id),
});

/** A message and whom it reached. */
export const message = serializer({
  resource: ConversationMessage,
  table: conversation_messages,
  also(ids, { db }) {
    const forwarded = sql`select f.value from conversation_messages m, json_each(m.forwarded_message_ids) f where m.id in (${ids})`;
    return {
      reached: db.build
        .select({ conversation_message_id: copies.conversation_message_id, user_id: copies.user_id })
        .from(copies)
        .where(sql`${within(copies.conversation_message_id, ids)} or ${within(copies.conversation_message_id, forwarded)}`)
        .orderBy(copies.user_id),
      attachments: embed(
        file,
        filesByIds(
          sql`select a.value from conversation_messages m, json_each(m.attachment_ids) a where m.id in (${ids}) or m.id in (${forwarded})`,
        ),
      ),
      forwarded: db.build.select().from(conversation_messages).where(within(conversation_messages.id, forwarded)),
    };
  },
  json: (row: MessageRow, _call, { forwarded, ...beside }) => ({
    ...messageJson(row, beside),
    forwarded_messages: row.forwarded_message_ids.flatMap((id) =>
      forwarded.filter((one) => one.id === id).map((one) => messageJson(one, beside)),
    ),
  }),
});

/** A thread in a list. */
export const conversation = serializer({
  resource: Conversation,
  table: conversations,
  columns: () => ({ context_name: contextName() }),
  also: (ids, call) => ({ people: peopleOf(ids, call) }),
  json: (row: ConversationRow, call, found) => tell(row, call, found, 'list'),
});

/** A thread after it was changed. */
export const conversationChanged = serializer({
  resource: Conversation,
  table: conversations,
  columns: () => ({ context_name: contextName() }),
  also: (ids, call) => ({ people: peopleOf(ids, call) }),
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

/** What the caller still has of these threads, newest first. */
const messagesFor = (me: number, ids: SQL) =>
  rows(conversation_messages, {
    from: copies,
    join: (select) => select.innerJoin(conversation_messages, eq(conversation_messages.id, copies.conversation_message_id)),
    where: and(within(copies.conversation_id, ids), eq(copies.user_id, me), eq(copies.hidden, false)),
    order: descending(conversation_messages.position),
  });

/** A thread with its messages. */
export const conversationRead = serializer({
  resource: Conversation,
  table: conversations,
  columns: () => ({ context_name: contextName() }),
  also: (ids, call) => ({ people: peopleOf(ids, call), messages: embed(message, messagesFor(call.me.id, ids)) }),
  json: (row: ConversationRow, call, { messages, ...found }) => ({
    ...tell(row, call, found, 'full'),
    messages: messages.map(({ json }) => json),
    submissions: [],
    cannot_reply: cannotReply(call.course, found, call.me.id),
  }),
});

/** A thread told by one message of it: the answer to whoever has just written. Several at once come without messages. */
export const conversationOfMessage = serializer({
  resource: Conversation,
  table: conversation_messages,
  also(ids, call) {
    const threads = sql`select conversation_id from conversation_messages where id in (${ids})`;
    return {
      threads: call.db.build
        .select({ ...getTableColumns(conversations), context_name: contextName() })
        .from(conversations)
        .where(within(conversations.id, threads)),
      people: peopleOf(threads, call),
      messages: embed(message, rows(conversation_messages, { where: within(conversation_messages.id, ids) })),
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

/** A batch with its letter, told as the message that it becomes. */
export const conversationBatch = serializer({
  resource: ConversationBatch,
  table: conversation_batches,
  also: (ids) => ({
    attachments: embed(
      file,
      filesByIds(sql`select a.value from conversation_batches b, json_each(b.options, '$.attachment_ids') a where b.id in (${ids})`),
    ),
  }),
  json: (row: RowOf<typeof conversation_batches>, _call, { attachments }) => {
    const { context_type, context_id, attachment_ids = [], media_comment = null } = row.options as Partial<BatchOptions>;
    return {
      ...row,
      completion: row.recipient_ids.length === 0 ? 1 : row.sent_count / row.recipient_ids.length,
      recipient_count: row.recipient_ids.length,
      tags: context_type ? [`${context_type.toLowerCase()}_${context_id}`] : [],
      message: {
        id: row.id,
        author_id: row.user_id,
        body: row.body,
        created_at: row.created_at,
        generated: false,
        media_comment,
        attachments: attachment_ids.flatMap((id) => attachments.filter((one) => one.row.id === id).map(({ json }) => json)),
        forwarded_messages: [],
        participating_user_ids: [row.user_id, ...row.recipient_ids],
      },
    };
  },
});
