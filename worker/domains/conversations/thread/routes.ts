// A single conversation: every endpoint, in the order of the API reference.

import { bool, commaList, int, listOf, object, oneOf, optional, referenceTo, text } from '@carrel/shared/wire/fields';
import { type SQL, sql } from 'drizzle-orm';
import { readId } from '../../../contexts/references';
import { del, get, post, put } from '../../../http/endpoint';
import { rows } from '../../../http/listing';
import { found, Problem } from '../../../http/problem';
import { answer, settled } from '../../../http/reply';
import { mediaCommentJson } from '../../../rules/media_comments';
import { conversationChanged, conversationOfMessage, conversationRead } from '../json';
import { recipientReachOf } from '../recipients/reach';
import { repliesIn } from '../recipients/replies';
import { messageParams } from '../sending/input';
import { conversations } from '../table';
import { inboxViewOf, inboxViewParams } from '../view';
import { inTurn, messageJson, threadJson, turnOf } from './call_object';
import { conversationProblem, planned } from './turn';

/** The course of a conversation, for the permissions in it. */
const inItsCourse = (path: Record<string, string>) => ({
  course: sql`select c.id from conversations t join courses c on c.id = t.context_id where t.id = ${readId(path.id ?? '') ?? 0} and t.context_type = 'Course' and c.workflow_state <> 'deleted'`,
});

/** Conversations that the caller has not deleted. */
const mine = (me: number, id: number): SQL =>
  sql`${conversations.id} = ${id} and exists (select 1 from conversation_participants p where p.conversation_id = ${id} and p.user_id = ${me} and p.message_count > 0)`;

const avatars = ['participant_avatars'];

export const threadRoutes = [
  get(
    '/conversations/:id',
    {
      can: 'user',
      params: { ...inboxViewParams, interleave_submissions: optional(bool), auto_mark_as_read: optional(bool) },
      include: avatars,
      within: inItsCourse,
      returns: conversationRead,
      summary: 'Get a conversation',
    },
    async (call) => {
      const { db, me, id, params } = call;
      inboxViewOf(params);
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
        ...inboxViewParams,
        conversation: optional(
          object({ workflow_state: optional(oneOf('read', 'unread', 'archived')), subscribed: optional(bool), starred: optional(bool) }),
        ),
      },
      returns: conversationChanged,
      summary: 'Update a conversation',
    },
    async (call) => {
      inboxViewOf(call.params);
      const result = await inTurn(call, call.id, (door) => door.change({ ...turnOf(call, call.id), wish: call.params.conversation ?? {} }));
      return settled(answer(threadJson(result, call)));
    },
  ),

  del(
    '/conversations/:id',
    { can: 'user', params: inboxViewParams, returns: conversationChanged, summary: 'Delete a conversation' },
    async (call) => {
      inboxViewOf(call.params);
      const told = await inTurn(call, call.id, (door) => door.removeMessages({ ...turnOf(call, call.id), ids: 'all' }));
      return settled(answer(threadJson(told, call)));
    },
  ),

  post(
    '/conversations/:id/add_message',
    {
      can: 'user',
      params: {
        ...messageParams,
        ...inboxViewParams,
        body: optional(text),
        recipients: optional(commaList(referenceTo('recipient'))),
        included_messages: optional(commaList(int)),
      },
      within: inItsCourse,
      returns: conversationOfMessage,
      summary: 'Add a message',
    },
    async (call) => {
      const { params, course, id } = call;
      inboxViewOf(params);
      if (!params.body?.trim()) throw conversationProblem('empty_message', 'Unable to create message without a body');
      const replies = repliesIn(course);
      if (replies === 'ended') throw conversationProblem('workflow_state', 'Course concluded, unable to send messages', 401);
      const told = await inTurn(call, id, (door) =>
        door.addMessage({
          ...turnOf(call, id),
          body: params.body ?? '',
          attachment_ids: params.attachment_ids ?? [],
          media_comment: mediaCommentJson(params) ?? null,
          recipients: params.recipients?.length ? params.recipients : null,
          included_ids: params.included_messages ?? [],
          reach: recipientReachOf(call),
          onlyStaffOf: replies === 'staff_only' && course ? course.id : null,
        }),
      );
      return settled(answer(messageJson(told, call)));
    },
  ),

  post(
    '/conversations/:id/add_recipients',
    {
      can: 'user',
      params: { ...inboxViewParams, recipients: optional(commaList(referenceTo('recipient'))) },
      returns: conversationOfMessage,
      summary: 'Add recipients',
    },
    async (call) => {
      const { params, id } = call;
      inboxViewOf(params);
      if (!params.recipients?.length) throw new Problem(400, {});
      const told = await inTurn(call, id, (door) =>
        door.addRecipients({ ...turnOf(call, id), recipients: params.recipients ?? [], reach: recipientReachOf(call) }),
      );
      return settled(answer(messageJson(told, call)));
    },
  ),

  post(
    '/conversations/:id/remove_messages',
    {
      can: 'user',
      params: { ...inboxViewParams, remove: optional(listOf(int)) },
      returns: conversationChanged,
      summary: 'Delete messages from a conversation',
    },
    async (call) => {
      inboxViewOf(call.params);
      const told = await inTurn(call, call.id, (door) => door.removeMessages({ ...turnOf(call, call.id), ids: call.params.remove ?? [] }));
      return settled(answer(threadJson(told, call)));
    },
  ),
];
