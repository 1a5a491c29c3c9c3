// A page of a plan: the strands woven into one order, cut, and told with what the person has done. One statement, whatever it holds.

import { PlannerItem } from '@carrel/shared/resources/planner_item';
import type { Json } from '@carrel/shared/resources/resource';
import { type SQL, sql } from 'drizzle-orm';
import type { Call } from '../../http/call';
import { serializer } from '../../http/serializer';
import { courseName } from '../calendar_events/json';
import { submissionIdOf } from '../submissions/ids';
import { lateness } from '../submissions/lateness';
import { isHidden } from '../submissions/policy';
import { avatarOf } from '../users/display';
import { overrideJson, type ToldOverride } from './overrides_json';
import { type Reach, written } from './reach';
import { common, type Stretch, strands } from './strands';
import { planner_notes } from './table';

export const itemFilters = [
  'new_activity',
  'incomplete_items',
  'complete_items',
  'ungraded_todo_items',
  'all_ungraded_todo_items',
] as const;
export type ItemFilter = (typeof itemFilters)[number];

export interface Asked {
  readonly reach: Reach;
  readonly stretch: Stretch;
  readonly filter?: ItemFilter;
  readonly isDescending: boolean;
}

interface ItemRow {
  readonly type: string;
  readonly rank: number;
  readonly id: number;
  readonly at: string;
  readonly course_id: number | null;
  readonly assignment_id: number | null;
  readonly topic_id: number | null;
  readonly title: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly extra: string;
  readonly context_name: string | null;
  readonly override: string | null;
  readonly work: string | null;
  readonly comment: string | null;
  readonly is_topic_read: number | null;
  readonly unread_count: number;
  readonly has_news: number;
}

const readEntries = (subject: SQL) =>
  sql`coalesce((select r.read_count from discussion_topic_reads r where r.discussion_topic_id = item.topic_id and r.user_id = ${subject}), 0)`;
const unreadEntries = (subject: SQL) =>
  sql`max(0, coalesce((select t.entry_count from discussion_topics t where t.id = item.topic_id), 0) - ${readEntries(subject)})`;
const isTopicRead = (subject: SQL) =>
  sql`exists (select 1 from discussion_topic_reads r where r.discussion_topic_id = item.topic_id and r.user_id = ${subject} and r.read)`;

/** A grade or a comment that its student has not read, a discussion or an entry that the person has not. */
const hasNews = (subject: SQL) => sql`(
  exists (select 1 from submission_reads r where r.submission_id = ${submissionIdOf(sql.raw('item.assignment_id'), subject)} and r.user_id = ${subject} and not r.read)
  or (item.topic_id is not null and (not ${isTopicRead(subject)} or ${unreadEntries(subject)} > 0)))`;

/** As its person says; where they say nothing, once something is handed in, graded or excused. */
const isComplete = (subject: SQL) => sql`coalesce(
  (select o.marked_complete from planner_overrides o where o.user_id = ${subject} and o.plannable_type = item.type and o.plannable_id = item.id and o.workflow_state = 'active'),
  exists (select 1 from submissions s where s.assignment_id = item.assignment_id and s.user_id = ${subject} and (s.submitted_at is not null or s.excused or (s.graded_at is not null and s.posted_at is not null))))`;

function filtered(filter: ItemFilter | undefined, subject: SQL): SQL {
  switch (filter) {
    case 'new_activity':
      return hasNews(subject);
    case 'complete_items':
      return isComplete(subject);
    case 'incomplete_items':
      return sql`not ${isComplete(subject)}`;
    default:
      return sql`1`;
  }
}

/** Every part of a statement may unite at most five selects. */
function united(selects: readonly SQL[]): SQL {
  if (selects.length <= 4) return sql.join([...selects], sql` union all `);
  const groups = Array.from({ length: Math.ceil(selects.length / 4) }, (_, at) => selects.slice(at * 4, at * 4 + 4));
  return united(groups.map((group) => sql`select * from (${united(group)})`));
}

/** The statement that reads one item more than the page holds. */
export function itemRows({ reach, stretch, filter, isDescending }: Asked, call: Call) {
  const { per_page, number, after } = call.page;
  const subject = written(reach.subject);
  const direction = sql.raw(isDescending ? 'desc' : 'asc');
  const order = sql`item.at ${direction}, item.rank ${direction}, item.id ${direction}`;
  const beyond = after
    ? sql` and (item.at, item.rank, item.id) ${sql.raw(isDescending ? '<' : '>')} (${after[0]}, ${after[1]}, ${after[2]})`
    : sql``;
  const offset = number === undefined ? 0 : (number - 1) * per_page;
  const most = written(offset + per_page + 1);
  const onlyTodo = filter === 'ungraded_todo_items' || filter === 'all_ungraded_todo_items';
  const cut = strands(reach, stretch, call.now)
    .filter((strand) => !onlyTodo || strand.isUngradedTodo)
    .map(
      ({ select }) =>
        sql`select * from (select * from (${select}) item where item.at between ${written(stretch.start)} and ${written(stretch.end)} and ${filtered(filter, subject)}${beyond} order by ${order} limit ${most})`,
    );
  const columns = (table: string, names: readonly string[]) => sql.raw(names.map((name) => `'${name}', ${table}.${name}`).join(', '));
  const overrideColumns = [
    'id',
    'plannable_type',
    'plannable_id',
    'user_id',
    'marked_complete',
    'dismissed',
    'created_at',
    'updated_at',
    'workflow_state',
  ];
  const workColumns = [
    'submission_type',
    'submitted_at',
    'excused',
    'late_policy_status',
    'seconds_late_override',
    'grader_id',
    'graded_at',
    'posted_at',
    'score',
    'workflow_state',
    'graded_attempt',
    'attempt',
  ];
  return call.db.build.all<ItemRow>(sql`with ${common(reach, stretch)},
    item as materialized (select * from (${united(cut)}) item order by ${order} limit ${written(per_page + 1)} offset ${written(offset)})
    select item.*,
      ${courseName(sql.raw('item.course_id'), call)} as context_name,
      (select json_object(${columns('o', overrideColumns)}, 'assignment_id', item.assignment_id) from planner_overrides o
        where o.user_id = ${subject} and o.plannable_type = item.type and o.plannable_id = item.id and o.workflow_state = 'active') as override,
      (select json_object(${columns('a', ['submission_types', 'post_manually'])}, 'submission', (select json_object(${columns('s', workColumns)}) from submissions s where s.assignment_id = a.id and s.user_id = ${subject} and s.workflow_state <> 'deleted'))
        from assignments a where a.id = item.assignment_id) as work,
      (select json_object('comment', c.comment, 'author_id', c.author_id, 'author_name', u.short_name, 'avatar_url', u.avatar_url)
        from submissions s join submission_comments c on c.submission_id = s.id left join users u on u.id = c.author_id
        where s.assignment_id = item.assignment_id and s.user_id = ${subject} and c.author_id <> ${subject} and c.workflow_state = 'active' and not c.is_draft order by c.id desc limit 1) as comment,
      case when item.topic_id is not null then ${isTopicRead(subject)} end as is_topic_read,
      ${unreadEntries(subject)} as unread_count,
      ${hasNews(subject)} as has_news
    from item order by ${order}`);
}

interface Work {
  readonly submission_types: string;
  readonly post_manually: number;
  readonly submission: {
    readonly submission_type: string | null;
    readonly submitted_at: string | null;
    readonly excused: number;
    readonly late_policy_status: string | null;
    readonly seconds_late_override: number | null;
    readonly grader_id: number | null;
    readonly graded_at: string | null;
    readonly posted_at: string | null;
    readonly score: number | null;
    readonly workflow_state: string;
    readonly graded_attempt: number | null;
    readonly attempt: number | null;
  } | null;
}

const nothing = {
  submission_type: null,
  submitted_at: null,
  excused: 0,
  late_policy_status: null,
  seconds_late_override: null,
  grader_id: null,
  graded_at: null,
  posted_at: null,
  score: null,
  workflow_state: 'unsubmitted',
  graded_attempt: null,
  attempt: null,
};

function submissionsJson(row: ItemRow, call: Call) {
  if (row.work === null) return { json: false as const, isSubmitted: false };
  const work = JSON.parse(row.work) as Work;
  const one = work.submission ?? nothing;
  const isHeldBack = isHidden(one, work.post_manually === 1);
  const excused = one.excused === 1;
  const { late, missing } = lateness(
    { ...one, excused },
    { due_at: row.at, submission_types: JSON.parse(work.submission_types) as string[] },
    call.now,
  );
  const comment = row.comment === null || isHeldBack ? undefined : (JSON.parse(row.comment) as Record<string, string | null>);
  const submitted = one.submitted_at !== null;
  const isGraded = one.workflow_state === 'graded' && one.score !== null && one.graded_attempt === one.attempt;
  return {
    isSubmitted: submitted,
    json: {
      submitted,
      excused,
      graded: one.workflow_state === 'graded' && !isHeldBack,
      late,
      missing,
      needs_grading: submitted && !excused && !isGraded,
      has_feedback: comment !== undefined,
      redo_request: false,
      posted_at: one.posted_at,
      ...(comment && {
        feedback: {
          comment: comment.comment ?? '',
          is_media: false,
          ...(comment.author_name && { author_name: comment.author_name }),
          author_avatar_url: avatarOf({ avatar_url: comment.avatar_url ?? null }, call.origin),
        },
      }),
    },
  };
}

const paths: Record<string, (row: ItemRow, extra: Record<string, unknown>) => string> = {
  discussion_topic: (row) => `/discussion_topics/${row.id}`,
  announcement: (row) => `/discussion_topics/${row.id}`,
  wiki_page: (_, extra) => `/pages/${extra.url}`,
};

function addressOf(row: ItemRow, extra: Record<string, unknown>, subject: number, isSubmitted: boolean, call: Call): string | undefined {
  if (row.type === 'planner_note') return undefined;
  if (row.type === 'calendar_event') return `${call.origin}/calendar?event_id=${row.id}&include_contexts=${extra.context_code}`;
  const course = `/courses/${row.course_id}`;
  if (row.type !== 'assignment') return `${course}${paths[row.type]?.(row, extra) ?? ''}`;
  return `${course}/assignments/${row.id}${isSubmitted ? `/submissions/${subject}` : ''}`;
}

/** What a thing of the type tells of itself, beside what all things tell. */
function plannable(row: ItemRow, extra: Record<string, unknown>): Record<string, unknown> {
  const { id, title, created_at, updated_at } = row;
  const always = { id, title, created_at, updated_at };
  const reading = { unread_count: row.unread_count, read_state: row.is_topic_read === 1 ? 'read' : 'unread' };
  const { points_possible = null, assignment_id = null, ...rest } = extra;
  switch (row.type) {
    case 'assignment':
      return { ...always, points_possible, due_at: row.at };
    case 'discussion_topic':
      return { ...always, ...rest, ...reading, ...(assignment_id !== null && { assignment_id, points_possible, due_at: row.at }) };
    case 'announcement':
      return { ...always, ...reading };
    case 'calendar_event':
      return { ...always, ...rest, context_code: undefined, all_day: rest.all_day === 1 };
    default:
      return { ...always, ...rest };
  }
}

export function itemJson(row: ItemRow, subject: number, call: Call): Json<typeof PlannerItem> {
  const extra = JSON.parse(row.extra) as Record<string, unknown>;
  const { json: submissions, isSubmitted } = submissionsJson(row, call);
  const override = row.override === null ? null : (JSON.parse(row.override) as Record<string, unknown>);
  return {
    ...(row.course_id !== null
      ? { context_type: 'Course', course_id: row.course_id, context_name: row.context_name ?? '', context_image: null }
      : row.type === 'calendar_event'
        ? { context_type: 'User', user_id: subject, context_name: subject === call.me.id ? call.me.user.name : (call.user?.name ?? '') }
        : {}),
    plannable_id: row.id,
    plannable_type: row.type,
    plannable_date: row.at,
    plannable: plannable(row, extra),
    planner_override: override && {
      ...overrideJson({
        ...(override as unknown as ToldOverride),
        marked_complete: override.marked_complete === 1,
        dismissed: override.dismissed === 1,
        plannable_state: 'active',
      }),
    },
    submissions,
    new_activity: row.has_news === 1,
    html_url: addressOf(row, extra, subject, isSubmitted, call),
  };
}

/** Items are told by `itemJson`; a page of them is no page of one table. */
export const plannerItem = serializer({ resource: PlannerItem, table: planner_notes, json: (item: object) => item });

/** The bookmark of what follows an item. */
export const bookmarkOf = (row: ItemRow): unknown[] => [row.at, row.rank, row.id];
