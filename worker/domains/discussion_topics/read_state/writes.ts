// Statements for read state, forced read state and subscriptions.

import { type SQL, sql } from 'drizzle-orm';
import type { Statement } from '../../../database/open';
import { shared } from '../../../database/shared';
import { discussion_entry_reads, discussion_topic_reads } from '../table';
import { type Around, markTopicRead } from '../writes';

type Reading = Omit<Around, 'course'>;

/**
 * @param topics a select of the topic and of those whose entries are shown with it
 * @param forced when given, the read state counts as set by hand
 */
export function markAll(around: Reading, topic_id: number, topics: SQL, read: boolean, forced: boolean | undefined): Statement[] {
  const { db, me } = around;
  const mine = sql`discussion_topic_id in (${topics}) and user_id = ${shared('user', me.id)}`;
  const force = forced === undefined ? sql`` : sql`, forced = ${forced ? 1 : 0}`;
  const every = (flag: 0 | 1) =>
    db.build.run(sql`insert into discussion_entry_reads (discussion_entry_id, discussion_topic_id, user_id, read, forced)
      select id, discussion_topic_id, ${shared('user', me.id)}, ${flag}, ${forced ? 1 : 0} from discussion_entries where discussion_topic_id in (${topics})
      on conflict (discussion_entry_id, user_id) do update set read = ${flag} ${force}`);
  if (!read)
    return [
      // Without a row an entry is unread anyway, unless the state must count as set by hand.
      forced === undefined ? db.build.run(sql`update discussion_entry_reads set read = 0 where ${mine}`) : every(0),
      db.build.run(
        sql`update discussion_topic_reads set read = 0 where discussion_topic_id = ${topic_id} and user_id = ${shared('user', me.id)}`,
      ),
    ];
  return [every(1), markTopicRead(around as Around, topic_id)];
}

export const subscribe = ({ db, me }: Reading, topic_id: number, subscribed: boolean): Statement =>
  db.build
    .insert(discussion_topic_reads)
    .values({ discussion_topic_id: topic_id, user_id: me.id, subscribed })
    .onConflictDoUpdate({ target: [discussion_topic_reads.discussion_topic_id, discussion_topic_reads.user_id], set: { subscribed } });

export const markEntry = ({ db, me }: Reading, topic_id: number, entry_id: number, read: boolean, forced: boolean | undefined): Statement =>
  db.build
    .insert(discussion_entry_reads)
    .values({ discussion_entry_id: entry_id, discussion_topic_id: topic_id, user_id: me.id, read, forced: forced ?? false })
    .onConflictDoUpdate({
      target: [discussion_entry_reads.discussion_entry_id, discussion_entry_reads.user_id],
      set: { read, ...(forced !== undefined && { forced }) },
    });

/** One rating per user; 0 removes it. The entry keeps sum and count. */
export const rate = ({ db, me }: Reading, topic_id: number, entry_id: number, rating: number): Statement[] => [
  db.build
    .insert(discussion_entry_reads)
    .values({ discussion_entry_id: entry_id, discussion_topic_id: topic_id, user_id: me.id, read: false, rating })
    .onConflictDoUpdate({ target: [discussion_entry_reads.discussion_entry_id, discussion_entry_reads.user_id], set: { rating } }),
  db.build.run(sql`update discussion_entries set
    rating_sum = (select coalesce(sum(r.rating), 0) from discussion_entry_reads r where r.discussion_entry_id = ${entry_id}),
    rating_count = (select count(*) from discussion_entry_reads r where r.discussion_entry_id = ${entry_id} and r.rating > 0)
    where id = ${entry_id}`),
];
