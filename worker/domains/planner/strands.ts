// All kinds of planner items, as selects with the same columns.

import { type SQL, sql } from 'drizzle-orm';
import { shared, sharedMark } from '../../database/shared';
import { united } from '../../database/united';
import { assignedTo, assignedUnmoved, effectiveDate, reaching } from '../../rules/assigned';
import { firstDue, movedFor, storedDue } from '../assignments/due_walk';
import { askedReview } from '../assignments/submissions/asked_review';
import { isReachable } from '../modules/items/content';
import { isOut as isPageOut } from '../pages/policy';
import { hasProgressFilter, type ItemFilter, isOnlyTodo, keptBy, plannerItemColumns } from './filters';
import { type PlannerScope, teachesIn } from './reach';

export interface Stretch {
  readonly start: string;
  readonly end: string;
}

/** How far each course and calendar is walked for a page. */
interface Walk {
  /** At most one page per kind and course. */
  readonly most: number;
  readonly filter?: ItemFilter;
  /** The bookmark: at, rank, id. */
  readonly after?: readonly unknown[];
  readonly isDescending: boolean;
}

const markOfTopic = 'coalesce(t.root_topic_id, t.id)';

/** The remaining time range after the bookmark. */
const leftOf = ({ start, end }: Stretch, { after, isDescending }: Walk): Stretch => {
  const at = typeof after?.[0] === 'string' ? after[0] : undefined;
  if (at === undefined || !/^[0-9TZ:-]*$/.test(at)) return { start, end };
  return isDescending ? { start, end: at < end ? at : end } : { start: at > start ? at : start, end };
};

interface WalkedKind {
  readonly table: keyof typeof tables;
  /** SQL for the date, by which the table is walked. */
  readonly at: string;
  readonly rank: string;
  readonly type: string;
  readonly conditions: SQL;
}

const tables = { t: 'discussion_topics', p: 'pages', c: 'calendar_events', n: 'planner_notes', z: 'quizzes' } as const;

/** A select of the ids of the first rows of a kind by date, then id. They are selected in `from`, where D1 does not count expression depth. */
function first({ table, at, rank, type, conditions }: WalkedKind, subject: SQL, walk: Walk): SQL {
  const direction = walk.isDescending ? 'desc' : 'asc';
  const beyond = walk.after
    ? sql` and (${sql.raw(`${at}, ${rank}, ${table}.id) ${walk.isDescending ? '<' : '>'}`)} (${sql.join(sharedMark(walk.after), sql`, `)})`
    : sql``;
  const isTopic = table === 't';
  const kept = keptBy(walk.filter, { type, mark: isTopic ? markOfTopic : `${table}.id`, topic: isTopic ? 't.id' : undefined }, subject);
  return sql`select id from (select ${sql.raw(`${table}.id from ${tables[table]} ${table}`)} where ${conditions}${beyond} and ${kept} order by ${sql.raw(`${at} ${direction}, ${table}.id ${direction} limit ${walk.most}`)})`;
}

/** Graded and ungraded quizzes, among items of the same date. */
const rankOfQuiz = '7';

/** Must match the expression of its index. */
const plannedAt = 'coalesce(t.todo_date, t.posted_at, t.delayed_post_at, t.created_at)';
/** Must match the expression of its index. */
const startOfEvent = "coalesce(c.start_at, '')";

/** The context code of an item of a group. */
const codeOfGroup = sql.raw("'context_code', iif(home.type = 'Group', 'group_' || home.id, null)");

/** The topic that shows the row of `assignments`. */
const topicOfAssignment = sql.raw(
  "select t.* from discussion_topics t where t.assignment_id = assignments.id and t.workflow_state <> 'deleted'",
);

/** The quiz that the row of `assignments` grades. */
const quizOfAssignment = sql.raw(
  "select z.id from quizzes z where z.assignment_id = assignments.id and z.assignment_id is not null and z.workflow_state <> 'deleted'",
);

/** Whether the filter keeps the row of `assignments`, or a peer review in it. */
function isGradedKept(filter: ItemFilter | undefined, subject: SQL): SQL {
  const item = {
    type: "case when item.topic_id is not null then 'discussion_topic' when item.quiz_id is not null then 'quiz' else 'assignment' end",
    mark: 'coalesce(item.topic_id, item.quiz_id, assignments.id)',
    assignment: 'assignments.id',
    topic: 'item.topic_id',
  };
  if (!hasProgressFilter(filter)) return sql`1`;
  const review = sql`exists (select 1 from assessment_requests r where ${isAsked(subject)} and ${keptBy(filter, reviewItem, subject)})`;
  return sql`(${review} or exists (select 1 from (select 1 from (select (select t.id from (${topicOfAssignment}) t) as topic_id, (${quizOfAssignment}) as quiz_id) item where ${keptBy(filter, item, subject)})))`;
}

/** A review that the user is asked for, as a row `r` of `assessment_requests` for the row of `assignments`. */
const isAsked = (subject: SQL): SQL =>
  sql`r.assessor_id = ${subject} and r.assignment_id = assignments.id and r.workflow_state <> 'deleted' and assignments.options ->> 'peer_reviews'`;
const reviewItem = { type: "'assessment_request'", mark: 'r.id', isDone: "r.workflow_state = 'completed'" } as const;

/** What the strands have in common. */
interface Scene {
  readonly reach: PlannerScope;
  readonly walk: Walk;
  readonly now: string;
  readonly me: SQL;
  /** A condition that follows a date. */
  readonly inside: SQL;
  /** Whether topic `t` is open to the user. */
  readonly isOpen: SQL;
}

const places = sql.raw('select id from place');
const closed = sql.raw('select id from closed');

const teaches = ({ reach }: Pick<Scene, 'reach'>, course: string) => teachesIn(reach.subject, sql.raw(course));

function sceneOf(reach: PlannerScope, whole: Stretch, walk: Walk, now: string): Scene {
  const me = shared('user', reach.subject);
  const { start, end } = leftOf(whole, walk);
  return {
    reach,
    walk,
    now,
    me,
    inside: sql`between ${shared('start', start)} and ${shared('end', end)}`,
    isOpen: sql`(t.workflow_state = 'active' or (t.workflow_state = 'post_delayed' and (not t.is_announcement or t.delayed_post_at <= ${shared('time', now)})))
    and (t.section_ids is null or exists (select 1 from json_each(t.section_ids) s join enrollments e on e.course_section_id = s.value where e.user_id = ${me} and e.enrollment_state in ('active', 'completed')) or ${teaches({ reach }, 't.context_id')})`,
  };
}

/** Group topics of discussions of courses that are not requested. */
const teamTopics =
  sql.raw(`team cross join discussion_topics t on t.context_type = 'Group' and t.context_id = team.id and t.root_topic_id is not null
    cross join discussion_topics r on r.id = t.root_topic_id and r.context_id not in (select id from place)`);

/** Assignments that may be on the page, with their dates. */
function workOf(scene: Scene): SQL {
  const { walk, me, inside, isOpen, now } = scene;
  const isSeen = (isAssigned: SQL) =>
    sql`assignments.workflow_state = 'published' and (${isAssigned} or ${teaches(scene, 'assignments.course_id')})`;
  // Not materialised, only to write it once: SQLite evaluates it as if it were written in each place.
  const moved = sql.raw('select moved.id from moved');
  const first = firstDue({
    courses: places,
    chosen: sql`${storedDue} ${inside} and assignments.id not in (${moved}) and ${isGradedKept(walk.filter, me)}
      and not exists (select 1 from (${topicOfAssignment}) t where not coalesce(${isOpen}, 0))`,
    deep: isSeen(assignedUnmoved(me)),
    after: walk.after?.[0],
    most: walk.most,
    isDescending: walk.isDescending,
  });
  return sql`with moved(id) as not materialized (${movedFor(places, me)}) select assignments.id, ${effectiveDate('due_at', reaching(sql.raw('= assignments.id'), me), now)} from assignments
    where assignments.id in (select due.id from (${first} union ${moved} union select r.assignment_id from ${teamTopics}) due) and ${isSeen(assignedTo(me))}`;
}

/** Ungraded discussions, and announcements. */
function topics({ walk, me, inside, isOpen }: Scene): SQL {
  const announcements = isOnlyTodo(walk.filter) ? '' : " union all select 1, 'announcement', 2";
  const chosen = first(
    {
      table: 't',
      at: plannedAt,
      rank: 'kind.rank',
      type: 'kind.type',
      conditions: sql`t.context_type = home.type and t.context_id = home.id and t.is_announcement = kind.is_announcement and ${sql.raw(plannedAt)} ${inside} and ${isOpen} and case home.type
        when 'Group' then not exists (select 1 from discussion_topics r where r.id = t.root_topic_id and (r.assignment_id is not null or r.context_id in (${places})))
        else t.is_announcement or (t.assignment_id is null and (t.user_id = ${me} or ${isReachable('Discussion', 't.id', closed)})) end`,
    },
    me,
    walk,
  );
  return sql`select kind.type as type, kind.rank as rank, t.id as id, ${sql.raw(markOfTopic)} as mark_id, ${sql.raw(plannedAt)} as at, iif(home.type = 'Course', home.id, null) as course_id, null as assignment_id, t.id as topic_id,
      t.title as title, t.created_at as created_at, t.updated_at as updated_at, json_object('todo_date', iif(t.is_announcement, null, t.todo_date), 'assignment_id', t.assignment_id, ${codeOfGroup}) as extra
    from home cross join (select 0 as is_announcement, 'discussion_topic' as type, 1 as rank${sql.raw(announcements)}) kind cross join discussion_topics t on t.id in (${chosen})`;
}

function pages({ walk, me, inside, now }: Scene): SQL {
  const chosen = first(
    {
      table: 'p',
      at: 'p.todo_date',
      rank: '3',
      type: "'wiki_page'",
      conditions: sql`p.context_type = home.type and p.context_id = home.id and ${isPageOut(now, 'p')} and p.todo_date ${inside} and (home.type = 'Group' or ${isReachable('Page', 'p.id', closed)})`,
    },
    me,
    walk,
  );
  return sql`select 'wiki_page', 3, p.id, p.id, p.todo_date, iif(home.type = 'Course', home.id, null), null, null, p.title, p.created_at, p.updated_at, json_object('url', p.url, 'todo_date', p.todo_date, ${codeOfGroup})
    from home cross join pages p on p.id in (${chosen})`;
}

/** An assignment, or its discussion or quiz instead. A group topic is shown if only the group is requested; its course shows the root topic. */
const work = ({ walk, me, isOpen }: Scene): SQL => sql`select * from (
    select case when t.id is not null then 'discussion_topic' when z.id is not null then 'quiz' else 'assignment' end as type, case when t.id is not null then 1 when z.id is not null then ${sql.raw(rankOfQuiz)} else 0 end as rank,
      coalesce(t.id, z.id, assignments.id) as id, coalesce(t.id, z.id, assignments.id) as mark_id, work.at as at,
      assignments.course_id as course_id, assignments.id as assignment_id, t.id as topic_id, coalesce(t.title, z.title, assignments.name) as title, coalesce(t.created_at, z.created_at, assignments.created_at) as created_at, coalesce(t.updated_at, z.updated_at, assignments.updated_at) as updated_at,
      json_object('todo_date', t.todo_date, 'assignment_id', assignments.id, 'points_possible', assignments.points_possible) as extra
    from work cross join assignments on assignments.id = work.id and assignments.course_id in (${places}) left join discussion_topics t on t.assignment_id = work.id and t.workflow_state <> 'deleted'
      left join quizzes z on z.assignment_id = work.id and z.assignment_id is not null and z.workflow_state <> 'deleted'
    where t.id is null or (${isOpen})
    union all select 'discussion_topic', 1, t.id, r.id, work.at, null, work.id, t.id, t.title, t.created_at, t.updated_at,
      json_object('todo_date', t.todo_date, 'assignment_id', work.id, 'points_possible', assignments.points_possible, 'context_code', 'group_' || t.context_id)
    from ${teamTopics} cross join work on work.id = r.assignment_id cross join assignments on assignments.id = work.id where ${isOpen}) item
  where ${keptBy(walk.filter, plannerItemColumns, me)}`;

/** Practice quizzes and surveys with a due date. */
function ungradedQuizzes({ walk, me, inside }: Scene): SQL {
  const chosen = first(
    {
      table: 'z',
      at: 'z.due_at',
      rank: rankOfQuiz,
      type: "'quiz'",
      conditions: sql`z.course_id = place.id and z.assignment_id is null and z.workflow_state = 'available' and z.due_at ${inside} and ${isReachable('Quiz', 'z.id', closed)}`,
    },
    me,
    walk,
  );
  return sql`select 'quiz', ${sql.raw(rankOfQuiz)}, z.id, z.id, z.due_at, place.id, null, null, z.title, z.created_at, z.updated_at, json_object('points_possible', z.points_possible)
    from place cross join quizzes z on z.id in (${chosen})`;
}

/** Peer reviews, at the date of the reviewer's own work. */
const reviews = ({
  walk,
  me,
}: Scene): SQL => sql`select 'assessment_request', 6, r.id, r.id, work.at, assignments.course_id, null, null, assignments.name, r.created_at, r.updated_at,
      json_object('todo_date', work.at, 'workflow_state', r.workflow_state, 'asked', json(${askedReview(sql.raw('r.id'))}))
    from work cross join assignments on assignments.id = work.id and assignments.course_id in (${places}) cross join assessment_requests r on ${isAsked(me)}
    where ${keptBy(walk.filter, reviewItem, me)}`;

function notes({ reach, walk, me, inside }: Scene): SQL {
  const conditions = sql`n.user_id = ${me} and n.workflow_state = 'active' and n.todo_date ${inside} and ${reach.notes}`;
  return sql`select 'planner_note', 4, n.id, n.id, n.todo_date, n.course_id, null, null, n.title, n.created_at, n.updated_at, json_object('todo_date', n.todo_date, 'details', n.details, 'course_id', n.course_id, 'user_id', n.user_id)
    from planner_notes n where n.id in (${first({ table: 'n', at: 'n.todo_date', rank: '4', type: "'planner_note'", conditions }, me, walk)})`;
}

function events({ reach, walk, me, inside }: Scene): SQL {
  const chosen = (at: string, moment: SQL) => {
    const conditions = sql`c.context_code = code.code and c.workflow_state <> 'deleted' and ${moment} and not exists (select 1 from calendar_events part where part.parent_event_id = c.id and part.workflow_state <> 'deleted')`;
    return first({ table: 'c', at, rank: '5', type: "'calendar_event'", conditions }, me, walk);
  };
  const start = sql.raw(startOfEvent);
  return sql`select 'calendar_event', 5, c.id, c.id, coalesce(c.start_at, c.created_at), iif(substr(c.shown_in, 1, 7) = 'course_', cast(substr(c.shown_in, 8) as integer), null), null, null, c.title, c.created_at, c.updated_at,
      json_object('start_at', c.start_at, 'end_at', c.end_at, 'all_day', c.all_day, 'location_name', c.location_name, 'location_address', c.location_address, 'description', c.description, 'context_code', c.shown_in)
    from (${reach.codes}) code cross join (select *, coalesce(effective_context_code, context_code) as shown_in from calendar_events) c
      on c.id in (${chosen(startOfEvent, sql`${start} ${inside}`)} union all ${chosen('c.created_at', sql`${start} = '' and c.created_at ${inside}`)})`;
}

function strandsFor(filter: ItemFilter | undefined): readonly ((scene: Scene) => SQL)[] {
  if (isOnlyTodo(filter)) return [topics, pages];
  // Only assignments and discussions have news.
  return filter === 'new_activity' ? [topics, work] : [topics, pages, work, ungradedQuizzes, notes, events, reviews];
}

/**
 * The CTEs that the strands refer to, and the strands as one select with the columns type, rank, id, mark_id (the id used by overrides: for a group
 * topic, its root topic), at, course_id, assignment_id, topic_id, title, created_at, updated_at and extra.
 *
 * The CTEs are `place`: courses; `team`: groups; `home`: both; `closed`: modules closed to the user; `work`: assignments.
 */
export function strands(reach: PlannerScope, whole: Stretch, walk: Walk, now: string): { readonly common: SQL; readonly all: SQL } {
  const scene = sceneOf(reach, whole, walk, now);
  const common = sql`place(id) as materialized (${reach.courses}), team(id) as materialized (${reach.groups}), closed(id) as materialized (${reach.closed}),
    home(type, id) as materialized (select 'Course', id from place union all select 'Group', id from team), work(id, at) as materialized (${workOf(scene)})`;
  return {
    common,
    all: united(strandsFor(walk.filter).map((strand) => strand(scene))),
  };
}
