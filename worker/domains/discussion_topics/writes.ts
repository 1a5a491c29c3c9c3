// Statements that write topics.

import { and, eq, type SQL, sql } from 'drizzle-orm';
import { atMost } from '../../database/at_most';
import type { Database, Statement } from '../../database/open';
import { changeTopics } from '../../rules/graded_topics';
import { notifyOfInsert, notifyOfUpdate } from '../../rules/notify';
import { module_items } from '../modules/table';
import { type ForumPlace, forumContextOf } from './place';
import { presentTopics } from './policy';
import type { TopicRow } from './rights';
import { discussion_topic_reads, discussion_topics } from './table';

export interface Around {
  readonly db: Database;
  readonly course: ForumPlace;
  readonly me: { readonly id: number };
  readonly now: string;
}

/** The topic inserted in this batch: ids only grow; group topics are created later, by triggers. */
export const newestTopic = sql<number>`(select id from discussion_topics where root_topic_id is null order by id desc limit 1)`;

/** Pinned topics, other topics, and announcements each have their own order. */
const siblings = (course: ForumPlace, is_announcement: boolean, pinned: boolean): SQL =>
  sql`${presentTopics(course)} and discussion_topics.is_announcement = ${is_announcement ? 1 : 0} and discussion_topics.pinned = ${pinned ? 1 : 0}`;

interface Place {
  /** Directly after this topic. */
  readonly after?: number;
  readonly at?: number;
}

type Line = Pick<TopicRow, 'is_announcement' | 'pinned'>;

const lastOf = ({ course }: Around, { is_announcement, pinned }: Line): SQL<number> =>
  sql<number>`coalesce((select max(position) from discussion_topics where ${siblings(course, is_announcement, pinned)}), 0) + 1`;

/** The position of another topic of the same kind; null for one elsewhere. */
const positionBehind = ({ course }: Around, { is_announcement, pinned }: Line, after: number | undefined): SQL =>
  sql`(select position from discussion_topics where id = ${after ?? 0} and ${siblings(course, is_announcement, pinned)})`;

const isAfter = (place: Place): boolean => place.at === undefined && place.after !== undefined;

const positionOf = (around: Around, line: Line, { after, at }: Place): SQL<number> =>
  at === undefined
    ? sql<number>`coalesce(${positionBehind(around, line, after)} + ${line.pinned ? 1 : 0}, ${lastOf(around, line)})`
    : sql<number>`${Math.max(1, at)}`;

/** Pinned topics sort by lowest position, others by highest: shifts those from the position on by one. */
const makeRoom = (around: Around, line: Line, place: Place): Statement[] => {
  if (place.after === undefined && place.at === undefined) return [];
  const { course, db } = around;
  const isSibling = siblings(course, line.is_announcement, line.pinned);
  const moved = (which: SQL) =>
    db.build.update(discussion_topics).set({ position: sql`position + 1` }).where(sql`${isSibling} and ${which}`);
  return [
    moved(sql`position >= ${positionOf(around, line, place)} and id <> ${place.after ?? 0}`),
    ...(isAfter(place) && !line.pinned ? [moved(sql`id = ${place.after}`)] : []),
  ];
};

const taken = (around: Around, line: Line, place: Place): SQL<number> =>
  // Its neighbour has just been shifted.
  isAfter(place) && !line.pinned
    ? sql<number>`coalesce(${positionBehind(around, line, place.after)} - 1, ${lastOf(around, line)})`
    : positionOf(around, line, place);

export const markTopicRead = ({ db, me }: Around, topic: SQL | number): Statement =>
  db.build
    .insert(discussion_topic_reads)
    .values({ discussion_topic_id: topic, user_id: me.id, read: true })
    .onConflictDoUpdate({ target: [discussion_topic_reads.discussion_topic_id, discussion_topic_reads.user_id], set: { read: true } });

type Values = Omit<
  typeof discussion_topics.$inferInsert,
  'id' | 'context_type' | 'context_id' | 'created_at' | 'updated_at' | 'position' | 'attachment_id' | 'assignment_id'
> & {
  /** SQL where the row is made in the same batch. */
  attachment_id?: number | SQL | null;
  assignment_id?: number | SQL | null;
};

/** A new topic, marked as read by its author. Its assignment, if it has one, already has its title, text, state and group set. */
export function makeTopic(around: Around, values: Values, place: Place = {}): Statement[] {
  const line = { is_announcement: values.is_announcement ?? false, pinned: values.pinned ?? false };
  return [
    ...makeRoom(around, line, place),
    around.db.build.insert(discussion_topics).values({
      ...values,
      ...forumContextOf(around.course),
      user_id: around.me.id,
      position: taken(around, line, place),
      created_at: around.now,
      updated_at: around.now,
    }),
    ...notifyOfInsert(around.db, discussion_topics, around.now),
    markTopicRead(around, newestTopic),
  ];
}

const itemsOf = (db: Database, id: number, change: Partial<typeof module_items.$inferInsert>): Statement =>
  db.build
    .update(module_items)
    .set(change)
    .where(and(eq(module_items.type, 'Discussion'), eq(module_items.content_id, id), eq(module_items.workflow_state, 'active')));

/** Updates a topic and the titles of its module items. */
export function changeTopic(around: Around, before: TopicRow, values: Partial<Values>, place: Place = {}): Statement[] {
  const { db, now } = around;
  const line = { is_announcement: before.is_announcement, pinned: values.pinned ?? before.pinned };
  const moves = place.after !== undefined || place.at !== undefined || line.pinned !== before.pinned;
  return [
    ...makeRoom(around, line, place),
    ...changeTopics(db, sql`${before.id}`, { ...values, ...(moves && { position: taken(around, line, place) }), updated_at: now }),
    ...(values.title === undefined || values.title === before.title
      ? []
      : [itemsOf(db, before.id, { title: values.title, updated_at: now })]),
  ];
}

/** Deletes a topic and its assignment. */
export const removeTopic = ({ db, now }: Around, { id, assignment_id }: TopicRow): Statement[] => [
  ...changeTopics(db, sql`${id}`, { workflow_state: 'deleted', updated_at: now }),
  itemsOf(db, id, { workflow_state: 'deleted', updated_at: now }),
  ...(assignment_id === null
    ? []
    : [
        db.build
          .update(module_items)
          .set({ workflow_state: 'deleted', updated_at: now })
          .where(and(eq(module_items.type, 'Assignment'), eq(module_items.content_id, assignment_id))),
      ]),
];

export const isDueToPost = (now: string): SQL => sql`workflow_state = 'post_delayed' and delayed_post_at <= ${now}`;

const postedAtOnce = 200;

/** Posts some of the delayed topics and announcements that are due. */
export const postDueTopics = (db: Database, now: string): Statement[] => {
  const set = { workflow_state: 'active' as const, posted_at: now, last_reply_at: now, updated_at: now };
  const where = sql`id in (select id from discussion_topics where ${isDueToPost(now)} limit ${atMost(postedAtOnce)})`;
  return [...notifyOfUpdate(db, discussion_topics, { set, where }, now), db.build.update(discussion_topics).set(set).where(where)];
};
