// The inbox of the caller, and the progress of long work.

import { lookUp } from '@carrel/shared/wire/look_up';
import type { Graph, GraphItem } from '../graph';
import type { RestJson } from '../rest';
import type { TypeModule } from '../type_module';
import { key } from '../values';

const contextTypeOf: Readonly<Record<string, string>> = { course: 'Course', group: 'Group', account: 'Account' };

/** Conversations show the names of those who take part. */
const personIn = (conversation: RestJson, id: unknown, graph: Graph): GraphItem | null => {
  const person = ((conversation.participants ?? []) as RestJson[]).find((one) => one.id === id);
  const shown = person && { ...person, name: person.full_name ?? person.name, short_name: person.name };
  return shown ? graph.item('User', shown, {}, { path: `/users/${id}/profile` }) : null;
};

const messageItem = (graph: Graph, json: RestJson, conversation: RestJson): GraphItem =>
  graph.item('ConversationMessage', { ...json, conversation_id: conversation.id, conversation });

/** A conversation as the caller takes part in it. */
export const participantItem = (graph: Graph, conversation: RestJson): GraphItem =>
  graph.item('ConversationParticipant', { ...conversation, user_id: graph.call.me.id });

export const lastMessageItem = (graph: Graph, conversation: RestJson): GraphItem | null => {
  const [newest] = (conversation.messages ?? []) as RestJson[];
  return newest ? messageItem(graph, newest, conversation) : null;
};

async function wholeConversation(json: RestJson, graph: Graph): Promise<RestJson> {
  if (json.messages !== undefined) return json;
  const answer = await graph.rest.read(`/conversations/${json.id}`, { auto_mark_as_read: false });
  return (answer?.body as RestJson | undefined) ?? json;
}

export const conversationTypes: TypeModule = {
  sdl: `
enum ConversationWorkflowState {
  archived
  read
  unread
}
enum ProgressState {
  completed
  failed
  queued
  running
}
type Conversation implements Node & LegacyIDInterface {
  id: ID!
  _id: ID!
  subject: String
  updatedAt: DateTime
  contextId: ID
  contextType: String
  contextName: String
  contextAssetString: String
  isPrivate: Boolean
  canReply: Boolean
  conversationMessagesCount: Int!
  conversationMessagesConnection: ConversationMessageConnection
  conversationParticipantsConnection: ConversationParticipantConnection
}
type ConversationMessage implements Node & LegacyIDInterface {
  id: ID!
  _id: ID!
  body: String!
  author: User
  recipients: [User!]!
  createdAt: DateTime
  conversationId: ID!
  attachments: [File!]
}
type ConversationParticipant implements Node & LegacyIDInterface {
  id: ID!
  _id: ID!
  conversation: Conversation
  user: User
  userId: ID!
  workflowState: ConversationWorkflowState
  subscribed: Boolean
  label: String
  updatedAt: DateTime
  messages: ConversationMessageConnection
}
type Progress implements Node & LegacyIDInterface & Timestamped {
  id: ID!
  _id: ID!
  createdAt: DateTime
  updatedAt: DateTime
  state: ProgressState!
  tag: String!
  completion: Int
  message: String
}
`,
  resolvers: {
    Conversation: {
      updatedAt: key('last_message_at'),
      contextAssetString: key('context_code'),
      contextId: ({ json }) => /_(\d+)$/.exec(String(json.context_code ?? ''))?.[1] ?? null,
      contextType: ({ json }) => lookUp(contextTypeOf, String(json.context_code ?? '').replace(/_\d+$/, '')) ?? null,
      isPrivate: key('private'),
      canReply: ({ json }) => json.cannot_reply !== true,
      conversationMessagesCount: key('message_count'),
      async conversationMessagesConnection({ json }, args, graph) {
        const whole = await wholeConversation(json, graph);
        return graph.complete(
          args,
          ((whole.messages ?? []) as RestJson[]).map((one) => messageItem(graph, one, whole)),
        );
      },
      conversationParticipantsConnection: ({ json }, args, graph) =>
        graph.complete(
          args,
          ((json.participants ?? []) as RestJson[]).map((person) =>
            graph.item(
              'ConversationParticipant',
              person.id === graph.call.me.id
                ? { ...json, user_id: person.id }
                : { id: `${json.id}:${person.id}`, user_id: person.id, participants: json.participants, conversation: json },
            ),
          ),
        ),
    },
    ConversationMessage: {
      author: ({ json }, _args, graph) => personIn(json.conversation as RestJson, json.author_id, graph),
      recipients: ({ json }, _args, graph) =>
        ((json.participating_user_ids ?? []) as number[])
          .filter((id) => id !== json.author_id)
          .flatMap((id) => personIn(json.conversation as RestJson, id, graph) ?? []),
      attachments: ({ json }, _args, graph) => ((json.attachments ?? []) as RestJson[]).map((one) => graph.item('File', one)),
    },
    ConversationParticipant: {
      conversation: ({ json }, _args, graph) => graph.item('Conversation', (json.conversation as RestJson | undefined) ?? json),
      user: ({ json }, _args, graph) => personIn(json, json.user_id, graph),
      label: ({ json }) => (json.starred === true ? 'starred' : null),
      subscribed: key('subscribed'),
      updatedAt: key('last_message_at'),
      async messages({ json }, args, graph) {
        if (json.user_id !== graph.call.me.id) return graph.complete(args, []);
        const whole = await wholeConversation(json, graph);
        return graph.complete(
          args,
          ((whole.messages ?? []) as RestJson[]).map((one) => messageItem(graph, one, whole)),
        );
      },
    },
    Progress: { state: key('workflow_state'), tag: ({ json }) => json.tag ?? '' },
  },
  loaders: {
    Conversation: (id, graph) => graph.one('Conversation', `/conversations/${id}`, { auto_mark_as_read: false }),
    Progress: (id, graph) => graph.one('Progress', `/progress/${id}`),
  },
};
