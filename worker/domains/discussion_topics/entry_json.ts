// Entries as clients see them, each with the newest replies under it where they are listed at the top.

import { DiscussionEntry } from '@carrel/shared/resources/discussion_entry';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { within } from '../../database/ids';
import type { Call } from '../../http/call';
import { descending, type RowOf, rows } from '../../http/listing';
import { embed, serializer } from '../../http/serializer';
import { file, filesByIds } from '../files/json';
import { displayRows, userDisplay } from '../users/display';
import { discussion_entries, discussion_entry_reads } from './table';

export type EntryRow = RowOf<typeof discussion_entries>;
export type ToldEntry = EntryRow & { readonly anonymous_state: string | null };

const anonymity = () => ({
  anonymous_state: sql<
    string | null
  >`(select t.anonymous_state from discussion_topics t where t.id = discussion_entries.discussion_topic_id)`.as('anonymous_state'),
});

const ofEntries = (column: string, ids: SQL) => sql`select ${sql.raw(column)} from discussion_entries where id in (${ids})`;

/** The caller's marks on these entries. */
export const marksOn = ({ db, me }: Pick<Call, 'db' | 'me'>, ids: SQL) =>
  db.build
    .select({
      discussion_entry_id: discussion_entry_reads.discussion_entry_id,
      read: discussion_entry_reads.read,
      forced: discussion_entry_reads.forced,
    })
    .from(discussion_entry_reads)
    .where(and(within(discussion_entry_reads.discussion_entry_id, ids), eq(discussion_entry_reads.user_id, me.id)));

const beside = (ids: SQL, call: Call) => ({
  people: displayRows(call.db, ofEntries('user_id', ids)),
  marks: marksOn(call, ids),
  attachments: embed(file, filesByIds(ofEntries('attachment_id', ids))),
});

export const discussionEntry = serializer({
  resource: DiscussionEntry,
  table: discussion_entries,
  columns: anonymity,
  also: beside,
  json(entry: ToldEntry, { origin }, { people, marks, attachments }) {
    const mark = marks.find((one) => one.discussion_entry_id === entry.id);
    const isDeleted = entry.workflow_state === 'deleted';
    const isNameless = entry.anonymous_state === 'full_anonymity';
    const author = people.find((person) => person.id === entry.user_id);
    const [attached] = attachments.filter(({ row }) => row.id === entry.attachment_id).map(({ json }) => json);
    return {
      ...entry,
      user_id: isDeleted || isNameless ? undefined : entry.user_id,
      user_name: isDeleted || isNameless ? undefined : (author?.short_name ?? null),
      user: isDeleted || isNameless ? {} : userDisplay(author, origin),
      message: isDeleted ? undefined : entry.message,
      read_state: mark?.read ? 'read' : 'unread',
      forced_read_state: mark?.forced ?? false,
      editor_id: entry.editor_id !== null && (isDeleted || entry.editor_id !== entry.user_id) ? entry.editor_id : undefined,
      deleted: isDeleted || undefined,
      ...(attached && !isDeleted && { attachment: attached, attachments: [attached] }),
    };
  },
});

const mostRecent = 10;

/** The newest replies under each of the entries, one more than are shown. */
const recentUnder = (ids: SQL): SQL =>
  sql`select r.value from discussion_entries p, json_each((select json_group_array(id) from (
    select e.id from discussion_entries e where e.root_entry_id = p.id and e.id <> p.id and e.workflow_state = 'active' order by e.id desc limit ${mostRecent + 1}))) r
    where p.id in (${ids})`;

/** A top-level entry in a list. */
export const discussionEntryListed = serializer({
  resource: DiscussionEntry,
  table: discussion_entries,
  columns: anonymity,
  also: (ids) => ({
    own: embed(discussionEntry, rows(discussion_entries, { where: within(discussion_entries.id, ids) })),
    replies: embed(
      discussionEntry,
      rows(discussion_entries, { where: within(discussion_entries.id, recentUnder(ids)), order: descending(discussion_entries.id) }),
    ),
  }),
  json(entry: ToldEntry, _call, { own, replies }) {
    const under = replies.filter(({ row }) => row.root_entry_id === entry.id).map(({ json }) => json);
    return {
      ...own.find(({ row }) => row.id === entry.id)?.json,
      ...(under.length > 0 && { recent_replies: under.slice(0, mostRecent), has_more_replies: under.length > mostRecent }),
    };
  },
});
