// External feeds: every endpoint, in the order of the API reference.

import { optional, text } from '@carrel/shared/wire/fields';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { readId } from '../../contexts/references';
import type { Call } from '../../http/call';
import { del, get, post } from '../../http/endpoint';
import { rows } from '../../http/listing';
import { found, invalid } from '../../http/problem';
import { list, one, row, write } from '../../http/reply';
import { isPublic } from '../../web/public_address';
import { type ForumPlace, forumContextOf, forumPlace } from '../discussion_topics/place';
import { forumOf } from '../discussion_topics/rights';
import { externalFeed } from './json';
import { external_feed_entries, external_feeds, verbosities } from './table';

export const about = { title: 'External feeds', description: 'RSS and Atom feeds whose entries become announcements.' };

/** Callers who may create announcements. */
const can = (call: Call): boolean => {
  if (!(call.group?.canRead ?? call.course?.canRead)) return false;
  return forumOf(forumPlace(call), call.me, call.institution).announces;
};

const within = (place: ForumPlace): SQL => {
  const { context_type, context_id } = forumContextOf(place);
  return and(eq(external_feeds.context_type, context_type), eq(external_feeds.context_id, context_id)) as SQL;
};

/** @throws Problem 400 unless it is a public web URL */
function addressOf(given: string | undefined): string {
  const url = URL.parse(given?.trim() ?? '');
  if (!given?.trim()) throw invalid('url', 'blank', "can't be blank");
  if (!url || !isPublic(url) || url.href.length > 2000) throw invalid('url', 'invalid', 'is not a public web URL');
  return url.href;
}

const places = ['/courses/:course_id', '/groups/:group_id'] as const;

export const externalFeedRoutes = places.flatMap((place) => {
  const feeds = `${place}/external_feeds` as const;
  return [
    get(feeds, { can, returns: [externalFeed], summary: 'List external feeds' }, (call) =>
      list(rows(external_feeds, { where: within(forumPlace(call)) })),
    ),

    post(
      feeds,
      {
        can,
        params: { url: optional(text), header_match: optional(text), verbosity: optional(text) },
        returns: externalFeed,
        summary: 'Create an external feed',
      },
      (call) => {
        const { db, env, me, now, params } = call;
        const url = addressOf(params.url);
        const header_match = params.header_match?.trim().slice(0, 255) || null;
        const verbosity = verbosities.find((word) => word === params.verbosity) ?? 'full';
        const place = forumPlace(call);
        const itself = sql`external_feeds.url = ${url} and external_feeds.verbosity = ${verbosity} and coalesce(external_feeds.header_match, '') = ${header_match ?? ''}`;
        call.afterwards(async () => {
          const later = db.aside;
          const [[made]] = await later.perform([
            later.build
              .select({ id: external_feeds.id })
              .from(external_feeds)
              .where(and(within(place), itself)),
          ]);
          if (made) await env.WORK.send({ job: 'read_external_feeds', ids: [made.id] });
        });
        return write(
          [
            db.build.insert(external_feeds).values({
              ...forumContextOf(place),
              user_id: me.id,
              url,
              header_match,
              verbosity,
              refresh_at: now,
              created_at: now,
              updated_at: now,
            }),
          ],
          one(rows(external_feeds, { where: eq(external_feeds.id, sql`last_insert_rowid()`) })),
          { external_feeds: () => invalid('url', 'taken', 'has already been taken') },
        );
      },
    ),

    // Existing announcements stay.
    del(`${feeds}/:external_feed_id`, { can, returns: externalFeed, summary: 'Delete an external feed' }, async (call) => {
      const { db } = call;
      const id = readId(call.path.external_feed_id) ?? 0;
      const where = and(within(forumPlace(call)), eq(external_feeds.id, id));
      const [[gone]] = await db.perform([db.build.select().from(external_feeds).where(where)]);
      found(gone);
      return write(
        [
          db.build.delete(external_feeds).where(where),
          db.build.delete(external_feed_entries).where(eq(external_feed_entries.external_feed_id, id)),
        ],
        row(gone),
      );
    }),
  ];
});
