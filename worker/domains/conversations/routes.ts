// Conversations: every endpoint, in the order of the API reference.

import { UnreadCount } from '@carrel/shared/resources/conversation';
import { bool, commaList, idField, maybe, optional, referenceTo, text } from '@carrel/shared/wire/fields';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { get, post, put } from '../../http/endpoint';
import { descending, rows } from '../../http/listing';
import { problem } from '../../http/problem';
import { answer, judged, list, listWithin, one, settled, write } from '../../http/reply';
import { mediaCommentJson } from '../../rules/media_comments';
import { progressJson } from '../progress/json';
import { finishedProgress } from '../progress/progress';
import { progress as progressTable } from '../progress/table';
import { type BatchEvent, batchEvents, batchStatements, batchSummary } from './batch_update';
import { conversation, conversationOfMessage } from './json';
import { conversationBatch } from './sending/batch_json';
import { deliverMessage } from './sending/deliver';
import type { DraftMessage } from './sending/draft';
import { messageParams } from './sending/input';
import { postpone } from './sending/postpone';
import { conversation_batches, conversations, conversation_participants as participants } from './table';
import { threadRoutes } from './thread/routes';
import { conversationProblem } from './thread/turn';
import { inboxViewOf, inboxViewParams, shownIn, timeIn } from './view';

export const about = { title: 'Conversations', description: 'Messages between users: inbox, threads and recipients.' };

const avatars = ['participant_avatars'];

const joined = {
  from: participants,
  join: (select: { innerJoin(...given: unknown[]): unknown }) =>
    select.innerJoin(conversations, eq(conversations.id, participants.conversation_id)),
};

export const conversationRoutes = [
  get(
    '/conversations',
    {
      can: 'user',
      params: { ...inboxViewParams, interleave_submissions: optional(bool), include_all_conversation_ids: optional(bool) },
      include: avatars,
      returns: [conversation],
      summary: 'List conversations',
    },
    ({ db, me, params }) => {
      const view = inboxViewOf(params);
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
        listWithin(page, (result) => ({ conversations: result, conversation_ids: ids })),
      );
    },
  ),

  post(
    '/conversations',
    {
      can: 'user',
      params: {
        ...messageParams,
        ...inboxViewParams,
        recipients: optional(commaList(referenceTo('recipient'))),
        body: optional(text),
        subject: optional(maybe(text)),
        group_conversation: optional(bool),
        bulk_message: optional(bool),
        force_new: optional(bool),
        mode: optional(text),
        context_code: optional(referenceTo('context')),
        from_conversation_id: optional(idField('conversation')),
      },
      returns: [conversationOfMessage],
      status: 201,
      summary: 'Create a conversation',
    },
    async (call) => {
      const { params } = call;
      if (params.subject && params.subject.length > 255) throw conversationProblem('subject', 'too_long');
      inboxViewOf(params);
      const message: DraftMessage = {
        recipients: params.recipients ?? [],
        body: params.body ?? '',
        subject: params.subject || null,
        context_code: params.context_code || undefined,
        from_conversation_id: params.from_conversation_id,
        attachment_ids: params.attachment_ids ?? [],
        media_comment: mediaCommentJson(params) ?? null,
        form:
          params.force_new || (params.group_conversation && params.bulk_message)
            ? 'each_new'
            : params.group_conversation
              ? 'group'
              : 'each',
      };
      if (params.mode === 'async' && message.form !== 'group') return postpone(call, message);
      return settled(answer(await deliverMessage(call, message)));
    },
  ),

  get(
    '/conversations/unread_count',
    { can: 'user', returns: { json: UnreadCount }, summary: 'Get the unread count' },
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

  post(
    '/conversations/mark_all_as_read',
    { can: 'user', returns: { json: null }, summary: 'Mark all conversations as read' },
    ({ db, me }) =>
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
      params: { conversation_ids: optional(commaList(idField('conversation'))), event: optional(text) },
      returns: progressJson,
      summary: 'Update several conversations',
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

  ...threadRoutes,
];
