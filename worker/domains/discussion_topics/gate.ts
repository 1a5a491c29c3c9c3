// Access to a topic: whether it exists, is visible to the caller, and requires a post first.

import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import { readId } from '../../contexts/references';
import type { ResultOf } from '../../database/open';
import { shared } from '../../database/shared';
import type { Call } from '../../http/call';
import { found, notFound, Problem, problem, unauthorized } from '../../http/problem';
import { judged, type Reply } from '../../http/reply';
import { moduleLockOf } from '../modules/locks';
import { type ChildColumns, childColumns, childrenOf, ownChildOf } from './group_topics/children';
import { isGradedLater, topicLocks } from './group_topics/root_locks';
import { hasPosted, studentsPosted } from './json';
import { type ForumPlace, isGroup } from './place';
import { isTopicVisible, presentTopics } from './policy';
import { type Forum, forumOf, mustPostFirst, type TopicRow } from './rights';
import { discussion_topics } from './table';

export type Entering = Pick<Call, 'db' | 'me' | 'user' | 'path' | 'now' | 'institution'> & { readonly course: ForumPlace };

/** @throws Problem 404 for an invalid id */
export const topicId = (path: { readonly topic_id: string }): number => found(readId(path.topic_id));

/** Whether it is locked until a later date, its own or its assignment's; never for staff. */
function opensLater({ course: place, ...call }: Omit<Entering, 'db'>): SQL<number> {
  const delayed = place.readsAsAdmin
    ? sql`0`
    : sql`discussion_topics.workflow_state = 'post_delayed' and coalesce(discussion_topics.delayed_post_at, '') > ${shared('time', call.now)}`;
  return sql<number>`(${delayed} or ${isGradedLater(call, isGroup(place) ? place.group.course : place, isGroup(place))})`;
}

/** The topic with what decides about the caller's access, in one statement. */
export const selectTopic = ({ db, course, ...call }: Entering, id: number) =>
  db.build
    .select({
      ...getTableColumns(discussion_topics),
      is_visible: sql<number>`(${isTopicVisible(course, call)})`.as('is_visible'),
      has_posted: hasPosted({ ...call, course }).as('has_posted'),
      students_posted: studentsPosted({ group: isGroup(course) }).as('students_posted'),
      opens_later: opensLater({ ...call, course }).as('opens_later'),
      ...childColumns(call),
      root_assignment_id: sql<
        number | null
      >`(select root.assignment_id from discussion_topics root where root.id = discussion_topics.root_topic_id)`.as('root_assignment_id'),
    })
    .from(discussion_topics)
    .where(sql`discussion_topics.id = ${id} and ${presentTopics(course)}`);

export interface TopicAccess {
  readonly topic: TopicRow & ChildColumns & { readonly root_assignment_id: number | null };
  readonly forum: Forum;
  readonly hasPosted: boolean;
  /** Whether students have posted in it. */
  readonly isUsed: boolean;
  readonly opensLater: boolean;
}

/** @throws Problem 404 when missing, 401 when not visible to the caller */
export function reader(rows: ResultOf<ReturnType<typeof selectTopic>>, { course, me, institution }: Entering): TopicAccess {
  const [row] = rows;
  if (!row) throw notFound();
  const { is_visible, has_posted, students_posted, opens_later, ...topic } = row;
  const kind = topic.is_announcement ? 'read_announcements' : 'read_forum';
  if (is_visible !== 1 || !course.can(kind)) throw unauthorized();
  const posted = has_posted === 1 || ownChildOf(topic)?.hasPosted === true;
  const isUsed = students_posted === 1 || childrenOf(topic).some(({ entries }) => entries > 0);
  return { topic, forum: forumOf(course, me, institution), hasPosted: posted, isUsed, opensLater: opens_later === 1 };
}

/** @throws Problem 403, with a text that clients compare, when the caller must post first */
export function asParticipant(rows: ResultOf<ReturnType<typeof selectTopic>>, call: Entering): TopicAccess {
  const standing = reader(rows, call);
  if (mustPostFirst(standing.topic, standing.forum, standing.hasPosted))
    throw new Problem(403, 'require_initial_post', { 'Content-Type': 'text/plain; charset=utf-8' });
  return standing;
}

/** The module locks of the topic, in one statement. */
export const selectTopicLocks = ({ db, me, course }: Entering, id: number) =>
  topicLocks(sql`select ${id}`, isGroup(course) ? { db, me, course: undefined, group: course.group } : { db, me, course });

/**
 * Readers of the entries: not before the topic is available by its dates and modules; a closed topic stays readable.
 * @throws Problem 403 besides what `asParticipant` throws
 */
export function listener(
  rows: ResultOf<ReturnType<typeof selectTopic>>,
  locks: ResultOf<ReturnType<typeof selectTopicLocks>>,
  call: Entering,
): TopicAccess {
  const standing = asParticipant(rows, call);
  const { root_topic_id, id } = standing.topic;
  if (standing.opensLater || moduleLockOf(locks, 'Discussion', root_topic_id ?? id, call.now) !== undefined)
    throw problem(403, 'The discussion is locked.');
  return standing;
}

/** A list of a topic's entries, for callers who may read them. */
export const notifyReaders = (call: Entering, id: number, then: Reply): Reply => {
  let topics: ResultOf<ReturnType<typeof selectTopic>> = [];
  return judged(
    selectTopic(call, id),
    (rows) => {
      topics = rows;
    },
    judged(selectTopicLocks(call, id), (locks) => void listener(topics, locks, call), then),
  );
};
