// Types of planner items, and whether the caller may see an item.

import { type SQL, sql } from 'drizzle-orm';
import { shared } from '../../database/shared';
import type { Call } from '../../http/call';
import { assignedTo } from '../../rules/assigned';
import { isOwnPart, readableCourses, readableGroups, visibleCalendars } from '../calendar_events/readable_contexts';
import { isReachable } from '../modules/items/content';
import { closedFor, teachesIn } from './reach';
import { plannableTypes } from './table';

export type PlannableType = (typeof plannableTypes)[number];

/** Parses `Assignment`, `assignment` or `Quizzes::Quiz` to the short name; undefined for anything else. */
export function plannableType(given: string): PlannableType | undefined {
  const short = (given.split('::').at(-1) ?? '')
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/^wiki_?page$|^page$/, 'wiki_page');
  return plannableTypes.find((type) => type === short);
}

export interface Plannable {
  /** The stored type: a graded discussion is a discussion, a graded quiz a quiz, an announcement an announcement, a group topic its root topic. */
  readonly plannable_type: PlannableType;
  readonly plannable_id: number;
  readonly course_id: number | null;
  readonly title: string;
}

/** A select of the item if the caller may see it; empty for types that Carrel does not have. */
export function selectPlannable(type: PlannableType, given: number, call: Pick<Call, 'me' | 'now'>): SQL {
  const [me, id] = [shared('user', call.me.id), shared('item', given)];
  const readable = (course: SQL) => sql`${course} in (${readableCourses(course, call)})`;
  const teaches = (course: SQL) => teachesIn(call.me.id, course);
  const course = sql.raw('assignments.course_id');
  // In a course, staff see it before it is published; in a group, members see it.
  const isThere = (row: 'p' | 't') => {
    const [context, state] = [sql.raw(`${row}.context_id`), sql.raw(`${row}.workflow_state`)];
    const closed = closedFor(call.me.id, sql`${context}`, call);
    const reached = isReachable(row === 'p' ? 'Page' : 'Discussion', `${row}.id`, closed);
    return sql`(case ${sql.raw(row)}.context_type when 'Course' then ${readable(context)} and (${teaches(context)} or (${state} = 'active' and ${reached}))
      else ${context} in (${readableGroups(context, call)}) and ${state} = 'active' end)`;
  };
  switch (type) {
    case 'assignment':
      return sql`select case when t.id is not null then 'discussion_topic' when z.id is not null then 'quiz' else 'assignment' end as plannable_type, coalesce(t.id, z.id, assignments.id) as plannable_id,
          assignments.course_id as course_id, assignments.name as title from assignments
          left join discussion_topics t on t.assignment_id = assignments.id and t.workflow_state <> 'deleted'
          left join quizzes z on z.assignment_id = assignments.id and z.assignment_id is not null and z.workflow_state <> 'deleted'
        where assignments.id = ${id} and assignments.workflow_state <> 'deleted' and ${readable(course)} and (${teaches(course)} or (assignments.workflow_state = 'published' and ${assignedTo(me)}))`;
    case 'quiz': {
      const place = sql.raw('z.course_id');
      const reached = isReachable('Quiz', 'z.id', closedFor(call.me.id, place, call));
      return sql`select 'quiz' as plannable_type, z.id as plannable_id, z.course_id as course_id, z.title from quizzes z left join assignments on assignments.id = z.assignment_id
        where z.id = ${id} and z.workflow_state <> 'deleted' and ${readable(place)}
          and (${teaches(place)} or (z.workflow_state = 'available' and case when z.assignment_id is null then ${reached} else ${assignedTo(me)} end))`;
    }
    case 'assessment_request':
      return sql`select 'assessment_request' as plannable_type, r.id as plannable_id, assignments.course_id as course_id, assignments.name as title
        from assessment_requests r cross join assignments on assignments.id = r.assignment_id
        where r.id = ${id} and r.assessor_id = ${me} and r.workflow_state <> 'deleted' and assignments.workflow_state = 'published' and ${readable(course)} and ${assignedTo(me)}`;
    case 'announcement':
    case 'discussion_topic':
      return sql`select case when t.is_announcement then 'announcement' else 'discussion_topic' end as plannable_type, coalesce(r.id, t.id) as plannable_id,
          case when coalesce(r.context_type, t.context_type) = 'Course' then coalesce(r.context_id, t.context_id) end as course_id, t.title
        from discussion_topics t left join discussion_topics r on r.id = t.root_topic_id and r.workflow_state <> 'deleted'
        where t.id = ${id} and t.workflow_state <> 'deleted' and ${isThere('t')}`;
    case 'wiki_page':
      return sql`select 'wiki_page' as plannable_type, p.id as plannable_id, case p.context_type when 'Course' then p.context_id end as course_id, p.title from pages p
        where p.id = ${id} and p.workflow_state <> 'deleted' and ${isThere('p')}`;
    case 'planner_note':
      return sql`select 'planner_note' as plannable_type, n.id as plannable_id, n.course_id, n.title from planner_notes n where n.id = ${id} and n.user_id = ${me} and n.workflow_state = 'active'`;
    case 'calendar_event': {
      const named = sql.raw('cast(substr(coalesce(c.effective_context_code, c.context_code), 8) as integer)');
      const team = sql.raw('cast(substr(c.context_code, 7) as integer)');
      return sql`select 'calendar_event' as plannable_type, c.id as plannable_id, null as course_id, c.title from calendar_events c where c.id = ${id} and c.workflow_state <> 'deleted'
        and (c.context_code = ${`user_${call.me.id}`} or (substr(coalesce(c.effective_context_code, c.context_code), 1, 7) = 'course_' and ${readable(named)}
          and (c.effective_context_code is null or ${isOwnPart(sql.raw('c'), call)}))
          or (substr(c.context_code, 1, 6) = 'group_' and ${team} in (${readableGroups(team, call)}))
          or (substr(c.context_code, 1, 8) = 'account_' and cast(substr(c.context_code, 9) as integer) in (${visibleCalendars(call.me.id)})))`;
    }
    default:
      return sql`select '' as plannable_type, 0 as plannable_id, null as course_id, '' as title where 0`;
  }
}
