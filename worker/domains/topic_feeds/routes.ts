// Podcast feeds of topics at secret URLs that need no token (reference 05 §4.4).

import { sql } from 'drizzle-orm';
import { readId } from '../../contexts/references';
import { isSealedTopicFeed, ownerNamed } from '../../crypto/topic_feed_address';
import { htmlToText } from '../../html/plain';
import { absolute, get } from '../../http/endpoint';
import { found, notFound, Problem } from '../../http/problem';
import { rawResponse } from '../../http/reply';
import { unlessKnown } from '../../http/unless_known';
import { listener, selectTopic, selectTopicLocks } from '../discussion_topics/gate';
import { inForum } from '../discussion_topics/place';
import { selectEpisodes } from './episodes';
import { rss } from './rss';

export const about = { title: 'Topic feeds', description: 'Announcements and podcasts as feeds for readers.' };

const placeOf = (type: 'Course' | 'Group', { topic_id = '' }: Record<string, string>) =>
  sql`select context_id from discussion_topics where id = ${readId(topic_id) ?? 0} and context_type = ${type}`;

/** Any refusal becomes a 404, so that the URL reveals nothing. */
function orNothing<T>(decide: () => T): T {
  try {
    return decide();
  } catch (refusal) {
    throw refusal instanceof Problem ? notFound() : refusal;
  }
}

export const topicFeedRoutes = absolute(
  get(
    '/feeds/topics/:topic_id/:feed',
    {
      can: 'anyone',
      unscoped: true,
      withoutCaller: true,
      speaksFor: ({ feed = '' }) => sql`select id from users where id = ${ownerNamed(feed)}`,
      within: (path) => ({ course: placeOf('Course', path), group: placeOf('Group', path) }),
      conditional: 'feed',
      returns: { json: null },
      summary: 'Get the podcast feed of a topic (RSS)',
    },
    async (asked) => {
      const { topic_id, feed } = asked.path;
      const id = found(readId(topic_id));
      const { db, me, origin, request } = asked;
      if (!me.isKnown || !isSealedTopicFeed(feed, id, me.user)) throw notFound();
      const call = inForum(asked);
      const [topics, locks, episodes] = await db.perform([selectTopic(call, id), selectTopicLocks(call, id), selectEpisodes(db, id)]);
      const { topic } = orNothing(() => listener(topics, locks, call));
      if (!topic.podcast_enabled) throw notFound();
      const body = rss(
        {
          title: topic.title,
          description: htmlToText(topic.message ?? ''),
          url: `${origin}/${topic.context_type.toLowerCase()}s/${topic.context_id}/discussion_topics/${id}`,
          episodes,
        },
        origin,
      );
      return rawResponse(await unlessKnown(body, { 'Content-Type': 'application/rss+xml; charset=utf-8' }, request));
    },
  ),
);
