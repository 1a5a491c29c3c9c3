// Lists of topics: filters and sort orders (reference 05 §4.1, §4.4).

import { lookUp } from '@carrel/shared/wire/look_up';
import { and, type SQL, sql } from 'drizzle-orm';
import { contains } from '../../database/ids';
import { shared } from '../../database/shared';
import type { Call } from '../../http/call';
import { ascending, collated, descending, type Listing, rows } from '../../http/listing';
import { Problem, unauthorized } from '../../http/problem';
import type { ForumPlace } from './place';
import { mustPost, visibleTopics } from './policy';
import { discussion_topics as topics } from './table';

export interface TopicFilters {
  readonly order_by?: string;
  readonly scope?: readonly string[];
  readonly only_announcements?: boolean;
  readonly filter_by?: string;
  readonly search_term?: string;
}

const scopes = (now: string): Record<string, SQL> => {
  const locked = sql`(discussion_topics.locked = 1 or coalesce(discussion_topics.lock_at <= ${shared('time', now)}, 0))`;
  return {
    locked,
    unlocked: sql`not ${locked}`,
    pinned: sql`discussion_topics.pinned = 1`,
    unpinned: sql`discussion_topics.pinned = 0`,
  };
};

/** @throws Problem 400 for contradictory scopes */
function inScope(words: readonly string[], now: string): SQL | undefined {
  const has = (word: string) => words.includes(word);
  if ((has('locked') && has('unlocked')) || (has('pinned') && has('unpinned')))
    throw new Problem(400, { errors: { scope: 'scope is contradictory' } });
  const known = scopes(now);
  return and(...words.flatMap((word) => lookUp(known, word) ?? []));
}

const unread = (me: number): SQL =>
  sql`not exists (select 1 from discussion_topic_reads r where r.discussion_topic_id = discussion_topics.id and r.user_id = ${me} and r.read = 1 and (r.read_count >= discussion_topics.entry_count or ${mustPost('discussion_topics', sql`${me}`)}))`;

/** When an announcement becomes visible. Must match the expression of its index. */
export const announcedAt = sql<string>`coalesce(discussion_topics.delayed_post_at, discussion_topics.posted_at, discussion_topics.created_at)`;
const repliedAt = sql`coalesce(discussion_topics.last_reply_at, discussion_topics.created_at)`;

/** Pinned topics first, in their own order; then the others from the highest position down. Must match the expression of its index. */
const standing = sql<number>`iif(discussion_topics.pinned, 1000000000 - discussion_topics.position, discussion_topics.position)`;

function orderOf(order_by: string | undefined, announcements: boolean): Listing['order'] {
  if (order_by === 'title') return ascending(collated(topics.title), topics.id);
  if (order_by === 'recent_activity') return descending(repliedAt, topics.id);
  return announcements ? descending(announcedAt, topics.id) : descending(standing, topics.created_at, topics.id);
}

export function topicsOf(course: ForumPlace, call: Pick<Call, 'me' | 'user' | 'path' | 'now'>, given: TopicFilters): Listing {
  const announcements = given.only_announcements === true;
  if (!course.can(announcements ? 'read_announcements' : 'read_forum')) throw unauthorized();
  return rows(topics, {
    where: and(
      visibleTopics(course, call),
      sql`discussion_topics.is_announcement = ${sql.raw(announcements ? '1' : '0')}`,
      inScope(given.scope ?? [], call.now),
      given.filter_by === 'unread' ? unread(call.me.id) : undefined,
      given.search_term ? contains(topics.title, given.search_term) : undefined,
    ),
    order: orderOf(given.order_by, announcements),
  });
}
