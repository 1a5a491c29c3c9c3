// Conversations: every endpoint, in the order of the API reference.

import { UnreadCount } from '@carrel/shared/resources/conversation';
import { bool, commaList, group, int, list as listOf, maybe, oneOf, optional, text } from '@carrel/shared/wire/fields';
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { readId } from '../../contexts/references';
import { del, get, post, put } from '../../http/endpoint';
import { descending, rows } from '../../http/listing';
import { found, Problem, problem } from '../../http/problem';
import { answer, judged, list, listWithin, one, settled, write } from '../../http/reply';
import { progress } from '../progress/json';
import { finishedProgress } from '../progress/progress';
import { progress as progressTable } from '../progress/table';
import { type BatchEvent, batchEvents, batchStatements, batchSummary } from './batch_update';
import { deliver } from './deliver';
import { conversation, conversationBatch, conversationChanged, conversationOfMessage, conversationRead } from './json';
import type { Letter } from './letter';
import { postpone } from './postpone';
import { reachOf } from './reach';
import { repliesIn } from './replies';
import { conversation_batches, conversations, conversation_participants as participants } from './table';
import { planned, refusal } from './turn';
import { inTurn, messageTold, threadTold, turnOf } from './turnstile';
import { shownIn, timeIn, viewOf, viewParams } from './view';

const message = {
  attachment_ids: optional(commaList(int)),
  media_comment_id: optional(text),
  media_comment_type: optional(oneOf('audio', 'video')),
  user_note: optional(bool),
};
const avatars = ['participant_avatars'];

/** The course that a thread belongs to, for what may be said in it. */
const inItsCourse = (path: Record<string, string>) => ({
  course: sql`select c.id from conversations t join courses c on c.id = t.context_id where t.id = ${readId(path.id ?? '') ?? 0} and t.context_type = 'Course' and c.workflow_state <> 'deleted'`,
});

const joined = {
  from: participants,
  join: (select: { innerJoin(...given: unknown[]): unknown }) =>
    select.innerJoin(conversations, eq(conversations.id, participants.conversation_id)),
};

/** Threads of which the caller has something left. */
const mine = (me: number, id: number): SQL =>
  sql`${conversations.id} = ${id} and exists (select 1 from conversation_participants p where p.conversation_id = ${id} and p.user_id = ${me} and p.message_count > 0)`;

const mediaComment = (params: { media_comment_id?: string; media_comment_type?: string }) =>
  params.media_comment_id
    ? {
        media_id: params.media_comment_id,
        media_type: params.media_comment_type ?? 'video',
        display_name: null,
        'content-type': `${params.media_comment_type ?? 'video'}/mp4`,
        url: null,
      }
    : null;

export const conversationRoutes = [
  get(
    '/conversations',
    {
      can: 'user',
      params: { ...viewParams, interleave_submissions: optional(bool), include_all_conversation_ids: optional(bool) },
      include: avatars,
      returns: [conversation],
      summary: 'List conversations',
    },
    ({ db, me, params }) => {
      const view = viewOf(params);
      const where = shownIn(view, me.id);
      const order = descending(timeIn(view.scope), participants.conversation_id);
      const page = rows(conversations, { ...joined, where, order });
      if (!params.include_all_conversation_ids) return list(page);
      let ids: number[] = [];
      const all = db.build
        .select({ id: conversations.id })
        .from(participants)
        .innerJoin(conversations, eq(conversations.id, participants.conversation_id))
        .where(where)
        .orderBy(...order.map(({ by }) => sql`${by} desc`));
      return judged(
        all,
        (every) => {
          ids = every.map(({ id }) => id);
        },
        listWithin(page, (told) => ({ conversations: told, conversation_ids: ids })),
      );
    },
  ),

  post(
    '/conversations',
    {
      can: 'user',
      params: {
        ...message,
        ...viewParams,
        recipients: optional(commaList(text)),
        body: optional(text),
        subject: optional(maybe(text)),
        group_conversation: optional(bool),
        bulk_message: optional(bool),
        force_new: optional(bool),
        mode: optional(text),
        context_code: optional(text),
        from_conversation_id: optional(int),
      },
      returns: [conversationOfMessage],
      status: 201,
      summary: 'Create a conversation',
    },
    async (call) => {
      const { params } = call;
      if (params.subject && params.subject.length > 255) throw refusal('subject', 'too_long');
      viewOf(params);
      const letter: Letter = {
        recipients: params.recipients ?? [],
        body: params.body ?? '',
        subject: params.subject || null,
        context_code: params.context_code || undefined,
        from_conversation_id: params.from_conversation_id,
        attachment_ids: params.attachment_ids ?? [],
        media_comment: mediaComment(params),
        form:
          params.force_new || (params.group_conversation && params.bulk_message)
            ? 'each_new'
            : params.group_conversation
              ? 'group'
              : 'each',
      };
      if (params.mode === 'async' && letter.form !== 'group') return postpone(call, letter);
      return settled(answer(await deliver(call, letter)));
    },
  ),

  get(
    '/conversations/unread_count',
    { can: 'user', returns: { json: UnreadCount }, summary: 'Count unread conversations' },
    async ({ db, me }) => {
      const [[count]] = await db.perform([
        db.build
          .select({ unread: sql<number>`count(*)`.as('unread') })
          .from(participants)
          .where(and(eq(participants.user_id, me.id), sql`conversation_participants.workflow_state = 'unread'`)),
      ]);
      return answer({ unread_count: String(count?.unread ?? 0) });
    },
  ),

  post('/conversations/mark_all_as_read', { can: 'user', returns: { json: null }, summary: 'Mark all as read' }, ({ db, me }) =>
    write(
      [
        db.build
          .update(participants)
          .set({ workflow_state: 'read', version: sql`version + 1` })
          .where(and(eq(participants.user_id, me.id), eq(participants.workflow_state, 'unread'))),
      ],
      answer({}),
    ),
  ),

  get('/conversations/batches', { can: 'user', returns: [conversationBatch], summary: 'List running batches' }, ({ me }) =>
    list(
      rows(conversation_batches, {
        where: and(eq(conversation_batches.user_id, me.id), inArray(conversation_batches.workflow_state, ['created', 'sending'])),
      }),
    ),
  ),

  put(
    '/conversations',
    {
      can: 'user',
      params: { conversation_ids: optional(commaList(int)), event: optional(text) },
      returns: progress,
      summary: 'Update many conversations',
    },
    ({ db, me, params, now }) => {
      const ids = [...new Set(params.conversation_ids ?? [])];
      if (ids.length === 0) throw problem(400, 'conversation_ids not specified');
      if (ids.length > 500) throw problem(400, 'conversation batch size limit (500) exceeded');
      if (!params.event) throw problem(400, 'event not specified');
      if (!Object.hasOwn(batchEvents, params.event)) throw problem(400, 'invalid event');
      const given = { context_type: 'User', context_id: me.id, user_id: me.id, tag: 'conversation_batch_update' };
      return write(
        [
          ...batchStatements(db, params.event as BatchEvent, me.id, ids),
          finishedProgress(db, { ...given, ...(batchSummary(me.id, ids) as object) }, now),
        ],
        one(rows(progressTable, { where: eq(progressTable.id, sql`last_insert_rowid()`) })),
      );
    },
  ),

  get(
    '/conversations/:id',
    {
      can: 'user',
      params: { ...viewParams, interleave_submissions: optional(bool), auto_mark_as_read: optional(bool) },
      include: avatars,
      within: inItsCourse,
      returns: conversationRead,
      summary: 'Get a conversation',
    },
    async (call) => {
      const { db, me, id, params } = call;
      viewOf(params);
      const plan = planned(conversationRead, rows(conversations, { where: mine(me.id, id) }), call);
      const json = found(plan.tell(await db.perform(plan.statements))[0]?.json);
      if (params.auto_mark_as_read === false || json.workflow_state !== 'unread') return answer(json);
      await inTurn(call, id, (door) => door.read(turnOf(call, id)));
      return answer({ ...json, workflow_state: 'read' });
    },
  ),

  put(
    '/conversations/:id',
    {
      can: 'user',
      params: {
        ...viewParams,
        conversation: optional(
          group({ workflow_state: optional(oneOf('read', 'unread', 'archived')), subscribed: optional(bool), starred: optional(bool) }),
        ),
      },
      returns: conversationChanged,
      summary: 'Edit a conversation',
    },
    async (call) => {
      viewOf(call.params);
      const told = await inTurn(call, call.id, (door) => door.change({ ...turnOf(call, call.id), wish: call.params.conversation ?? {} }));
      return settled(answer(threadTold(told, call)));
    },
  ),

  del(
    '/conversations/:id',
    { can: 'user', params: viewParams, returns: conversationChanged, summary: 'Delete a conversation' },
    async (call) => {
      viewOf(call.params);
      const told = await inTurn(call, call.id, (door) => door.removeMessages({ ...turnOf(call, call.id), ids: 'all' }));
      return settled(answer(threadTold(told, call)));
    },
  ),

  post(
    '/conversations/:id/add_message',
    {
      can: 'user',
      params: {
        ...message,
        ...viewParams,
        body: optional(text),
        recipients: optional(commaList(text)),
        included_messages: optional(commaList(int)),
      },
      within: inItsCourse,
      returns: conversationOfMessage,
      summary: 'Add a message',
    },
    async (call) => {
      const { params, course, id } = call;
      viewOf(params);
      if (!params.body?.trim()) throw refusal('empty_message', 'Unable to create message without a body');
      const replies = repliesIn(course);
      if (replies === 'ended') throw refusal('workflow_state', 'Course concluded, unable to send messages', 401);
      const told = await inTurn(call, id, (door) =>
        door.addMessage({
          ...turnOf(call, id),
          body: params.body ?? '',
          attachment_ids: params.attachment_ids ?? [],
          media_comment: mediaComment(params),
          recipients: params.recipients?.length ? params.recipients : null,
          included_ids: params.included_messages ?? [],
          reach: reachOf(call),
          onlyStaffOf: replies === 'staff_only' && course ? course.id : null,
        }),
      );
      return settled(answer(messageTold(told, call)));
    },
  ),

  post(
    '/conversations/:id/add_recipients',
    {
      can: 'user',
      params: { ...viewParams, recipients: optional(commaList(text)) },
      returns: conversationOfMessage,
      summary: 'Add recipients',
    },
    async (call) => {
      const { params, id } = call;
      viewOf(params);
      if (!params.recipients?.length) throw new Problem(400, {});
      const told = await inTurn(call, id, (door) =>
        door.addRecipients({ ...turnOf(call, id), recipients: params.recipients ?? [], reach: reachOf(call) }),
      );
      return settled(answer(messageTold(told, call)));
    },
  ),

  post(
    '/conversations/:id/remove_messages',
    { can: 'user', params: { ...viewParams, remove: optional(listOf(int)) }, returns: conversationChanged, summary: 'Remove messages' },
    async (call) => {
      viewOf(call.params);
      const told = await inTurn(call, call.id, (door) => door.removeMessages({ ...turnOf(call, call.id), ids: call.params.remove ?? [] }));
      return settled(answer(threadTold(told, call)));
    },
  ),
];
