// Entries and replies of discussion topics: every endpoint, in the order of the API reference.

import { bool, commaList, int, json, optional, text } from '@carrel/shared/wire/fields';
import { eq, getTableColumns, Subquery, sql } from 'drizzle-orm';
import { readId } from '../../../contexts/references';
import { atMost } from '../../../database/at_most';
import { among } from '../../../database/ids';
import { shared } from '../../../database/shared';
import { storableHtml } from '../../../html/kept';
import type { Call } from '../../../http/call';
import { del, get, post, put } from '../../../http/endpoint';
import { ascending, descending, rows } from '../../../http/listing';
import { startAfter } from '../../../http/page';
import { found, notFound, problem, unauthorized } from '../../../http/problem';
import { answer, judged, list, one, type Reply, write } from '../../../http/reply';
import { asParticipant, notifyReaders, selectTopic, topicId } from '../gate';
import { childTopicsVisible } from '../group_topics/children';
import { forumPlace, inForum } from '../place';
import { markEntry, rate } from '../read_state/writes';
import { discussion_entries } from '../table';
import { discussionEntry, discussionEntryListed } from './json';
import { forChange, type Posting, postEntry, readsEntries, selectEntry } from './posting';

const read = ['read_forum', 'read_announcements'] as const;
const sent = { message: optional(text), attachment: optional(json) };
const nothing = answer(null, 204);

const entryId = (path: { readonly entry_id: string }): number => found(readId(path.entry_id));
const itself = (id: number) => rows(discussion_entries, { where: eq(discussion_entries.id, id) });
/**
 * The newest top-level entries of the topic and, for a group discussion, of its group topics, at most a page of each. Selected as rows of
 * `discussion_entries`, so that a page of a large topic reads only itself.
 */
function newestOf(call: Call, topic_id: number, { per_page, number, after }: Call['page']): Subquery {
  const columns = getTableColumns(discussion_entries);
  const names = sql.raw(
    Object.keys(columns)
      .map((name) => `e.${name}`)
      .join(', '),
  );
  const start = startAfter({ after }, 1);
  const shown = sql`e.parent_id is null and e.workflow_state = 'active'${start ? sql` and e.id < ${start[0]}` : sql``}`;
  const own = sql`select ${names} from discussion_entries e where e.discussion_topic_id = ${topic_id} and ${shown}`;
  const inGroups = childTopicsVisible(forumPlace(call), topic_id, call.me.id);
  const theirs = sql` union all select ${names} from (${inGroups}) child cross join discussion_entries e where e.discussion_topic_id = child.id and ${shown}`;
  return new Subquery(
    sql`select * from (${own}${inGroups ? theirs : sql``}) order by id desc limit ${atMost(per_page * (number ?? 1) + 1)}`,
    columns,
    'discussion_entries',
  );
}

const places = ['/courses/:course_id', '/groups/:group_id'] as const;

export const discussionEntryRoutes = places.flatMap((place) => {
  const topic = `${place}/discussion_topics/:topic_id` as const;
  const entries = `${topic}/entries` as const;
  const entry = `${entries}/:entry_id` as const;

  return [
    get(entries, { can: read, returns: [discussionEntryListed], summary: 'List top-level entries' }, (call) => {
      const id = topicId(call.path);
      const from = newestOf(call, id, call.page);
      return notifyReaders(
        inForum(call),
        id,
        list(rows(discussion_entries, { from, where: undefined, order: descending(discussion_entries.id) })),
      );
    }),

    post(entries, { can: read, params: sent, returns: discussionEntry, status: 201, summary: 'Post an entry' }, (call) =>
      postEntry(inForum(call), call.params, topicId(call.path)),
    ),

    get(`${entry}/replies`, { can: read, returns: [discussionEntry], summary: 'List replies' }, (call) => {
      const id = topicId(call.path);
      const above = entryId(call.path);
      // Descendants of a top-level entry carry its id; below a reply they are found recursively.
      const root = sql`(select coalesce(e.root_entry_id, e.id) from discussion_entries e where e.id = ${above})`;
      const its = sql`(select e.discussion_topic_id from discussion_entries e where e.id = ${above})`;
      const below = sql`with recursive below(id) as (select id from discussion_entries where discussion_topic_id = ${its} and parent_id = ${above}
        union all select e.id from below cross join discussion_entries e on e.discussion_topic_id = ${its} and e.parent_id = below.id) select id from below`;
      return notifyReaders(
        inForum(call),
        id,
        judged(
          selectEntry(inForum(call), id, above),
          ([there]) => void found(there),
          list(
            rows(discussion_entries, {
              where: sql`discussion_entries.root_entry_id = ${root} and discussion_entries.id <> ${above} and (${root} = ${above} or discussion_entries.id in (${below})) and discussion_entries.workflow_state = 'active'`,
              order: descending(discussion_entries.id),
            }),
          ),
        ),
      );
    }),

    post(`${entry}/replies`, { can: read, params: sent, returns: discussionEntry, status: 201, summary: 'Post a reply' }, (call) =>
      postEntry(inForum(call), call.params, topicId(call.path), entryId(call.path)),
    ),

    get(
      `${topic}/entry_list`,
      { can: read, params: { ids: optional(commaList(int)) }, returns: [discussionEntry], summary: 'List entries by id' },
      (call) => {
        const id = topicId(call.path);
        const ids = [...new Set(call.params.ids ?? [])];
        const which = sql`${readsEntries(inForum(call), id)} and ${among(discussion_entries.id, ids)}`;
        return notifyReaders(
          inForum(call),
          id,
          judged(
            call.db.build
              .select({ count: sql<number>`count(*)`.as('count') })
              .from(discussion_entries)
              .where(which),
            ([there]) => {
              if ((there?.count ?? 0) < ids.length) throw notFound();
            },
            list(rows(discussion_entries, { where: which, order: ascending(discussion_entries.id) })),
          ),
        );
      },
    ),

    put(
      entry,
      { can: read, params: { ...sent, remove_attachment: optional(json) }, returns: discussionEntry, summary: 'Update an entry' },
      async (call) => {
        const { db, me, now, params } = call;
        const id = entryId(call.path);
        const attached = await forChange(inForum(call), topicId(call.path), id, params.attachment);
        const message = params.message === undefined ? undefined : storableHtml(params.message, call);
        const changesFile = attached !== undefined || params.remove_attachment !== undefined;
        return write(
          [
            ...(attached?.statements ?? []),
            db.build
              .update(discussion_entries)
              .set({
                message,
                // Sending the message unchanged does not change the editor.
                editor_id: changesFile ? me.id : sql`iif(message is ${message ?? sql`message`}, editor_id, ${shared('user', me.id)})`,
                ...(attached && { attachment_id: attached.id }),
                ...(params.remove_attachment !== undefined && !attached && { attachment_id: null }),
                updated_at: now,
              })
              .where(eq(discussion_entries.id, id)),
          ],
          one(itself(id)),
        );
      },
    ),

    del(entry, { can: read, returns: discussionEntry, summary: 'Delete an entry' }, async (call) => {
      const { db, me, now } = call;
      const id = entryId(call.path);
      await forChange(inForum(call), topicId(call.path), id);
      return write(
        [
          db.build
            .update(discussion_entries)
            .set({ workflow_state: 'deleted', editor_id: me.id, updated_at: now })
            .where(eq(discussion_entries.id, id)),
        ],
        one(itself(id), { deleted_at: now }),
      );
    }),

    put(
      `${entry}/read`,
      { can: read, params: { forced_read_state: optional(bool) }, returns: { json: null }, status: 204, summary: 'Mark an entry as read' },
      (call) => mark(inForum(call), topicId(call.path), entryId(call.path), true, call.params.forced_read_state),
    ),

    del(
      `${entry}/read`,
      {
        can: read,
        params: { forced_read_state: optional(bool) },
        returns: { json: null },
        status: 204,
        summary: 'Mark an entry as unread',
      },
      (call) => mark(inForum(call), topicId(call.path), entryId(call.path), false, call.params.forced_read_state),
    ),

    post(
      `${entry}/rating`,
      { can: read, params: { rating: optional(text) }, returns: { json: null }, status: 204, summary: 'Rate an entry' },
      async (call) => {
        const id = topicId(call.path);
        const [topicRows, [rated]] = await call.db.perform([
          selectTopic(inForum(call), id),
          selectEntry(inForum(call), id, entryId(call.path)),
        ]);
        const { topic: here, forum } = asParticipant(topicRows, inForum(call));
        const { rating } = call.params;
        if (rating !== '0' && rating !== '1') throw problem(400, 'Invalid rating given');
        if (rated?.workflow_state !== 'active') throw notFound();
        if (!here.allow_rating || (here.only_graders_can_rate && !forum.grades)) throw unauthorized();
        return write(rate(call, rated.discussion_topic_id, rated.id, Number(rating)), nothing);
      },
    ),
  ];
});

async function mark(call: Posting, topic_id: number, id: number, isRead: boolean, forced: boolean | undefined): Promise<Reply> {
  const [topicRows, [entry]] = await call.db.perform([selectTopic(call, topic_id), selectEntry(call, topic_id, id)]);
  asParticipant(topicRows, call);
  const { id: entry_id, discussion_topic_id } = found(entry);
  return write([markEntry(call, discussion_topic_id, entry_id, isRead, forced)], nothing);
}
