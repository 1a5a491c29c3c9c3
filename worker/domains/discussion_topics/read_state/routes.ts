// Read state and subscriptions of topics: endpoints that return 204.

import { bool, optional } from '@carrel/shared/wire/fields';
import { sql } from 'drizzle-orm';
import { shared } from '../../../database/shared';
import { del, put } from '../../../http/endpoint';
import { problem } from '../../../http/problem';
import { answer, write } from '../../../http/reply';
import { asParticipant, reader, selectTopic, topicId } from '../gate';
import { isRoot, ownChildOf, withChildren } from '../group_topics/children';
import { inForum, progressed } from '../place';
import { holdOf } from '../rights';
import { markTopicRead } from '../writes';
import { markAll, subscribe } from './writes';

const read = ['read_forum', 'read_announcements'] as const;
const nothing = answer(null, 204);

const places = ['/courses/:course_id', '/groups/:group_id'] as const;

export const discussionReadRoutes = places.flatMap((place) => {
  const address = `${place}/discussion_topics/:topic_id` as const;

  return [
    put(`${address}/read`, { can: read, returns: { json: null }, status: 204, summary: 'Mark a topic as read' }, async (asked) => {
      const call = inForum(asked);
      const id = topicId(call.path);
      const [topicRows] = await call.db.perform([selectTopic(call, id)]);
      const { topic } = reader(topicRows, call);
      return write([...progressed(call, call.course, topic, 'read'), markTopicRead(call, id)], nothing);
    }),

    del(`${address}/read`, { can: read, returns: { json: null }, status: 204, summary: 'Mark a topic as unread' }, async (asked) => {
      const call = inForum(asked);
      const id = topicId(call.path);
      const [topicRows] = await call.db.perform([selectTopic(call, id)]);
      reader(topicRows, call);
      return write(
        [
          call.db.build.run(
            sql`update discussion_topic_reads set read = 0 where discussion_topic_id = ${id} and user_id = ${shared('user', call.me.id)}`,
          ),
        ],
        nothing,
      );
    }),

    put(
      `${address}/read_all`,
      {
        can: read,
        params: { forced_read_state: optional(bool) },
        returns: { json: null },
        status: 204,
        summary: 'Mark a topic and its entries as read',
      },
      async (asked) => {
        const call = inForum(asked);
        const id = topicId(call.path);
        const [topicRows] = await call.db.perform([selectTopic(call, id)]);
        const { topic } = asParticipant(topicRows, call);
        const all = withChildren(call.course, id, call.me.id);
        return write(
          [...progressed(call, call.course, topic, 'read'), ...markAll(call, id, all, true, call.params.forced_read_state)],
          nothing,
        );
      },
    ),

    del(
      `${address}/read_all`,
      {
        can: read,
        params: { forced_read_state: optional(bool) },
        returns: { json: null },
        status: 204,
        summary: 'Mark a topic and its entries as unread',
      },
      async (asked) => {
        const call = inForum(asked);
        const id = topicId(call.path);
        const [topicRows] = await call.db.perform([selectTopic(call, id)]);
        asParticipant(topicRows, call);
        const all = withChildren(call.course, id, call.me.id);
        return write(markAll(call, id, all, false, call.params.forced_read_state), nothing);
      },
    ),

    put(`${address}/subscribed`, { can: read, returns: { json: null }, status: 204, summary: 'Subscribe to a topic' }, async (asked) => {
      const call = inForum(asked);
      const id = topicId(call.path);
      const [topicRows] = await call.db.perform([selectTopic(call, id)]);
      const { topic: followed, forum, hasPosted } = asParticipant(topicRows, call);
      const child = ownChildOf(followed);
      if (isRoot(followed) && !child) throw problem(400, 'not_in_group_set');
      const hold = holdOf(followed, forum, hasPosted);
      if (hold) throw problem(403, hold);
      return write([subscribe(call, child?.id ?? id, true)], nothing);
    }),

    del(
      `${address}/subscribed`,
      { can: read, returns: { json: null }, status: 204, summary: 'Unsubscribe from a topic' },
      async (asked) => {
        const call = inForum(asked);
        const id = topicId(call.path);
        const [topicRows] = await call.db.perform([selectTopic(call, id)]);
        const { topic: followed } = reader(topicRows, call);
        const child = ownChildOf(followed);
        if (isRoot(followed) && !child) throw problem(400, 'not_in_group_set');
        return write([subscribe(call, child?.id ?? id, false)], nothing);
      },
    ),
  ];
});
