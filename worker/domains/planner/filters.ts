// What counts as new or as complete for the user, and the filters of the planner that follow from it, as SQL.

import { type SQL, sql } from 'drizzle-orm';
import { submissionIdOf } from '../../rules/submission_ids';
import { mustPost } from '../discussion_topics/policy';

export const itemFilters = [
  'new_activity',
  'incomplete_items',
  'complete_items',
  'ungraded_todo_items',
  'all_ungraded_todo_items',
] as const;
export type ItemFilter = (typeof itemFilters)[number];

/** An item as SQL expressions; without an assignment or a topic it has no progress there. */
export interface ItemColumns {
  readonly type: string;
  /** The id used by overrides. */
  readonly mark: string;
  readonly assignment?: string;
  readonly topic?: string;
  /** Whether it is complete unless the user marks it; by the submission when absent. */
  readonly isDone?: string;
}

const readEntries = (topic: string, subject: SQL) =>
  sql`coalesce((select r.read_count from discussion_topic_reads r where r.discussion_topic_id = ${sql.raw(topic)} and r.user_id = ${subject}), 0)`;

export const unreadEntries = (topic: string, subject: SQL) =>
  sql`max(0, coalesce((select iif(${mustPost('d', subject)}, 0, d.entry_count) from discussion_topics d where d.id = ${sql.raw(topic)}), 0) - ${readEntries(topic, subject)})`;

/** The same as a condition, which needs less expression depth than the count. */
const hasUnread = (topic: string, subject: SQL) =>
  sql`exists (select 1 from (select 1 from discussion_topics d where d.id = ${sql.raw(topic)} and d.entry_count > ${readEntries(topic, subject)} and not ${mustPost('d', subject)}))`;

export const isTopicRead = (topic: string, subject: SQL) =>
  sql`exists (select 1 from discussion_topic_reads r where r.discussion_topic_id = ${sql.raw(topic)} and r.user_id = ${subject} and r.read)`;

/** The student has not read the feedback. */
export const hasFeedback = (assignment: string, subject: SQL): SQL =>
  sql`exists (select 1 from submission_reads r where r.submission_id = ${submissionIdOf(sql.raw(assignment), subject)} and r.user_id = ${subject} and not r.read)`;

/** The student has unread feedback, or there are unread entries. */
function hasNews({ assignment, topic }: ItemColumns, subject: SQL): SQL {
  const news = [
    ...(assignment === undefined ? [] : [hasFeedback(assignment, subject)]),
    ...(topic === undefined
      ? []
      : [sql`(${sql.raw(topic)} is not null and (not ${isTopicRead(topic, subject)} or ${hasUnread(topic, subject)}))`]),
  ];
  return news.length === 0 ? sql`0` : sql`(${sql.join(news, sql` or `)})`;
}

/** Once submitted, graded or excused, unless the student was asked to submit again; items without a submission are incomplete. */
const isDoneBySubmission = (assignment: string | undefined, subject: SQL): SQL =>
  assignment === undefined
    ? sql`0`
    : sql`exists (select 1 from submissions s where s.assignment_id = ${sql.raw(assignment)} and s.user_id = ${subject} and (s.excused or ((s.submitted_at is not null or (s.graded_at is not null and s.posted_at is not null)) and s.redo_requested_at is null)))`;

/** As marked by the user; otherwise once it is done. */
const isComplete = ({ type, mark, assignment, isDone }: ItemColumns, subject: SQL): SQL => sql`coalesce(
  (select o.marked_complete from planner_overrides o where o.user_id = ${subject} and o.plannable_type = ${sql.raw(type)} and o.plannable_id = ${sql.raw(mark)} and o.workflow_state = 'active'), ${isDone === undefined ? isDoneBySubmission(assignment, subject) : sql.raw(isDone)})`;

/** Whether the filter keeps an item. */
export function keptBy(filter: ItemFilter | undefined, item: ItemColumns, subject: SQL): SQL {
  switch (filter) {
    case 'new_activity':
      return hasNews(item, subject);
    case 'complete_items':
      return isComplete(item, subject);
    case 'incomplete_items':
      return sql`not ${isComplete(item, subject)}`;
    default:
      return sql`1`;
  }
}

/** Whether the filter asks for the user's progress. */
export const hasProgressFilter = (filter: ItemFilter | undefined): boolean =>
  filter === 'new_activity' || filter === 'complete_items' || filter === 'incomplete_items';

/** Whether the filter leaves only pages and ungraded discussions. */
export const isOnlyTodo = (filter: ItemFilter | undefined): boolean =>
  filter === 'ungraded_todo_items' || filter === 'all_ungraded_todo_items';

/** The columns of a row named `item`. */
export const plannerItemColumns: ItemColumns = {
  type: 'item.type',
  mark: 'item.mark_id',
  assignment: 'item.assignment_id',
  topic: 'item.topic_id',
};
