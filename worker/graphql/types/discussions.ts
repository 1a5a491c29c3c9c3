// Discussions and their entries.

import { eq } from 'drizzle-orm';
import { discussion_entries, discussion_topics } from '../../domains/discussion_topics/table';
import type { Args, Graph, GraphItem, GraphPlace } from '../graph';
import { contextPath } from '../graph';
import { legacyId } from '../ids';
import type { RestJson } from '../rest';
import type { TypeModule } from '../type_module';
import { isTrue, objectArg, oneOfKey } from '../values';
import { assignmentItem } from './assignment_lists';
import { fileItem, placeOfContext } from './contents';
import { contentFields, modulesOfContent } from './modules';
import { userItem } from './users';

const topicPath = ({ place, json }: GraphItem) => `${contextPath(place)}/discussion_topics/${json.id}`;

export const entryItem = (graph: Graph, json: RestJson, place: GraphPlace): GraphItem => graph.item('DiscussionEntry', json, place);

const attachmentOf = ({ json, place }: GraphItem, graph: Graph) => {
  const [first] = (json.attachments ?? []) as RestJson[];
  const one = first ?? (json.attachment as RestJson | undefined);
  return one ? fileItem(graph, one, place) : null;
};

const matches = (term: unknown) => (json: RestJson) =>
  typeof term !== 'string' ||
  term === '' ||
  String(json.message ?? '')
    .toLowerCase()
    .includes(term.toLowerCase());

const byState = (filter: unknown) => (json: RestJson) =>
  filter === 'unread' ? json.read_state === 'unread' : filter === 'deleted' ? json.deleted === true : filter !== 'drafts';

/** The top-level entries; with a search also replies, as the whole discussion shows them. */
export async function discussionEntries(topic: GraphItem, args: Args, graph: Graph) {
  const place = { ...topic.place, topic: topic.json.id as number };
  const of = (json: RestJson) => entryItem(graph, json, place);
  const writer = legacyId(args.userSearchId, 'User');
  const keep = (json: RestJson) =>
    matches(args.searchTerm)(json) &&
    byState(args.filter)(json) &&
    (writer === undefined || json.user_id === writer) &&
    (!args.unreadBefore || args.filter !== 'unread' || String(json.created_at) < String(args.unreadBefore));
  if (args.rootEntries !== false && !args.searchTerm) return graph.connection(args, `${topicPath(topic)}/entries`, {}, of, keep);
  const view = ((await graph.rest.read(`${topicPath(topic)}/view`))?.body as RestJson | undefined) ?? {};
  const names = new Map(((view.participants ?? []) as RestJson[]).map((person) => [person.id, person]));
  const flat = (all: unknown): RestJson[] => (Array.isArray(all) ? (all as RestJson[]).flatMap((one) => [one, ...flat(one.replies)]) : []);
  const all = flat(view.view).map((json): RestJson => ({ ...json, user: names.get(json.user_id) }));
  return graph.complete(args, all.filter(keep).map(of));
}

function authorOf({ json, place }: GraphItem, _args: Args, graph: Graph) {
  const shown = (json.author ?? json.user) as RestJson | undefined;
  const name = json.user_name;
  return userItem(graph, shown?.id === undefined ? undefined : { ...shown, ...(name !== undefined && { name }) }, place);
}

export const discussionTypes: TypeModule = {
  sdl: `
enum DiscussionTopicDiscussionType {
  flat
  not_threaded
  side_comment
  threaded
}
enum DiscussionTopicAnonymousStateType {
  full_anonymity
  off
  partial_anonymity
}
enum DiscussionFilterType {
  all
  deleted
  drafts
  unread
}
enum DiscussionSortOrderType {
  asc
  desc
}
type DiscussionEntryCounts {
  deletedCount: Int
  repliesCount: Int!
  unreadCount: Int!
}
type DiscussionPermissions {
  attach: Boolean
  update: Boolean
  reply: Boolean
  delete: Boolean
}
type Discussion implements Node & LegacyIDInterface & Timestamped & ModuleItemInterface {
  id: ID!
  _id: ID!
  createdAt: DateTime
  updatedAt: DateTime${contentFields}
  message: String
  author(courseId: ID, roleTypes: [String!], builtInOnly: Boolean): User
  postedAt: DateTime
  delayedPostAt: DateTime
  lockAt: DateTime
  todoDate: DateTime
  lastReplyAt: DateTime
  contextId: ID!
  contextType: String!
  contextName: String
  isAnnouncement: Boolean!
  locked: Boolean!
  discussionType: DiscussionTopicDiscussionType
  requireInitialPost: Boolean
  initialPostRequiredForCurrentUser: Boolean!
  allowRating: Boolean
  onlyGradersCanRate: Boolean
  sortByRating: Boolean
  sortOrder: DiscussionSortOrderType
  expanded: Boolean
  anonymousState: DiscussionTopicAnonymousStateType
  assignment: Assignment
  attachment: File
  courseSections: [Section!]!
  groupSet: GroupSet
  childTopics: [Discussion!]
  rootTopic: Discussion
  isSectionSpecific: Boolean
  podcastHasStudentPosts: Boolean
  position: Int
  subscribed: Boolean!
  entryCounts: DiscussionEntryCounts
  permissions: DiscussionPermissions
  discussionEntriesConnection(rootEntries: Boolean, searchTerm: String, filter: DiscussionFilterType, unreadBefore: DateTime, userSearchId: ID): DiscussionEntryConnection
}
type DiscussionEntryParticipant {
  read: Boolean!
  forcedReadState: Boolean
}
type DiscussionEntry implements Node & LegacyIDInterface & Timestamped {
  id: ID!
  _id: ID!
  createdAt: DateTime
  updatedAt: DateTime
  message: String
  author(courseId: ID, roleTypes: [String!], builtInOnly: Boolean): User
  deleted: Boolean
  discussionTopic: Discussion
  discussionTopicId: ID!
  parentId: ID
  attachment: File
  ratingCount: Int
  ratingSum: Int
  entryParticipant: DiscussionEntryParticipant
  discussionSubentriesConnection(sortOrder: DiscussionSortOrderType, relativeEntryId: ID, beforeRelativeEntry: Boolean, includeRelativeEntry: Boolean): DiscussionEntryConnection
}
`,
  resolvers: {
    Discussion: {
      type: () => 'Discussion',
      modules: modulesOfContent,
      graded: ({ json }) => json.assignment_id !== null,
      pointsPossible: ({ json }) => objectArg(json.assignment).points_possible ?? null,
      author: authorOf,
      contextId: ({ place }) => place.group ?? place.course,
      contextType: ({ place }) => (place.group === undefined ? 'Course' : 'Group'),
      async contextName({ place }, _args, graph) {
        const context = await graph.load(place.group === undefined ? 'Course' : 'Group', place.group ?? place.course);
        return context?.json.name ?? null;
      },
      isAnnouncement: isTrue('is_announcement'),
      locked: isTrue('locked'),
      discussionType: oneOfKey('discussion_type', ['flat', 'not_threaded', 'side_comment', 'threaded']),
      initialPostRequiredForCurrentUser: ({ json }) => json.require_initial_post === true && json.user_can_see_posts === false,
      sortOrder: oneOfKey('sort_order', ['asc', 'desc']),
      anonymousState: oneOfKey('anonymous_state', ['full_anonymity', 'partial_anonymity'], 'off'),
      async assignment({ json, place }, _args, graph) {
        if (json.assignment) return assignmentItem(graph, json.assignment as RestJson);
        return json.assignment_id === null || place.course === undefined
          ? null
          : graph.one(
              'Assignment',
              `/courses/${place.course}/assignments/${json.assignment_id}`,
              {},
              { course: place.course, assignment: json.assignment_id as number },
            );
      },
      attachment: (topic, _args, graph) => attachmentOf(topic, graph),
      async courseSections(topic, _args, graph) {
        if (topic.json.is_section_specific !== true || topic.place.course === undefined) return [];
        const answer = await graph.rest.read(topicPath(topic), { include: ['sections'] });
        return (((answer?.body as RestJson | undefined)?.sections ?? []) as RestJson[]).map((json) =>
          graph.item('Section', json, topic.place),
        );
      },
      groupSet: ({ json }, _args, graph, info) => graph.reference('GroupSet', json.group_category_id, info),
      async childTopics({ json }, _args, graph) {
        const all = (json.group_topic_children ?? []) as { id: number; group_id: number }[];
        const found = await Promise.all(
          all.map(({ id, group_id }) => graph.one('Discussion', `/groups/${group_id}/discussion_topics/${id}`, {}, { group: group_id })),
        );
        return found.filter(Boolean);
      },
      rootTopic: ({ json }, _args, graph, info) => graph.reference('Discussion', json.root_topic_id, info),
      entryCounts: ({ json }) => ({ repliesCount: json.discussion_subentry_count, unreadCount: json.unread_count }),
      subscribed: isTrue('subscribed'),
      discussionEntriesConnection: discussionEntries,
    },
    DiscussionEntry: {
      author: authorOf,
      deleted: isTrue('deleted'),
      discussionTopic: ({ place }, _args, graph) =>
        graph.one('Discussion', `${contextPath(place)}/discussion_topics/${place.topic}`, {}, { course: place.course, group: place.group }),
      discussionTopicId: ({ place }) => place.topic,
      attachment: (entry, _args, graph) => attachmentOf(entry, graph),
      entryParticipant: ({ json }) => ({ read: json.read_state === 'read', forcedReadState: json.forced_read_state }),
      discussionSubentriesConnection: (entry, args, graph) => repliesOf(entry, args, graph),
    },
  },
  loaders: {
    async Discussion(id, graph) {
      const place = await placeOfTopic(id, graph);
      return place ? graph.one('Discussion', `${contextPath(place)}/discussion_topics/${id}`, {}, place) : null;
    },
    async DiscussionEntry(id, graph) {
      const [row] = await graph.locate<{ topic: number }[]>((build) =>
        build.select({ topic: discussion_entries.discussion_topic_id }).from(discussion_entries).where(eq(discussion_entries.id, id)),
      );
      const place = row && (await placeOfTopic(row.topic, graph));
      if (!place) return null;
      const answer = await graph.rest.read(`${contextPath(place)}/discussion_topics/${row.topic}/entry_list`, { ids: [id] });
      const [found] = (answer?.body ?? []) as RestJson[];
      return found ? entryItem(graph, found, { ...place, topic: row.topic }) : null;
    },
  },
};

/** The replies to an entry as REST lists them, or in the order and from the entry of the arguments. */
async function repliesOf({ json, place }: GraphItem, args: Args, graph: Graph) {
  const hasReplies = json.parent_id === null || json.has_more_replies !== undefined || json.recent_replies !== undefined;
  if (!hasReplies) return graph.complete(args, []);
  const path = `${contextPath(place)}/discussion_topics/${place.topic}/entries/${json.id}/replies`;
  const of = (one: RestJson) => entryItem(graph, one, place);
  const from = legacyId(args.relativeEntryId, 'DiscussionEntry');
  if (!args.sortOrder && from === undefined) return graph.connection(args, path, {}, of);
  const sign = args.sortOrder === 'desc' ? -1 : 1;
  const all = ((await graph.all(path)) ?? []).toSorted((one, other) => sign * (Number(one.id) - Number(other.id)));
  const at = all.findIndex(({ id }) => id === from);
  const isIncluded = args.includeRelativeEntry !== false ? 1 : 0;
  const part = at < 0 ? all : args.beforeRelativeEntry === true ? all.slice(0, at + isIncluded) : all.slice(at + 1 - isIncluded);
  return graph.complete(args, part.map(of));
}

/** The course or group of a discussion; only to ask REST there. */
export async function placeOfTopic(id: number, graph: Graph): Promise<GraphPlace | undefined> {
  const [row] = await graph.locate<{ type: string; context: number }[]>((build) =>
    build
      .select({ type: discussion_topics.context_type, context: discussion_topics.context_id })
      .from(discussion_topics)
      .where(eq(discussion_topics.id, id)),
  );
  return row && placeOfContext({ type: row.type, id: row.context });
}
