// Group topics of a group discussion (reference 05 §4.4). Triggers create them and keep them in step with the root topic.

import { type SQL, sql } from 'drizzle-orm';
import { shared } from '../../../database/shared';
import type { Call } from '../../../http/call';
import { Problem } from '../../../http/problem';
import { type ForumPlace, isGroup } from '../place';
import type { discussion_topics } from '../table';

type TopicRow = typeof discussion_topics.$inferSelect;

/** A root topic, whose discussion takes place in its group topics. */
export const isRoot = ({ group_category_id, root_topic_id }: Pick<TopicRow, 'group_category_id' | 'root_topic_id'>): boolean =>
  group_category_id !== null && root_topic_id === null;

const ofRoots = (value: SQL) =>
  sql<
    string | null
  >`case when discussion_topics.group_category_id is not null and discussion_topics.root_topic_id is null then ${value} end`;

const childOf = sql`child.root_topic_id = discussion_topics.id and child.context_type = 'Group' and child.workflow_state <> 'deleted'`;
const isIn = (me: number): SQL =>
  sql`exists (select 1 from group_memberships m where m.group_id = child.context_id and m.user_id = ${me} and m.workflow_state = 'accepted')`;

export const childColumns = ({ me }: Pick<Call, 'me'>) => ({
  /** JSON of `[id, group_id, entries]` per group topic. */
  children: ofRoots(
    sql`(select json_group_array(json_array(id, context_id, entry_count)) from (select child.id, child.context_id, child.entry_count from discussion_topics child where ${childOf} order by child.context_id))`,
  ).as('children'),
  /** JSON of `[id, subscribed, has posted]` of the topic of the caller's group, or null. */
  own_child: ofRoots(
    sql`(select json_array(child.id, (select r.subscribed from discussion_topic_reads r where r.discussion_topic_id = child.id and r.user_id = ${shared('user', me.id)}),
      exists (select 1 from discussion_entries e where e.discussion_topic_id = child.id and e.user_id = ${shared('user', me.id)} and e.workflow_state = 'active'))
      from discussion_topics child where ${childOf} and ${isIn(me.id)} limit 1)`,
  ).as('own_child'),
});

export interface ChildColumns {
  readonly children?: string | null;
  readonly own_child?: string | null;
}

export interface OwnChild {
  readonly id: number;
  readonly subscribed: boolean | null;
  readonly hasPosted: boolean;
}

export function ownChildOf({ own_child }: ChildColumns): OwnChild | undefined {
  if (!own_child) return undefined;
  const [id, subscribed, hasPosted] = JSON.parse(own_child) as [number, number | null, number];
  return { id, subscribed: subscribed === null ? null : subscribed === 1, hasPosted: hasPosted === 1 };
}

export const childrenOf = ({ children }: ChildColumns) =>
  (JSON.parse(children ?? '[]') as [number, number, number][]).map(([id, group_id, entries]) => ({ id, group_id, entries }));

/** A select of the group topics that the caller may read; staff read all. */
export const childTopicsVisible = (place: ForumPlace, id: number, me: number): SQL | undefined =>
  isGroup(place)
    ? undefined
    : sql`select child.id from discussion_topics child where child.root_topic_id = ${id} and child.context_type = 'Group' and child.workflow_state <> 'deleted'${place.readsAsAdmin ? sql`` : sql` and ${isIn(me)}`}`;

/** A select of the topic and of its readable group topics. */
export function withChildren(place: ForumPlace, id: number, me: number): SQL {
  const children = childTopicsVisible(place, id, me);
  return children ? sql`select ${id} as id union all ${children}` : sql`select ${id} as id`;
}

/** The same for serializers, outside of a forum's context. */
export const groupTopicsVisible = ({ course, group, me }: Pick<Call, 'course' | 'group' | 'me'>, id: number): SQL =>
  group || !course ? sql`select ${id} as id` : withChildren(course, id, me.id);

/** Whether a group set exists: one row, or none. */
export const selectSet = ({ db }: Pick<Call, 'db'>, course: ForumPlace, set: number | null | undefined) =>
  db.build.all<{ id: number }>(
    sql`select id from group_categories where id = ${set ?? 0} and context_type = 'Course' and context_id = ${isGroup(course) ? 0 : course.id} and workflow_state = 'available'`,
  );

/** @throws Problem 400 for an unknown group set, for an announcement, and for a topic with entries */
export function checkTopicGroupCategory(
  set: number | null | undefined,
  there: readonly unknown[],
  { is_announcement, isUsed }: { is_announcement: boolean; isUsed: boolean },
): void {
  const refuse = (message: string) => new Problem(400, { errors: { group: [{ attribute: 'group', type: 'invalid', message }] } });
  if (set === undefined) return;
  if (is_announcement && set !== null) throw refuse('Announcements cannot be group discussions');
  if (isUsed) throw refuse('This discussion already has replies');
  if (set !== null && there.length === 0) throw refuse('is not a group set of the course');
}
