// The way into a topic: whether it is there, whether the caller sees it, whether he has to post first.

import { getTableColumns, sql } from 'drizzle-orm';
import { readId } from '../../contexts/references';
import type { ResultOf } from '../../database/open';
import type { Call } from '../../http/call';
import { found, notFound, Problem, unauthorized } from '../../http/problem';
import { hasPosted } from './json';
import type { ForumPlace } from './place';
import { isVisible, present } from './policy';
import { type Forum, forumOf, mustPostFirst, type TopicRow } from './rights';
import { discussion_topics } from './table';

export type Entering = Pick<Call, 'db' | 'me' | 'user' | 'path' | 'now' | 'institution'> & { readonly course: ForumPlace };

/** @throws Problem 404 for what cannot be an id */
export const topicId = (path: { readonly topic_id: string }): number => found(readId(path.topic_id));

/** The topic as it stands for the caller, in one statement. */
export const selectTopic = ({ db, course, ...call }: Entering, id: number) =>
  db.build
    .select({
      ...getTableColumns(discussion_topics),
      is_visible: sql<number>`(${isVisible(course, call)})`.as('is_visible'),
      has_posted: hasPosted({ ...call, course }).as('has_posted'),
    })
    .from(discussion_topics)
    .where(sql`discussion_topics.id = ${id} and ${present(course)}`);

export interface Standing {
  readonly topic: TopicRow;
  readonly forum: Forum;
  readonly hasPosted: boolean;
}

/** @throws Problem 404 for none, 401 for one that is not the caller's to see */
export function reader(rows: ResultOf<ReturnType<typeof selectTopic>>, { course, me, institution }: Entering): Standing {
  const [row] = rows;
  if (!row) throw notFound();
  const { is_visible, has_posted, ...topic } = row;
  const kind = topic.is_announcement ? 'read_announcements' : 'read_forum';
  if (is_visible !== 1 || !course.can(kind)) throw unauthorized();
  return { topic, forum: forumOf(course, me, institution), hasPosted: has_posted === 1 };
}

/** @throws Problem 403, in words that clients compare, for whoever has to post before he may read the others */
export function participant(rows: ResultOf<ReturnType<typeof selectTopic>>, call: Entering): Standing {
  const standing = reader(rows, call);
  if (mustPostFirst(standing.topic, standing.forum, standing.hasPosted))
    throw new Problem(403, 'require_initial_post', { 'Content-Type': 'text/plain; charset=utf-8' });
  return standing;
}
