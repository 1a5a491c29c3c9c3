// Reordering and duplicating discussion topics, for moderators.

import { commaList, optional, referenceTo } from '@carrel/shared/wire/fields';
import { sql } from 'drizzle-orm';
import { post } from '../../http/endpoint';
import { rows } from '../../http/listing';
import { Problem, problem, unauthorized } from '../../http/problem';
import { answer, one, write } from '../../http/reply';
import { assignments } from '../assignments/table';
import { copyName, duplicate as duplicateAssignment, newestAssignment } from '../assignments/writes';
import { reader, selectTopic, topicId } from './gate';
import { discussionTopic } from './json';
import { asCourse, forumContextOf, forumPlace, inForum } from './place';
import { presentTopics } from './policy';
import { reorderStatement, selectForReorder } from './reorder';
import { mayCopy } from './rights';
import { discussion_topics } from './table';
import { makeTopic, newestTopic } from './writes';

const places = ['/courses/:course_id', '/groups/:group_id'] as const;

export const discussionArrangeRoutes = places.flatMap((place) => {
  const topics = `${place}/discussion_topics` as const;
  const topic = `${topics}/:topic_id` as const;

  return [
    post(
      `${topics}/reorder`,
      {
        can: 'moderate_forum',
        params: { order: optional(commaList(referenceTo('discussion_topic'))) },
        returns: { json: null },
        summary: 'Reorder pinned topics',
      },
      async (call) => {
        const { db, params } = call;
        const course = forumPlace(call);
        const order = params.order ?? [];
        if (order.length === 0 || !order.every((one) => /^\d{1,15}$/.test(one))) throw problem(400, 'order parameter required');
        const ids = order.map(Number);
        const [pinned] = await db.perform([selectForReorder(db, course)]);
        if (!ids.every((id) => pinned.some((one) => one.id === id))) throw problem(400, 'topics not found');
        const rest = pinned.map(({ id }) => id).filter((id) => !ids.includes(id));
        return write([reorderStatement(db, [...ids, ...rest])], answer({ reorder: true, order: [...ids, ...rest].map(String) }));
      },
    ),

    post(
      `${topic}/duplicate`,
      { can: 'create_forum', returns: discussionTopic, summary: 'Duplicate a discussion topic' },
      async (asked) => {
        const call = inForum(asked);
        const { db, course } = call;
        const id = topicId(call.path);
        const [topicRows, titles, graded] = await db.perform([
          selectTopic(call, id),
          db.build.select({ title: discussion_topics.title }).from(discussion_topics).where(presentTopics(course)),
          db.build.select().from(assignments).where(sql`id = (select assignment_id from discussion_topics where id = ${id})`),
        ]);
        const { topic: source, forum } = reader(topicRows, call);
        if (!mayCopy(source, forum)) throw unauthorized();
        if (source.root_topic_id !== null)
          throw new Problem(400, { errors: [{ message: 'group topics are duplicated through their course topic' }] });
        if (source.is_announcement) throw new Problem(400, { errors: [{ message: 'announcements cannot be duplicated' }] });
        const title = copyName(source.title, new Set(titles.map((other) => other.title)));
        const {
          id: _,
          context_type: __,
          context_id: ___,
          entry_count: ____,
          position: _____,
          created_at: ______,
          updated_at: _______,
          children: ________,
          own_child: _________,
          root_assignment_id: __________,
          ...copied
        } = source;
        const positions = sql<string>`(select json_group_object(id, position) from (select t.id, t.position from discussion_topics t where t.context_type = ${forumContextOf(course).context_type} and t.context_id = ${course.id} and t.is_announcement = 0 and t.pinned = ${source.pinned ? 1 : 0} and t.workflow_state <> 'deleted'))`;
        return write(
          [
            ...(graded[0] ? duplicateAssignment(asCourse(call), graded[0], title) : []),
            ...makeTopic(
              call,
              {
                ...copied,
                title,
                // Only moderators may create drafts and pinned topics.
                ...(forum.moderates ? { workflow_state: 'unpublished' } : { workflow_state: 'active', pinned: false }),
                posted_at: call.now,
                last_reply_at: call.now,
                assignment_id: graded[0] ? newestAssignment : null,
              },
              { after: source.id },
            ),
          ],
          one(
            rows(discussion_topics, {
              where: sql`discussion_topics.id = ${newestTopic}`,
              columns: { new_positions: positions.as('new_positions') },
            }),
          ),
        );
      },
    ),
  ];
});
