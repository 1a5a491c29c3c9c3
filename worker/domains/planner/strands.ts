// All kinds of planner items, as selects with the same columns: what it is, its date, and the user's progress.

import { type SQL, sql } from 'drizzle-orm';
import { shared, sharedMark } from '../../database/shared';
import { assignedTo, effectiveDate, reaching } from '../../rules/assigned';
import { firstDue, movedFor, storedDue } from '../assignments/due_walk';
import { isReachable } from '../modules/items/content';
import { isOut as isPageOut } from '../pages/policy';
import { type PlannerScope, teachesIn } from './reach';

export interface Stretch {
  readonly start: string;
  readonly end: string;
}

/** How far each course and calendar is walked for a page. */
interface Walk {
  /** At most one page per kind and course. */
  readonly most: number;
  /** A condition on `item`, which has a type, an id, a mark_id, an assignment_id and a topic_id. */
  readonly kept?: SQL;
  /** The bookmark: at, rank, id. */
  readonly after?: readonly unknown[];
  readonly isDescending: boolean;
}

/**
 * Columns of every strand: type, rank, id, mark_id (the id used by overrides: for a group topic, its root topic), at, course_id, assignment_id,
 * topic_id, title, created_at, updated_at, extra.
 */
export interface Strand {
  readonly select: SQL;
  /** Pages and ungraded discussions. */
  readonly isUngradedTodo: boolean;
}

const markOfTopic = 'coalesce(t.root_topic_id, t.id)';

const shape = (
  type: string,
  rank: number,
  given: Record<'id' | 'at' | 'course' | 'assignment' | 'topic' | 'title' | 'row', string>,
  extra: string,
) =>
  sql.raw(
    `'${type}' as type, ${rank} as rank, ${given.id} as id, ${given.row === 't' ? markOfTopic : given.id} as mark_id, ${given.at} as at, ${given.course} as course_id, ${given.assignment} as assignment_id, ${given.topic} as topic_id, ${given.title} as title, ${given.row}.created_at as created_at, ${given.row}.updated_at as updated_at, json_object(${extra}) as extra`,
  );

/** The remaining time range after the bookmark. */
const leftOf = ({ start, end }: Stretch, { after, isDescending }: Walk): Stretch => {
  const at = typeof after?.[0] === 'string' ? after[0] : undefined;
  if (at === undefined || !/^[0-9TZ:-]*$/.test(at)) return { start, end };
  return isDescending ? { start, end: at < end ? at : end } : { start: at > start ? at : start, end };
};

/** Whether the filter keeps a row with these columns. */
const keeps = ({ kept }: Walk, columns: Record<'type' | 'id' | 'mark_id' | 'assignment_id' | 'topic_id', string>): SQL =>
  kept
    ? sql` and exists (select 1 from (select ${sql.raw(
        Object.entries(columns)
          .map(([name, value]) => `${value} as ${name}`)
          .join(', '),
      )}) item where ${kept})`
    : sql``;

/** The first rows of a table by date, then id. */
function first(table: keyof typeof tables, type: string, at: string, rank: number, conditions: SQL, walk: Walk): SQL {
  const direction = sql.raw(walk.isDescending ? 'desc' : 'asc');
  const beyond = walk.after
    ? sql` and (${sql.raw(at)}, ${sql.raw(String(rank))}, ${sql.raw(table)}.id) ${sql.raw(walk.isDescending ? '<' : '>')} (${sql.join(sharedMark(walk.after), sql`, `)})`
    : sql``;
  const alias = sql.raw(table);
  return sql`select ${alias}.id from ${sql.raw(tables[table])} ${alias} where ${conditions}${beyond}${keeps(walk, { type: `'${type}'`, id: `${table}.id`, mark_id: table === 't' ? markOfTopic : `${table}.id`, assignment_id: 'null', topic_id: table === 't' ? 't.id' : 'null' })} order by ${sql.raw(at)} ${direction}, ${alias}.id ${direction} limit ${sql.raw(String(walk.most))}`;
}
const tables = { t: 'discussion_topics', p: 'pages', c: 'calendar_events', n: 'planner_notes' } as const;

/** Must match the expression of its index. */
const plannedAt = 'coalesce(t.todo_date, t.posted_at, t.delayed_post_at, t.created_at)';

/**
 * The CTEs that the strands refer to, and the strands: `place`: courses; `team`: groups; `closed`: modules closed to the user; `candidate`:
 * assignments that may be on the page.
 */
export function strands(reach: PlannerScope, whole: Stretch, walk: Walk, now: string): { readonly common: SQL; readonly all: Strand[] } {
  const me = shared('user', reach.subject);
  const { start, end } = leftOf(whole, walk);
  const inside = sql`between ${shared('start', start)} and ${shared('end', end)}`;
  const due = effectiveDate('due_at', reaching(sql.raw('= assignments.id'), me), now);
  const staff = (course: string) => teachesIn(reach.subject, sql.raw(course));
  const closed = sql.raw('select id from closed');
  const isAssigned = sql`assignments.workflow_state = 'published' and (${assignedTo(me)} or ${staff('assignments.course_id')})`;
  const isOpen = sql`(t.workflow_state = 'active' or (t.workflow_state = 'post_delayed' and (not t.is_announcement or t.delayed_post_at <= ${shared('time', now)})))
    and (t.section_ids is null or exists (select 1 from json_each(t.section_ids) s join enrollments e on e.course_section_id = s.value where e.user_id = ${me} and e.enrollment_state in ('active', 'completed')) or ${staff('t.context_id')})`;
  const places = sql`select id from place`;
  const moved = movedFor(places, me);
  const isHidden = sql`exists (select 1 from discussion_topics t where t.assignment_id = assignments.id and t.workflow_state <> 'deleted' and not coalesce(${isOpen}, 0))`;
  const topicOf = "(select t.id from discussion_topics t where t.assignment_id = assignments.id and t.workflow_state <> 'deleted')";
  const common = sql`place(id) as materialized (${reach.courses}), team(id) as materialized (${reach.groups}), closed(id) as materialized (${reach.closed}), candidate(id) as materialized (
    ${firstDue({
      courses: places,
      // The deepest condition comes last: D1 limits expression depth to 100, and the first of a chain of conditions is nested deepest.
      chosen: sql`${storedDue} ${inside} and assignments.id not in (${moved})${keeps(walk, { type: `case when ${topicOf} is null then 'assignment' else 'discussion_topic' end`, id: `coalesce(${topicOf}, assignments.id)`, mark_id: `coalesce(${topicOf}, assignments.id)`, assignment_id: 'assignments.id', topic_id: topicOf })} and not ${isHidden} and ${isAssigned}`,
      after: walk.after?.[0],
      most: walk.most,
      isDescending: walk.isDescending,
    })} union ${moved})`;
  const topicFacts = "'todo_date', t.todo_date, 'assignment_id', t.assignment_id";
  const topic = { id: 't.id', course: 't.context_id', topic: 't.id', title: 't.title', row: 't' };
  const eventAt = 'coalesce(c.start_at, c.created_at)';
  const events = (
    moment: SQL,
    at: string,
  ) => sql`select ${shape('calendar_event', 5, { id: 'c.id', at: eventAt, course: "case when substr(coalesce(c.effective_context_code, c.context_code), 1, 7) = 'course_' then cast(substr(coalesce(c.effective_context_code, c.context_code), 8) as integer) end", assignment: 'null', topic: 'null', title: 'c.title', row: 'c' }, "'start_at', c.start_at, 'end_at', c.end_at, 'all_day', c.all_day, 'location_name', c.location_name, 'location_address', c.location_address, 'description', c.description, 'context_code', coalesce(c.effective_context_code, c.context_code)")}
    from (${reach.codes}) code cross join calendar_events c on c.id in (${first(
      'c',
      'calendar_event',
      at,
      5,
      sql`c.context_code = code.code and c.workflow_state <> 'deleted' and ${moment} and not exists (select 1 from calendar_events part where part.parent_event_id = c.id and part.workflow_state <> 'deleted')`,
      walk,
    )})`;
  // `+t.context_type` keeps SQLite from using its index, which would read every topic of every course.
  const all: Strand[] = [
    {
      isUngradedTodo: false,
      select: sql`select 'assignment' as type, 0 as rank, assignments.id as id, assignments.id as mark_id, ${due} as at, assignments.course_id as course_id, assignments.id as assignment_id, null as topic_id, assignments.name as title, assignments.created_at as created_at, assignments.updated_at as updated_at,
          json_object('points_possible', assignments.points_possible) as extra
          from assignments where assignments.id in (select id from candidate) and ${isAssigned}
          and not exists (select 1 from discussion_topics t where t.assignment_id = assignments.id and t.workflow_state <> 'deleted')`,
    },
    {
      isUngradedTodo: false,
      select: sql`select 'discussion_topic' as type, 1 as rank, t.id as id, t.id as mark_id, ${due} as at, t.context_id as course_id, assignments.id as assignment_id, t.id as topic_id, t.title as title, t.created_at as created_at, t.updated_at as updated_at,
          json_object(${sql.raw(topicFacts)}, 'points_possible', assignments.points_possible) as extra
        from discussion_topics t join assignments on assignments.id = t.assignment_id
        where t.assignment_id in (select id from candidate) and +t.context_type = 'Course' and ${isOpen} and ${isAssigned}`,
    },
    {
      isUngradedTodo: true,
      select: sql`select ${shape('discussion_topic', 1, { ...topic, at: plannedAt, assignment: 'null' }, topicFacts)}
        from place cross join discussion_topics t on t.id in (${first(
          't',
          'discussion_topic',
          plannedAt,
          1,
          sql`t.context_type = 'Course' and t.context_id = place.id and t.is_announcement = 0 and t.assignment_id is null and ${sql.raw(plannedAt)} ${inside} and ${isOpen} and (t.user_id = ${me} or ${isReachable('Discussion', 't.id', closed)})`,
          walk,
        )})`,
    },
    {
      isUngradedTodo: false,
      select: sql`select ${shape('announcement', 2, { ...topic, at: plannedAt, assignment: 'null' }, "'todo_date', null")}
        from place cross join discussion_topics t on t.id in (${first(
          't',
          'announcement',
          plannedAt,
          2,
          sql`t.context_type = 'Course' and t.context_id = place.id and t.is_announcement = 1 and ${sql.raw(plannedAt)} ${inside} and ${isOpen}`,
          walk,
        )})`,
    },
    {
      isUngradedTodo: true,
      select: sql`select ${shape('wiki_page', 3, { id: 'p.id', at: 'p.todo_date', course: 'p.context_id', assignment: 'null', topic: 'null', title: 'p.title', row: 'p' }, "'url', p.url, 'todo_date', p.todo_date")}
        from place cross join pages p on p.id in (${first('p', 'wiki_page', 'p.todo_date', 3, sql`p.context_type = 'Course' and p.context_id = place.id and ${isPageOut(now, 'p')} and p.todo_date ${inside} and ${isReachable('Page', 'p.id', closed)}`, walk)})`,
    },
    // A group topic of a graded discussion, when only the group is requested; its course shows the root topic.
    {
      isUngradedTodo: false,
      select: sql`select 'discussion_topic' as type, 1 as rank, t.id as id, r.id as mark_id, ${due} as at, null as course_id, assignments.id as assignment_id, t.id as topic_id, t.title as title, t.created_at as created_at, t.updated_at as updated_at,
          json_object('todo_date', t.todo_date, 'assignment_id', assignments.id, 'points_possible', assignments.points_possible, 'context_code', 'group_' || t.context_id) as extra
        from team cross join discussion_topics t on t.context_type = 'Group' and t.context_id = team.id and t.root_topic_id is not null
          cross join discussion_topics r on r.id = t.root_topic_id and r.context_id not in (select id from place) cross join assignments on assignments.id = r.assignment_id
        where ${isOpen} and ${isAssigned}`,
    },
    ...ofGroups({ inside, isOpen, isOut: isPageOut(now, 'p') }, walk),
    {
      isUngradedTodo: false,
      select: sql`select ${shape('planner_note', 4, { id: 'n.id', at: 'n.todo_date', course: 'n.course_id', assignment: 'null', topic: 'null', title: 'n.title', row: 'n' }, "'todo_date', n.todo_date, 'details', n.details, 'course_id', n.course_id, 'user_id', n.user_id")}
        from planner_notes n where n.id in (${first('n', 'planner_note', 'n.todo_date', 4, sql`n.user_id = ${me} and n.workflow_state = 'active' and n.todo_date ${inside} and ${reach.notes}`, walk)})`,
    },
    { isUngradedTodo: false, select: events(sql`coalesce(c.start_at, '') ${inside}`, "coalesce(c.start_at, '')") },
    { isUngradedTodo: false, select: events(sql`coalesce(c.start_at, '') = '' and c.created_at ${inside}`, 'c.created_at') },
  ];
  return { common, all };
}

interface Conditions {
  /** Conditions that follow from a date column, such as whether it is in the time range. */
  readonly inside: SQL;
  readonly isOpen: SQL;
  readonly isOut: SQL;
}

/** Groups have discussions, announcements and pages, all ungraded. Group topics of a course discussion are shown with the course, if it is requested. */
function ofGroups({ inside, isOpen, isOut }: Conditions, walk: Walk): Strand[] {
  const topics = (type: 'discussion_topic' | 'announcement', rank: number, which: string): SQL => sql`select ${shape(
    type,
    rank,
    { id: 't.id', course: 'null', topic: 't.id', title: 't.title', row: 't', at: plannedAt, assignment: 'null' },
    "'todo_date', t.todo_date, 'context_code', 'group_' || t.context_id",
  )}
    from team cross join discussion_topics t on t.id in (${first(
      't',
      type,
      plannedAt,
      rank,
      sql`t.context_type = 'Group' and t.context_id = team.id and t.is_announcement = ${sql.raw(which)} and ${sql.raw(plannedAt)} ${inside}
        and not exists (select 1 from discussion_topics r where r.id = t.root_topic_id and (r.assignment_id is not null or r.context_id in (select id from place))) and ${isOpen}`,
      walk,
    )})`;
  const pages = sql`select ${shape('wiki_page', 3, { id: 'p.id', at: 'p.todo_date', course: 'null', assignment: 'null', topic: 'null', title: 'p.title', row: 'p' }, "'url', p.url, 'todo_date', p.todo_date, 'context_code', 'group_' || p.context_id")}
    from team cross join pages p on p.id in (${first('p', 'wiki_page', 'p.todo_date', 3, sql`p.context_type = 'Group' and p.context_id = team.id and ${isOut} and p.todo_date ${inside}`, walk)})`;
  return [
    { isUngradedTodo: true, select: topics('discussion_topic', 1, '0') },
    { isUngradedTodo: false, select: topics('announcement', 2, '1') },
    { isUngradedTodo: true, select: pages },
  ];
}
