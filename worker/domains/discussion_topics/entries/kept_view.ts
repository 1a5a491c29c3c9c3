// The cache of a discussion's full view: entries in parts, written after a response, plus the entries that changed since. Both are read in one
// statement, so the view is never outdated.

import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import { isInSelect } from '../../../database/ids';
import type { Database, ResultOf, Statement } from '../../../database/open';
import { discussion_entries, discussion_view_changes, discussion_view_parts } from '../table';
import { type EntryRow, verifiersOfEntry } from './json';

/** Entry numbers per part, so that an entry's part follows from its number. */
const partSize = 200;
/** Up to this many changed entries are left uncached. */
const mostFresh = 20;
/** Parts written per request; the next request writes more. */
const mostParts = 40;
/** In bytes: a row in D1 holds 2 MB, and escaped quotes take twice their size. */
const longestPart = 800_000;

const result = sql.raw(
  Object.keys(getTableColumns(discussion_entries))
    .map((name) => `'${name}', discussion_entries.${name}`)
    .join(', '),
);

const partOf = (entry: string) => sql.raw(`(${entry} / ${partSize})`);

export type KeptEntry = EntryRow & { readonly file_verifiers: string | null };

/** @param topics a select of the topic and of those whose entries are shown with it */
export const selectParts = ({ build }: Database, topics: SQL) =>
  build
    .select({ entries: discussion_view_parts.entries })
    .from(discussion_view_parts)
    .where(isInSelect(discussion_view_parts.discussion_topic_id, topics));

/** Entries that changed since the parts were written; null for deleted ones. */
export const selectFresh = ({ build }: Database, topics: SQL) =>
  build
    .select({
      ...getTableColumns(discussion_entries),
      changed_id: discussion_view_changes.discussion_entry_id,
      file_verifiers: verifiersOfEntry.as('file_verifiers'),
    })
    .from(discussion_view_changes)
    .leftJoin(discussion_entries, eq(discussion_entries.id, discussion_view_changes.discussion_entry_id))
    .where(isInSelect(discussion_view_changes.discussion_topic_id, topics));

/** Users who posted entries or edited those of others. */
export const peopleIn = (topics: SQL): SQL => sql`
  select j.value from discussion_view_parts p, json_each(p.people) j where p.discussion_topic_id in (${topics})
  union select j.value from discussion_view_parts p, json_each(p.editors) j where p.discussion_topic_id in (${topics})
  union select e.user_id from discussion_view_changes c join discussion_entries e on e.id = c.discussion_entry_id where c.discussion_topic_id in (${topics})
  union select e.editor_id from discussion_view_changes c join discussion_entries e on e.id = c.discussion_entry_id where c.discussion_topic_id in (${topics})`;

/** All current entries, oldest first. */
export function viewEntriesOf(
  parts: ResultOf<ReturnType<typeof selectParts>>,
  fresh: ResultOf<ReturnType<typeof selectFresh>>,
): readonly KeptEntry[] {
  const entries = new Map(parts.flatMap((part) => part.entries as KeptEntry[]).map((entry) => [entry.id, entry]));
  for (const { changed_id, ...entry } of fresh)
    if (entry.id === null) entries.delete(changed_id);
    else entries.set(changed_id, entry as KeptEntry);
  return [...entries.values()].sort((a, b) => a.id - b.id);
}

export const lags = (fresh: readonly unknown[]): boolean => fresh.length > mostFresh;

/** Statements that write parts, in one batch, so that concurrent changes are kept as changes. */
export function putDown({ build }: Database, topics: SQL): Statement[] {
  const inPart = sql.raw(
    `discussion_entries.id >= seen.part * ${partSize} and discussion_entries.id < (seen.part + 1) * ${partSize} and +discussion_entries.discussion_topic_id = seen.topic_id`,
  );
  // Entries that are too long to cache are always read individually.
  const changed = sql`(select seen.topic_id, seen.part from (select distinct discussion_topic_id as topic_id, ${partOf('discussion_entry_id')} as part
      from discussion_view_changes where discussion_topic_id in (${topics})) seen
    where ${longestPart} > coalesce((select sum(length(cast(message as blob))) from discussion_entries where ${inPart}), 0)
    order by seen.topic_id, seen.part limit ${sql.raw(String(mostParts))})`;
  const isChanged = (part: SQL) => sql`(discussion_topic_id, ${part}) in (select topic_id, part from ${changed})`;
  return [
    build.run(sql`delete from discussion_view_parts where ${isChanged(sql`part`)}`),
    build.run(sql`insert into discussion_view_parts (discussion_topic_id, part, people, editors, entries)
      select seen.topic_id, seen.part, json_group_array(distinct user_id),
        json_group_array(distinct editor_id) filter (where editor_id is not null), json_group_array(json_object(${result}, 'file_verifiers', ${verifiersOfEntry} || ''))
      from ${changed} seen cross join discussion_entries on ${inPart} group by seen.topic_id, seen.part`),
    build.run(sql`delete from discussion_view_changes where ${isChanged(partOf('discussion_entry_id'))}`),
  ];
}
