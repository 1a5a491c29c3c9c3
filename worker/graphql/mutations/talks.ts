// Mutations of discussions.

import { eq } from 'drizzle-orm';
import { discussion_entries } from '../../domains/discussion_topics/table';
import type { Graph, GraphPlace } from '../graph';
import { contextPath } from '../graph';
import type { RestJson } from '../rest';
import { entriesBelow } from '../talks/threads';
import { entryItem, placeOfTopic } from '../types/discussions';
import { assignmentInput, assignmentInputFields } from './contents';
import {
  asJson,
  fewInputIds,
  type Input,
  inputId,
  inputIdOrNone,
  type Mutation,
  missing,
  refuseContent,
  refuseGiven,
  renamed,
} from './mutation';

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

/** Each is a write. */
const mostInThread = 50;

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
  'expanded',
  'sortOrder',
];

const topicOf = (input: Input) => {
  refuseGiven(input, ['fileId', 'checkpoints', 'ungradedDiscussionOverrides']);
  const set = inputIdOrNone(input, 'groupCategoryId', 'GroupSet');
  return {
    ...renamed(input, topicFields),
    ...(set !== undefined && { group_category_id: set }),
    ...(typeof input.specificSections === 'string' && { specific_sections: input.specificSections }),
    ...(input.removeAttachment ? { remove_attachment: true } : {}),
    ...(input.assignment ? { assignment: assignmentInput(asJson(input.assignment)) } : {}),
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
  specificSections: String
  fileId: ID
  assignment: AssignmentOfDiscussion
  checkpoints: [DiscussionCheckpoint!]
  ungradedDiscussionOverrides: [AssignmentOverrideCreateOrUpdate!]
  notifyUsers: Boolean
  expanded: Boolean
  sortOrder: DiscussionSortOrderType`;

export const talkInputs = `
enum DiscussionTopicContextType {
  Course
  Group
}
input AssignmentOfDiscussion {
  ${assignmentInputFields}
}
input DiscussionCheckpoint {
  checkpointLabel: String!
  pointsPossible: Float!
}
enum DiscussionEntryReport {
  inappropriate
  offensive
  other
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
    input:
      'discussionTopicId: ID!\n  message: String!\n  parentEntryId: ID\n  quotedEntryId: ID\n  fileId: ID\n  isAnonymousAuthor: Boolean',
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
    input: 'discussionEntryId: ID!\n  message: String\n  removeAttachment: Boolean\n  fileId: ID\n  quotedEntryId: ID',
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
    input:
      'discussionEntryId: ID!\n  read: Boolean\n  rating: RatingInputType\n  forcedReadState: Boolean\n  reportType: DiscussionEntryReport',
    payload: 'discussionEntry: DiscussionEntry',
    async run({ input, graph, send }) {
      refuseGiven(input, ['reportType']);
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
  updateDiscussionThreadReadState: {
    input: 'discussionEntryId: ID!\n  read: Boolean!',
    payload: 'discussionEntry: DiscussionEntry',
    async run({ input, graph, send }) {
      const id = inputId(input, 'discussionEntryId', 'DiscussionEntry');
      const found = await entryPlace(id, graph);
      const entry = await readEntry(id, found, graph);
      if (!entry) throw missing();
      const wanted = input.read ? 'unread' : 'read';
      const all = [entry.json, ...(await entriesBelow(entry, graph))].filter(
        ({ read_state, deleted }) => read_state === wanted && !deleted,
      );
      if (all.length > mostInThread) throw refuseContent('discussionEntryId', `has more than ${mostInThread} entries to mark`);
      for (const one of all) await send(input.read ? 'PUT' : 'DELETE', `${found.path}/entries/${one.id}/read`);
      return { discussionEntry: await readEntry(id, found, graph) };
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
};
