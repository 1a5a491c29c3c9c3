// Everything that can stand in a plan, as selects of one shape: what it is, when it is due, and how far the person has come with it.

import { type SQL, sql } from 'drizzle-orm';
import { assignedTo, effectiveDate, reaching } from '../assignments/reach';
import { type Reach, written } from './reach';

export interface Stretch {
  readonly start: string;
  readonly end: string;
}

/** Columns of every strand: type, rank, id, at, course_id, assignment_id, topic_id, title, created_at, updated_at, extra. */
export interface Strand {
  readonly select: SQL;
  /** Pages and ungraded discussions. */
  readonly isUngradedTodo: boolean;
}

const shape = (
  type: string,
  rank: number,
  given: Record<'id' | 'at' | 'course' | 'assignment' | 'topic' | 'title' | 'row', string>,
  extra: string,
) =>
  sql.raw(
    `'${type}' as type, ${rank} as rank, ${given.id} as id, ${given.at} as at, ${given.course} as course_id, ${given.assignment} as assignment_id, ${given.topic} as topic_id, ${given.title} as title, ${given.row}.created_at as created_at, ${given.row}.updated_at as updated_at, json_object(${extra}) as extra`,
  );

/** The common tables that the strands refer to: `place`, the courses; `candidate`, assignments that could be due in the stretch. */
export const common = (reach: Reach, { start, end }: Stretch): SQL => {
  const inside = sql.raw(`between '${start}' and '${end}'`);
  return sql`place(id) as materialized (${reach.courses}), candidate(id) as materialized (
    select a.id from assignments a where a.course_id in (select id from place) and a.due_at ${inside} and a.workflow_state = 'published'
    union select o.assignment_id from assignment_overrides o where o.course_id in (select id from place) and o.workflow_state = 'active' and o.due_at_overridden and o.due_at ${inside})`;
};

/** In the words of its index. */
const plannedAt = 'coalesce(t.todo_date, t.posted_at, t.delayed_post_at, t.created_at)';

export function strands(reach: Reach, { start, end }: Stretch, now: string): Strand[] {
  const me = written(reach.subject);
  const inside = sql.raw(`between '${start}' and '${end}'`);
  const due = effectiveDate('due_at', reaching(sql.raw('= assignments.id'), me), now);
  const staff = (course: string) =>
    sql`exists (select 1 from enrollments s where s.user_id = ${me} and s.course_id = ${sql.raw(course)} and s.type in ('TeacherEnrollment', 'TaEnrollment', 'DesignerEnrollment') and s.enrollment_state in ('active', 'completed'))`;
  const isAssigned = sql`assignments.workflow_state = 'published' and (${assignedTo(me)} or ${staff('assignments.course_id')})`;
  const isOpen = sql`(t.workflow_state = 'active' or (t.workflow_state = 'post_delayed' and (not t.is_announcement or t.delayed_post_at <= ${written(now)})))
    and (t.section_ids is null or exists (select 1 from json_each(t.section_ids) s join enrollments e on e.course_section_id = s.value where e.user_id = ${me} and e.enrollment_state in ('active', 'completed')) or ${staff('t.context_id')})`;
  const topicFacts = "'todo_date', t.todo_date, 'assignment_id', t.assignment_id";
  const topic = { id: 't.id', course: 't.context_id', topic: 't.id', title: 't.title', row: 't' };
  const eventAt = 'coalesce(c.start_at, c.created_at)';
  const events = (
    moment: SQL,
  ) => sql`select ${shape('calendar_event', 5, { id: 'c.id', at: eventAt, course: "case when substr(coalesce(c.effective_context_code, c.context_code), 1, 7) = 'course_' then cast(substr(coalesce(c.effective_context_code, c.context_code), 8) as integer) end", assignment: 'null', topic: 'null', title: 'c.title', row: 'c' }, "'start_at', c.start_at, 'end_at', c.end_at, 'all_day', c.all_day, 'location_name', c.location_name, 'location_address', c.location_address, 'description', c.description, 'context_code', coalesce(c.effective_context_code, c.context_code)")}
    from (${reach.codes}) code join calendar_events c on c.context_code = code.code
    where c.workflow_state <> 'deleted' and ${moment} and not exists (select 1 from calendar_events part where part.parent_event_id = c.id and part.workflow_state <> 'deleted')`;
  // `+t.context_type`: not to be looked up by, or the query planner prefers every topic of every course to the few that are named.
  return [
    {
      isUngradedTodo: false,
      select: sql`select 'assignment' as type, 0 as rank, assignments.id as id, ${due} as at, assignments.course_id as course_id, assignments.id as assignment_id, null as topic_id, assignments.name as title, assignments.created_at as created_at, assignments.updated_at as updated_at,
          json_object('points_possible', assignments.points_possible) as extra
          from assignments where assignments.id in (select id from candidate) and ${isAssigned}
          and not exists (select 1 from discussion_topics t where t.assignment_id = assignments.id and t.workflow_state <> 'deleted')`,
    },
    {
      isUngradedTodo: false,
      select: sql`select 'discussion_topic' as type, 1 as rank, t.id as id, ${due} as at, t.context_id as course_id, assignments.id as assignment_id, t.id as topic_id, t.title as title, t.created_at as created_at, t.updated_at as updated_at,
          json_object(${sql.raw(topicFacts)}, 'points_possible', assignments.points_possible) as extra
        from discussion_topics t join assignments on assignments.id = t.assignment_id
        where t.assignment_id in (select id from candidate) and +t.context_type = 'Course' and ${isOpen} and ${isAssigned}`,
    },
    {
      isUngradedTodo: true,
      select: sql`select ${shape('discussion_topic', 1, { ...topic, at: plannedAt, assignment: 'null' }, topicFacts)}
        from discussion_topics t where t.context_type = 'Course' and t.context_id in (select id from place) and t.is_announcement = 0 and t.assignment_id is null
        and ${sql.raw(plannedAt)} ${inside} and ${isOpen}`,
    },
    {
      isUngradedTodo: false,
      select: sql`select ${shape('announcement', 2, { ...topic, at: plannedAt, assignment: 'null' }, "'todo_date', null")}
        from discussion_topics t where t.context_type = 'Course' and t.context_id in (select id from place) and t.is_announcement = 1
        and ${sql.raw(plannedAt)} ${inside} and ${isOpen}`,
    },
    {
      isUngradedTodo: true,
      select: sql`select ${shape('wiki_page', 3, { id: 'p.id', at: 'p.todo_date', course: 'p.context_id', assignment: 'null', topic: 'null', title: 'p.title', row: 'p' }, "'url', p.url, 'todo_date', p.todo_date")}
        from pages p where p.context_type = 'Course' and p.context_id in (select id from place) and p.workflow_state = 'active' and p.todo_date ${inside}`,
    },
    {
      isUngradedTodo: false,
      select: sql`select ${shape('planner_note', 4, { id: 'n.id', at: 'n.todo_date', course: 'n.course_id', assignment: 'null', topic: 'null', title: 'n.title', row: 'n' }, "'todo_date', n.todo_date, 'details', n.details, 'course_id', n.course_id, 'user_id', n.user_id")}
        from planner_notes n where n.user_id = ${me} and n.workflow_state = 'active' and n.todo_date ${inside} and ${reach.notes}`,
    },
    { isUngradedTodo: false, select: events(sql`coalesce(c.start_at, '') ${inside}`) },
    { isUngradedTodo: false, select: events(sql`coalesce(c.start_at, '') = '' and c.created_at ${inside}`) },
  ];
}
