// Entries as clients see them; top-level entries in a list include their newest replies.

import { DiscussionEntry } from '@carrel/shared/resources/discussion_entry';
import { type SQL, sql } from 'drizzle-orm';
import { readId } from '../../../contexts/references';
import { atMost } from '../../../database/at_most';
import { isInSelect } from '../../../database/ids';
import { shared } from '../../../database/shared';
import { withHost } from '../../../html/addresses';
import type { Call } from '../../../http/call';
import { descending, type RowOf, rows } from '../../../http/listing';
import { embed, serializer } from '../../../http/serializer';
import { verifiersIn } from '../../../rules/file_verifiers';
import { file, filesByIds } from '../../files/json';
import { userDisplay } from '../../users/display';
import { personColumn, personOf } from '../author_column';
import { groupTopicsVisible } from '../group_topics/children';
import { discussion_entries } from '../table';

export type EntryRow = RowOf<typeof discussion_entries>;
export type ToldEntry = EntryRow & {
  readonly file_verifiers?: string | null;
  readonly anonymous_state: string | null;
  readonly writer: string | null;
  /** `[read, forced]`, or null. */
  readonly mark: string | null;
};

/** Of files in the course or group of the discussion. */
export const verifiersOfEntry = verifiersIn(
  sql.raw('discussion_entries.message'),
  sql`(f.context_type, f.context_id) in (select t.context_type, t.context_id from discussion_topics t where t.id = discussion_entries.discussion_topic_id)`,
);

const computed = ({ me }: Pick<Call, 'me'>) => ({
  anonymous_state: sql<
    string | null
  >`(select t.anonymous_state from discussion_topics t where t.id = discussion_entries.discussion_topic_id)`.as('anonymous_state'),
  file_verifiers: verifiersOfEntry.as('file_verifiers'),
  writer: personColumn(sql`discussion_entries.user_id`).as('writer'),
  mark: sql<
    string | null
  >`(select json_array(r.read, r.forced) from discussion_entry_reads r where r.discussion_entry_id = discussion_entries.id and r.user_id = ${shared('user', me.id)})`.as(
    'mark',
  ),
});

/** Attachments of the topic's entries; few entries have one. */
const attachments = (call: Call) =>
  embed(
    file,
    filesByIds(
      sql`select attachment_id from discussion_entries where discussion_topic_id in (${groupTopicsVisible(call, readId(call.path.topic_id ?? '') ?? 0)}) and attachment_id is not null`,
    ),
  );

function tell(entry: ToldEntry, origin: string, files: readonly { row: { id: number }; json: object }[]) {
  const [read, forced] = JSON.parse(entry.mark ?? '[0, 0]') as [number, number];
  const isDeleted = entry.workflow_state === 'deleted';
  const isNameless = entry.anonymous_state === 'full_anonymity';
  const isHidden = isDeleted || isNameless;
  const author = personOf(entry.writer);
  const attached = files.find(({ row }) => row.id === entry.attachment_id)?.json;
  return {
    ...entry,
    user_id: isHidden ? undefined : entry.user_id,
    user_name: isHidden ? undefined : (author?.short_name ?? null),
    user: isHidden ? {} : userDisplay(author, origin),
    message: isDeleted ? undefined : withHost(entry.message, origin, entry.file_verifiers),
    read_state: read === 1 ? 'read' : 'unread',
    forced_read_state: forced === 1,
    // Hidden on anonymous entries, and when authors delete their own entry, where it would identify them.
    editor_id: !isNameless && entry.editor_id !== null && (isDeleted || entry.editor_id !== entry.user_id) ? entry.editor_id : undefined,
    deleted: isDeleted || undefined,
    ...(attached && !isDeleted && { attachment: attached, attachments: [attached] }),
  };
}

export const discussionEntry = serializer({
  resource: DiscussionEntry,
  table: discussion_entries,
  columns: computed,
  also: (_ids, call) => ({ files: attachments(call) }),
  json: (entry: ToldEntry, { origin }, { files }) => tell(entry, origin, files),
});

const mostRecent = 10;

/** The newest replies to each entry, one more than is shown. */
const recentUnder = (ids: SQL): SQL =>
  sql`select r.value from (${ids}) p, json_each((select json_group_array(id) from (
    select e.id from discussion_entries e where e.root_entry_id = p.id and e.id <> p.id and e.workflow_state = 'active' order by e.id desc limit ${atMost(mostRecent + 1)}))) r`;

/** A top-level entry in a list. */
export const discussionEntryListed = serializer({
  resource: DiscussionEntry,
  table: discussion_entries,
  columns: computed,
  also: (ids, call) => ({
    files: attachments(call),
    replies: embed(
      discussionEntry,
      rows(discussion_entries, { where: isInSelect(discussion_entries.id, recentUnder(ids)), order: descending(discussion_entries.id) }),
    ),
  }),
  json(entry: ToldEntry, { origin }, { files, replies }) {
    const under = replies.filter(({ row }) => row.root_entry_id === entry.id).map(({ json }) => json);
    return {
      ...tell(entry, origin, files),
      ...(under.length > 0 && { recent_replies: under.slice(0, mostRecent), has_more_replies: under.length > mostRecent }),
    };
  },
});
