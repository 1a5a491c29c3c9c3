// Mutations of conversations.

import { eq } from 'drizzle-orm';
import { conversation_messages } from '../../domains/conversations/table';
import type { RestJson } from '../rest';
import { lastMessageItem, participantItem } from '../types/conversations';
import { asJson, fewInputIds, inputId, type Mutation, missing, refuseGiven, renamed } from './mutation';

export const conversationMutations: Readonly<Record<string, Mutation>> = {
  createConversation: {
    input: `recipients: [String!]!
  body: String!
  subject: String
  bulkMessage: Boolean
  forceNew: Boolean
  groupConversation: Boolean
  contextCode: String
  conversationId: ID
  attachmentIds: [ID!]
  mediaCommentId: ID
  mediaCommentType: String
  tags: [String!]`,
    payload: 'conversations: [ConversationParticipant!]',
    async run({ input, graph, send }) {
      refuseGiven(input, ['conversationId']);
      const body = {
        ...renamed(input, [
          'recipients',
          'body',
          'subject',
          'bulkMessage',
          'forceNew',
          'groupConversation',
          'contextCode',
          'mediaCommentId',
          'mediaCommentType',
        ]),
        ...(input.attachmentIds ? { attachment_ids: fewInputIds(input, 'attachmentIds', 'File') } : {}),
      };
      const all = (await send('POST', '/conversations', body)) as RestJson[];
      return { conversations: (Array.isArray(all) ? all : []).map((json) => participantItem(graph, json)) };
    },
  },
  addConversationMessage: {
    input: `conversationId: ID!
  body: String!
  recipients: [String!]!
  contextCode: String
  includedMessages: [ID!]
  attachmentIds: [ID!]
  mediaCommentId: ID
  mediaCommentType: String`,
    payload: 'conversationMessage: ConversationMessage',
    async run({ input, graph, send }) {
      const id = inputId(input, 'conversationId', 'Conversation');
      const body = {
        ...renamed(input, ['body', 'recipients', 'mediaCommentId', 'mediaCommentType']),
        ...(input.includedMessages ? { included_messages: fewInputIds(input, 'includedMessages', 'ConversationMessage') } : {}),
        ...(input.attachmentIds ? { attachment_ids: fewInputIds(input, 'attachmentIds', 'File') } : {}),
      };
      return { conversationMessage: lastMessageItem(graph, asJson(await send('POST', `/conversations/${id}/add_message`, body))) };
    },
  },
  updateConversationParticipants: {
    input: 'conversationIds: [ID!]!\n  starred: Boolean\n  subscribed: Boolean\n  workflowState: ConversationWorkflowState',
    payload: 'conversationParticipants: [ConversationParticipant!]',
    async run({ input, graph, send }) {
      const all = [];
      const conversation = renamed(input, ['starred', 'subscribed', 'workflowState']);
      for (const id of fewInputIds(input, 'conversationIds', 'Conversation'))
        all.push(participantItem(graph, asJson(await send('PUT', `/conversations/${id}`, { conversation }))));
      return { conversationParticipants: all };
    },
  },
  deleteConversations: {
    input: 'ids: [ID!]!',
    payload: 'conversationIds: [ID!]',
    async run({ input, send }) {
      const ids = fewInputIds(input, 'ids', 'Conversation');
      for (const id of ids) await send('DELETE', `/conversations/${id}`);
      return { conversationIds: ids };
    },
  },
  deleteConversationMessages: {
    input: 'ids: [ID!]!',
    payload: 'conversationMessageIds: [ID!]',
    async run({ input, graph, send }) {
      const ids = fewInputIds(input, 'ids', 'ConversationMessage');
      for (const id of ids) {
        const [row] = await graph.locate<{ conversation: number }[]>((build) =>
          build
            .select({ conversation: conversation_messages.conversation_id })
            .from(conversation_messages)
            .where(eq(conversation_messages.id, id)),
        );
        if (!row) throw missing();
        await send('POST', `/conversations/${row.conversation}/remove_messages`, { remove: [id] });
      }
      return { conversationMessageIds: ids };
    },
  },
};
