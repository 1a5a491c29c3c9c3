// Mutations of discussions and conversations.

import { eq } from 'drizzle-orm';
import { conversation_messages } from '../../domains/conversations/table';
import { discussion_entries } from '../../domains/discussion_topics/table';
import type { Graph, GraphPlace } from '../graph';
import { contextPath } from '../graph';
import type { RestJson } from '../rest';
import { lastMessageItem, participantItem } from '../types/conversations';
import { entryItem, placeOfTopic } from '../types/discussions';
import { asJson, fewInputIds, type Input, inputId, inputIdOrNone, type Mutation, missing, refuseContent, renamed } from './mutation';

interface TopicPlace {
  readonly place: GraphPlace;
  readonly topic: number;
  readonly path: string;
}

/** The address of a discussion in REST. @throws GraphQLError `not found` */
async function topicPlace(topic: number, graph: Graph): Promise<TopicPlace> {
  const place = await placeOfTopic(topic, graph);
  if (!place) throw missing();
  return { place: { ...place, topic }, topic, path: `${contextPath(place)}/discussion_topics/${topic}` };
}

async function entryPlace(entry: number, graph: Graph): Promise<TopicPlace & { readonly entryPath: string }> {
  const [row] = await graph.locate<{ topic: number }[]>((build) =>
    build.select({ topic: discussion_entries.discussion_topic_id }).from(discussion_entries).where(eq(discussion_entries.id, entry)),
  );
  if (!row) throw missing();
  const found = await topicPlace(row.topic, graph);
  return { ...found, entryPath: `${found.path}/entries/${entry}` };
}

const readEntry = async (id: number, { place, path }: TopicPlace, graph: Graph) => {
  const answer = await graph.rest.read(`${path}/entry_list`, { ids: [id] });
  const [json] = (answer?.body ?? []) as RestJson[];
  return json ? entryItem(graph, json, place) : null;
};

const readTopic = ({ place, path }: TopicPlace, graph: Graph) =>
  graph.one('Discussion', path, {}, { course: place.course, group: place.group });

const refuseFile = (input: Input) => {
  if (input.fileId) throw refuseContent('fileId', 'is not supported; upload the file with the entry by REST');
};

const topicFields = [
  'title',
  'message',
  'published',
  'isAnnouncement',
  'discussionType',
  'delayedPostAt',
  'lockAt',
  'locked',
  'requireInitialPost',
  'allowRating',
  'onlyGradersCanRate',
  'anonymousState',
  'todoDate',
  'podcastEnabled',
  'podcastHasStudentPosts',
];

const topicOf = (input: Input) => {
  const set = inputIdOrNone(input, 'groupCategoryId', 'GroupSet');
  return {
    ...renamed(input, topicFields),
    ...(set !== undefined && { group_category_id: set }),
    ...(typeof input.specificSections === 'string' && { specific_sections: input.specificSections }),
    ...(input.removeAttachment ? { remove_attachment: true } : {}),
  };
};

const topicInput = `title: String
  message: String
  published: Boolean
  discussionType: DiscussionTopicDiscussionType
  delayedPostAt: DateTime
  lockAt: DateTime
  locked: Boolean
  requireInitialPost: Boolean
  allowRating: Boolean
  onlyGradersCanRate: Boolean
  todoDate: DateTime
  podcastEnabled: Boolean
  podcastHasStudentPosts: Boolean
  groupCategoryId: ID
  specificSections: String`;

export const talkInputs = `
enum DiscussionTopicContextType {
  Course
  Group
}
enum RatingInputType {
  liked
  not_liked
}
`;

export const talkMutations: Readonly<Record<string, Mutation>> = {
  createDiscussionTopic: {
    input: `contextId: ID!\n  contextType: DiscussionTopicContextType!\n  isAnnouncement: Boolean\n  anonymousState: DiscussionTopicAnonymousStateType\n  ${topicInput}`,
    payload: 'discussionTopic: Discussion',
    async run({ input, graph, send }) {
      const isGroup = input.contextType === 'Group';
      const id = inputId(input, 'contextId', isGroup ? 'Group' : 'Course');
      const place: GraphPlace = isGroup ? { group: id } : { course: id };
      const json = asJson(await send('POST', `${contextPath(place)}/discussion_topics`, topicOf(input)));
      return { discussionTopic: graph.item('Discussion', json, place) };
    },
  },
  updateDiscussionTopic: {
    input: `discussionTopicId: ID!\n  removeAttachment: Boolean\n  ${topicInput}`,
    payload: 'discussionTopic: Discussion',
    async run({ input, graph, send }) {
      const { place, path } = await topicPlace(inputId(input, 'discussionTopicId', 'Discussion'), graph);
      return { discussionTopic: graph.item('Discussion', asJson(await send('PUT', path, topicOf(input))), place) };
    },
  },
  deleteDiscussionTopic: {
    input: 'id: ID!',
    payload: 'discussionTopicId: ID',
    async run({ input, graph, send }) {
      const { topic, path } = await topicPlace(inputId(input, 'id', 'Discussion'), graph);
      await send('DELETE', path);
      return { discussionTopicId: topic };
    },
  },
  createDiscussionEntry: {
    input: 'discussionTopicId: ID!\n  message: String!\n  parentEntryId: ID\n  quotedEntryId: ID\n  fileId: ID',
    payload: 'discussionEntry: DiscussionEntry',
    async run({ input, graph, send }) {
      refuseFile(input);
      const { place, path } = await topicPlace(inputId(input, 'discussionTopicId', 'Discussion'), graph);
      const parent = inputIdOrNone(input, 'parentEntryId', 'DiscussionEntry');
      const json = asJson(await send('POST', parent ? `${path}/entries/${parent}/replies` : `${path}/entries`, { message: input.message }));
      return { discussionEntry: entryItem(graph, json, place) };
    },
  },
  updateDiscussionEntry: {
    input: 'discussionEntryId: ID!\n  message: String\n  removeAttachment: Boolean\n  fileId: ID',
    payload: 'discussionEntry: DiscussionEntry',
    async run({ input, graph, send }) {
      refuseFile(input);
      const { place, entryPath } = await entryPlace(inputId(input, 'discussionEntryId', 'DiscussionEntry'), graph);
      const body = { ...renamed(input, ['message']), ...(input.removeAttachment ? { remove_attachment: true } : {}) };
      return { discussionEntry: entryItem(graph, asJson(await send('PUT', entryPath, body)), place) };
    },
  },
  deleteDiscussionEntry: {
    input: 'id: ID!',
    payload: 'discussionEntry: DiscussionEntry',
    async run({ input, graph, send }) {
      const { place, entryPath } = await entryPlace(inputId(input, 'id', 'DiscussionEntry'), graph);
      return { discussionEntry: entryItem(graph, asJson(await send('DELETE', entryPath)), place) };
    },
  },
  updateDiscussionEntryParticipant: {
    input: 'discussionEntryId: ID!\n  read: Boolean\n  rating: RatingInputType\n  forcedReadState: Boolean',
    payload: 'discussionEntry: DiscussionEntry',
    async run({ input, graph, send }) {
      const id = inputId(input, 'discussionEntryId', 'DiscussionEntry');
      const found = await entryPlace(id, graph);
      const forced = typeof input.forcedReadState === 'boolean' ? { forced_read_state: input.forcedReadState } : {};
      if (typeof input.read === 'boolean') await send(input.read ? 'PUT' : 'DELETE', `${found.entryPath}/read`, forced);
      if (input.rating) await send('POST', `${found.entryPath}/rating`, { rating: input.rating === 'liked' ? 1 : 0 });
      return { discussionEntry: await readEntry(id, found, graph) };
    },
  },
  updateDiscussionEntriesReadState: {
    input: 'discussionEntryIds: [ID!]!\n  read: Boolean!',
    payload: 'discussionEntries: [DiscussionEntry!]',
    async run({ input, graph, send }) {
      const entries = [];
      for (const id of fewInputIds(input, 'discussionEntryIds', 'DiscussionEntry')) {
        const found = await entryPlace(id, graph);
        await send(input.read ? 'PUT' : 'DELETE', `${found.entryPath}/read`);
        entries.push(await readEntry(id, found, graph));
      }
      return { discussionEntries: entries.filter(Boolean) };
    },
  },
  updateDiscussionReadState: {
    input: 'discussionTopicId: ID!\n  read: Boolean!',
    payload: 'discussionTopic: Discussion',
    async run({ input, graph, send }) {
      const found = await topicPlace(inputId(input, 'discussionTopicId', 'Discussion'), graph);
      await send(input.read ? 'PUT' : 'DELETE', `${found.path}/read_all`);
      return { discussionTopic: await readTopic(found, graph) };
    },
  },
  subscribeToDiscussionTopic: {
    input: 'discussionTopicId: ID!\n  subscribed: Boolean!',
    payload: 'discussionTopic: Discussion',
    async run({ input, graph, send }) {
      const found = await topicPlace(inputId(input, 'discussionTopicId', 'Discussion'), graph);
      await send(input.subscribed ? 'PUT' : 'DELETE', `${found.path}/subscribed`);
      return { discussionTopic: await readTopic(found, graph) };
    },
  },
  createConversation: {
    input: `recipients: [String!]!
  body: String!
  subject: String
  bulkMessage: Boolean
  forceNew: Boolean
  groupConversation: Boolean
  contextCode: String
  attachmentIds: [ID!]
  mediaCommentId: ID
  mediaCommentType: String`,
    payload: 'conversations: [ConversationParticipant!]',
    async run({ input, graph, send }) {
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
