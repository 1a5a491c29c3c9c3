// Discussions as threads: where an entry is among the others, and what the caller may do with it.

import { type Args, contextPath, type Graph, type GraphItem } from '../graph';
import type { RestJson } from '../rest';
import type { TypeModule } from '../type_module';
import { discussionEntries, entryItem } from '../types/discussions';
import { objectArg } from '../values';

const pathAt = ({ place }: GraphItem, topic: unknown) => `${contextPath(place)}/discussion_topics/${topic}`;
const topicOf = async (entry: GraphItem, graph: Graph): Promise<RestJson> =>
  objectArg((await graph.rest.read(pathAt(entry, entry.place.topic)))?.body);

interface Threaded {
  readonly json: RestJson;
  /** The entry below the topic with which the thread begins. */
  readonly root: number;
  readonly depth: number;
}

/** All entries of the discussion of an entry, by id. */
async function threadsOf(entry: GraphItem, graph: Graph): Promise<ReadonlyMap<number, Threaded>> {
  const view = objectArg((await graph.rest.read(`${pathAt(entry, entry.place.topic)}/view`))?.body);
  const names = new Map(((view.participants ?? []) as RestJson[]).map((person) => [person.id, person]));
  const unread = new Set((view.unread_entries ?? []) as number[]);
  const found = new Map<number, Threaded>();
  const add = (all: unknown, root: number | undefined, depth: number) => {
    for (const one of (all ?? []) as RestJson[]) {
      const id = one.id as number;
      const read_state = unread.has(id) ? 'unread' : 'read';
      found.set(id, { json: { read_state, ...one, user: names.get(one.user_id) }, root: root ?? id, depth });
      add(one.replies, root ?? id, depth + 1);
    }
  };
  add(view.view, undefined, 1);
  return found;
}

/** The entry in its thread; entries that were written a moment ago may not be in it yet. */
async function placed(entry: GraphItem, graph: Graph): Promise<Threaded | undefined> {
  if (entry.json.parent_id === null) return { json: entry.json, root: entry.json.id as number, depth: 1 };
  return (await threadsOf(entry, graph)).get(entry.json.id as number);
}

/** The entries below an entry. */
export async function entriesBelow(entry: GraphItem, graph: Graph): Promise<RestJson[]> {
  const all = await threadsOf(entry, graph);
  const isBelow = (json: RestJson): boolean => {
    const parent = all.get(json.parent_id as number);
    return json.parent_id === entry.json.id || (parent !== undefined && isBelow(parent.json));
  };
  return [...all.values()].map(({ json }) => json).filter(isBelow);
}

const atId = (id: unknown, entry: GraphItem, all: ReadonlyMap<number, Threaded>, graph: Graph) => {
  const found = all.get(id as number);
  return found ? entryItem(graph, found.json, entry.place) : null;
};

/** The text of a message without its markup. */
const previewOf = ({ json }: GraphItem): string | null =>
  typeof json.message === 'string'
    ? json.message
        .replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim()
        .slice(0, 140)
    : null;

async function permissionsOf(entry: GraphItem, graph: Graph) {
  const topic = await topicOf(entry, graph);
  const { reply, attach, update } = objectArg(topic.permissions);
  const isOpen = reply === true && entry.json.deleted !== true;
  return {
    attach: isOpen && attach === true,
    create: isOpen,
    rate: topic.allow_rating === true && (topic.only_graders_can_rate !== true || update === true),
    read: true,
    reply: isOpen,
    viewRating: topic.allow_rating === true,
  };
}

const pagesOf = (count: number, perPage: unknown): number | null =>
  typeof perPage === 'number' && perPage > 0 ? Math.ceil(count / perPage) : null;

const rootEntries = async (topic: GraphItem, graph: Graph) => (await graph.all(`${pathAt(topic, topic.json.id)}/entries`)) ?? [];

export const threadObjects: TypeModule = {
  sdl: `
type AnonymousUser {
  id: ID
  shortName: String
  avatarUrl: URL
  pronouns: String
}
type DiscussionParticipant {
  id: ID
  expanded: Boolean
  sortOrder: DiscussionSortOrderType
}
type DiscussionEntryPermissions {
  attach: Boolean
  create: Boolean
  delete: Boolean
  rate: Boolean
  read: Boolean
  reply: Boolean
  update: Boolean
  viewRating: Boolean
}
type QuotedEntry {
  _id: ID
  author: User
  anonymousAuthor: AnonymousUser
  createdAt: DateTime
  deleted: Boolean
  message: String
  previewMessage: String
}
extend type Discussion {
  podcastEnabled: Boolean
  availableForUser: Boolean!
  canReplyAnonymously: Boolean!
  replyToEntryRequiredCount: Int!
  userCount: Int
  participant: DiscussionParticipant
  lockInformation: String
  entriesTotalPages(perPage: Int!, rootEntries: Boolean, searchTerm: String, filter: DiscussionFilterType): Int
  rootEntriesTotalPages(perPage: Int!, searchTerm: String, filter: DiscussionFilterType): Int
  searchEntryCount(searchTerm: String, filter: DiscussionFilterType): Int
}
extend type DiscussionEntry {
  previewMessage: String
  editor: User
  depth: Int
  rootEntryId: ID
  rootEntry: DiscussionEntry
  lastReply: DiscussionEntry
  subentriesCount: Int
  permissions: DiscussionEntryPermissions
  rootEntryParticipantCounts: DiscussionEntryCounts
}
`,
  resolvers: {
    Discussion: {
      podcastEnabled: ({ json }) => json.podcast_url !== null && json.podcast_url !== undefined,
      availableForUser: ({ json }) => json.locked_for_user !== true,
      canReplyAnonymously: ({ json }) => json.anonymous_state === 'full_anonymity',
      replyToEntryRequiredCount: () => 0,
      async userCount(topic, _args, graph) {
        const answer = await graph.rest.read(pathAt(topic, topic.json.id), { include: ['sections', 'sections_user_count'] });
        const { user_count, sections } = objectArg(answer?.body);
        if (typeof user_count === 'number') return user_count;
        return Array.isArray(sections) ? sections.reduce((sum: number, one: RestJson) => sum + Number(one.user_count ?? 0), 0) : null;
      },
      participant: ({ json }, _args, graph) => ({
        id: graph.call.me.id,
        expanded: json.expanded,
        sortOrder: json.sort_order,
      }),
      lockInformation: ({ json }) => json.lock_explanation ?? null,
      async entriesTotalPages(topic, args, graph) {
        if (args.searchTerm || args.filter)
          return pagesOf((await discussionEntries(topic, everyEntry(args), graph)).nodes.length, args.perPage);
        return args.rootEntries === true
          ? pagesOf((await rootEntries(topic, graph)).length, args.perPage)
          : pagesOf(Number(topic.json.discussion_subentry_count ?? 0), args.perPage);
      },
      rootEntriesTotalPages: async (topic, args, graph) => pagesOf((await rootEntries(topic, graph)).length, args.perPage),
      searchEntryCount: async (topic, args, graph) => (await discussionEntries(topic, everyEntry(args), graph)).nodes.length,
    },
    DiscussionEntry: {
      previewMessage: (entry) => previewOf(entry),
      editor: ({ json, place }, _args, graph) =>
        json.editor_id === undefined || json.editor_id === null
          ? null
          : place.course === undefined
            ? graph.load('User', json.editor_id)
            : graph.one('User', `/courses/${place.course}/users/${json.editor_id}`, {}, { course: place.course }),
      depth: async (entry, _args, graph) => (await placed(entry, graph))?.depth ?? null,
      rootEntryId: async (entry, _args, graph) => {
        const found = await placed(entry, graph);
        return found && found.depth > 1 ? found.root : null;
      },
      async rootEntry(entry, _args, graph) {
        if (entry.json.parent_id === null) return null;
        const all = await threadsOf(entry, graph);
        return atId(all.get(entry.json.id as number)?.root, entry, all, graph);
      },
      async lastReply(entry, _args, graph) {
        const replies = (await entriesBelow(entry, graph)).filter(({ deleted }) => deleted !== true);
        const [last] = replies.sort((one, other) => String(other.created_at).localeCompare(String(one.created_at)));
        return last ? entryItem(graph, last, entry.place) : null;
      },
      subentriesCount: async (entry, _args, graph) => (await entriesBelow(entry, graph)).length,
      permissions: (entry, _args, graph) => permissionsOf(entry, graph),
      async rootEntryParticipantCounts(entry, _args, graph) {
        if (entry.json.parent_id !== null) return null;
        const all = await entriesBelow(entry, graph);
        return {
          deletedCount: all.filter(({ deleted }) => deleted === true).length,
          repliesCount: all.filter(({ deleted }) => deleted !== true).length,
          unreadCount: all.filter(({ read_state }) => read_state === 'unread').length,
        };
      },
    },
  },
};

/** The arguments of the whole list of entries that a count is about. */
const everyEntry = ({ searchTerm, filter }: Args): Args => ({ rootEntries: false, searchTerm, filter });
