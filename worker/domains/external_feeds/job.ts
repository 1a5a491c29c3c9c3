// Reads web feeds: the scheduled run queues those that are due, and a job reads them one by one. Reading a feed again announces nothing twice.

import { wireTime } from '@carrel/shared/wire/fields';
import { eq, sql } from 'drizzle-orm';
import { atMost } from '../../database/at_most';
import { among } from '../../database/ids';
import { type Database, newMeter, open, type Statement } from '../../database/open';
import { countUpTo } from '../../database/retention';
import { sha256 } from '../../http/idempotency';
import type { RowOf } from '../../http/listing';
import type { Job, Platform } from '../../platform';
import { notifyOfInsert } from '../../rules/notify';
import { bytesWithin, fetchPublic, Unfetched } from '../../web/fetch_public';
import { discussion_topics } from '../discussion_topics/table';
import { type Announcement, announcementsOf } from './announce';
import { parseFeed, Unreadable } from './parse';
import { external_feed_entries as entries, external_feeds as feeds } from './table';

type FeedRow = RowOf<typeof feeds>;

const hour = 3_600_000;
const atOnce = 200;
const perJob = 10;
const largest = 2_000_000;
const longest = 10_000;
/** A feed is no longer read after this many failures. */
const mostFailures = 5;

const ahead = (now: string, hours: number) => wireTime(Date.parse(now) + hours * hour);
const isDue = (now: string) => sql`refresh_at <= ${now} and consecutive_failures < ${sql.raw(String(mostFailures))}`;
/** No announcements in courses and groups that are deleted or concluded. */
const isAlive = sql`case external_feeds.context_type when 'Course' then exists (select 1 from courses c where c.id = external_feeds.context_id and c.workflow_state in ('created', 'claimed', 'available'))
  else exists (select 1 from groups g where g.id = external_feeds.context_id and g.workflow_state = 'available') end`;

/** Queues feeds that are due and sets their next date, regardless of the result. @returns how many are left, as far as they were counted */
export async function readDueFeeds(env: Platform, db: Database, now: string): Promise<number> {
  const due = sql`select id from external_feeds where ${isDue(now)} order by refresh_at limit ${atMost(atOnce)}`;
  const [taken, counted] = await db.perform([
    db.build
      .update(feeds)
      .set({ refresh_at: ahead(now, 1) })
      .where(sql`id in (${due})`)
      .returning({ id: feeds.id }),
    countUpTo(db, sql`from external_feeds where ${isDue(now)}`),
  ]);
  const ids = taken.map(({ id }) => id);
  for (let at = 0; at < ids.length; at += perJob) await env.WORK.send({ job: 'read_external_feeds', ids: ids.slice(at, at + perJob) });
  return counted[0]?.count ?? 0;
}

export async function readFeeds({ ids = [] }: Job, env: Platform): Promise<void> {
  const db = open(env.DB, newMeter(), 'first-primary');
  const now = wireTime(Date.now());
  const [rows] = await db.perform([
    db.build
      .select()
      .from(feeds)
      .where(sql`${among(feeds.id, ids)} and ${isAlive}`),
  ]);
  for (const feed of rows) await readFeed(feed, db, now);
}

async function readFeed(feed: FeedRow, db: Database, now: string): Promise<void> {
  try {
    const answer = await ask(feed);
    const { title, entries: found } = answer.text === undefined ? { title: null, entries: [] } : parseFeed(answer.text, feed.url);
    const news = await Promise.all(
      announcementsOf(found, feed, now).map(async (one) => ({
        ...one,
        key: (await sha256(one.name)).slice(0, 40),
        digest: (await sha256(`${one.title} ${one.message}`)).slice(0, 40),
      })),
    );
    await db.perform([
      ...(await announcing(feed, news, db, now)),
      db.build
        .update(feeds)
        .set({
          title: title || feed.title,
          etag: answer.etag,
          last_modified: answer.last_modified,
          consecutive_failures: 0,
          refresh_at: ahead(now, 1),
          updated_at: now,
        })
        .where(eq(feeds.id, feed.id)),
    ]);
  } catch (error) {
    if (!(error instanceof Unfetched || error instanceof Unreadable)) throw error;
    const failures = feed.consecutive_failures + 1;
    await db.perform([
      db.build
        .update(feeds)
        .set({ consecutive_failures: failures, refresh_at: ahead(now, 2 ** failures), updated_at: now })
        .where(eq(feeds.id, feed.id)),
    ]);
  }
}

/** The feed's content if it has changed. @throws Unfetched */
async function ask({ url, etag, last_modified }: FeedRow): Promise<Pick<FeedRow, 'etag' | 'last_modified'> & { text?: string }> {
  const response = await fetchPublic(url, {
    signal: AbortSignal.timeout(longest),
    headers: {
      Accept: 'application/atom+xml, application/rss+xml, application/xml;q=0.9, */*;q=0.5',
      'User-Agent': 'Carrel (feed reader)',
      ...(etag !== null && { 'If-None-Match': etag }),
      ...(last_modified !== null && { 'If-Modified-Since': last_modified }),
    },
  });
  if (response.status === 304) return { etag, last_modified };
  if (!response.ok) throw new Unfetched(`the URL returned ${response.status}`);
  const bytes = await bytesWithin(response, largest);
  return {
    text: decoded(bytes, response.headers.get('content-type') ?? ''),
    etag: response.headers.get('etag'),
    last_modified: response.headers.get('last-modified'),
  };
}

/** Charset of the response header, else of the document, else UTF-8. */
function decoded(bytes: Uint8Array, type: string): string {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 200));
  const [, charset = 'utf-8'] = /charset="?([\w-]+)/i.exec(type) ?? /^<\?xml[^>]*encoding=["']([\w-]+)/i.exec(head) ?? [];
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

type News = Announcement & { readonly key: string; readonly digest: string };

/** Announces new entries, oldest first; updates the announcements of entries that changed. */
async function announcing(feed: FeedRow, news: readonly News[], db: Database, now: string): Promise<Statement[]> {
  if (news.length === 0) return [];
  const [known] = await db.perform([
    db.build
      .select({ key: entries.key, digest: entries.digest, topic: entries.discussion_topic_id })
      .from(entries)
      .where(
        sql`${entries.external_feed_id} = ${feed.id} and ${among(
          entries.key,
          news.map(({ key }) => key),
        )}`,
      ),
  ]);
  const before = new Map(known.map((one) => [one.key, one]));
  return [...news].reverse().flatMap((one) => {
    const seen = before.get(one.key);
    if (!seen) return announced(feed, one, db, now);
    return seen.digest === one.digest ? [] : changed(feed, one, seen.topic, db, now);
  });
}

/** An announcement without an author; closed for comments. */
const announced = (
  { id, context_type, context_id }: FeedRow,
  { key, digest, title, message, posted_at }: News,
  db: Database,
  now: string,
): Statement[] => [
  db.build.insert(discussion_topics).values({
    context_type,
    context_id,
    title,
    message,
    is_announcement: true,
    locked: true,
    workflow_state: 'active',
    posted_at,
    last_reply_at: posted_at,
    position: sql`(select coalesce(max(t.position), 0) + 1 from discussion_topics t where t.context_type = ${context_type} and t.context_id = ${context_id} and t.is_announcement = 1)`,
    created_at: now,
    updated_at: now,
  }),
  ...notifyOfInsert(db, discussion_topics, now),
  // If another delivery of the job announced it first, the batch is rolled back.
  db.build.insert(entries).values({
    external_feed_id: id,
    key,
    digest,
    discussion_topic_id: sql`(select max(id) from discussion_topics)`,
    created_at: now,
  }),
];

const changed = ({ id }: FeedRow, { key, digest, title, message }: News, topic: number, db: Database, now: string): Statement[] => [
  db.build.update(discussion_topics).set({ title, message, updated_at: now }).where(sql`id = ${topic} and workflow_state <> 'deleted'`),
  db.build.update(entries).set({ digest }).where(sql`external_feed_id = ${id} and key = ${key}`),
];
