// What has happened in four weeks around a person, as one select: discussions and announcements that moved, messages, work graded or talked about.

import { type SQL, sql } from 'drizzle-orm';
import type { Call } from '../../http/call';
import { ownCourseIds } from '../courses/own_courses';
import { written } from '../planner/reach';

export const streamTypes = ['DiscussionTopic', 'Announcement', 'Conversation', 'Submission'] as const;
export type StreamType = (typeof streamTypes)[number];

/** The id of an item says what it is and of what: the source's id, and the type in its last digit. */
export const itemId = (type: StreamType, source: number): number => source * 8 + streamTypes.indexOf(type);

export interface Asked {
  readonly only_active_courses?: boolean;
  readonly asset_type?: string;
  readonly course_id?: number;
}

const weeks = 4 * 7 * 86_400_000;

/** How far a page reaches, latest first: as many as it could take, were all of it of one kind, from the moment and the id where it begins. */
export interface Reaching {
  readonly most: number;
  readonly after?: readonly unknown[];
}

/** Columns: type, source, id, at, course_id, is_read; all of the weeks, where no page is asked for. */
export function happenings({ only_active_courses, asset_type, course_id }: Asked, call: Call, page?: Reaching): SQL {
  const me = written(call.me.id);
  const now = written(call.now);
  const since = written(`${new Date(Date.parse(call.now) - weeks).toISOString().slice(0, 19)}Z`);
  const own = ownCourseIds(me, only_active_courses ? { enrollment_state: 'active' } : {}, call.now);
  const courses = call.course
    ? sql`select ${written(call.course.id)}`
    : course_id === undefined
      ? own
      : sql`select course_id from (${own}) where course_id = ${written(course_id)}`;
  const staff = sql`exists (select 1 from enrollments s where s.user_id = ${me} and s.course_id = t.context_id and s.type in ('TeacherEnrollment', 'TaEnrollment', 'DesignerEnrollment') and s.enrollment_state in ('active', 'completed'))`;
  const moved = sql.raw('coalesce(t.last_reply_at, t.created_at)');
  const visible = sql`(t.workflow_state = 'active' or (t.workflow_state = 'post_delayed' and (not t.is_announcement or t.delayed_post_at <= ${now})))
    and (t.section_ids is null or ${staff} or exists (select 1 from json_each(t.section_ids) s join enrollments e on e.course_section_id = s.value where e.user_id = ${me} and e.enrollment_state in ('active', 'completed')))`;
  const heard = sql.raw(
    "(select max(c.created_at) from submission_comments c where c.submission_id = s.id and c.author_id <> s.user_id and c.workflow_state = 'active' and not c.is_draft)",
  );
  const isHidden = (id: SQL, at: SQL) =>
    sql`exists (select 1 from hidden_stream_items h where h.user_id = ${me} and (h.stream_id = cast(${id} as text) or (h.stream_id = '*' and h.hidden_at >= ${at})))`;
  const before = (at: SQL, id: SQL) =>
    page?.after ? sql` and ${at} <= ${page.after[0]} and (${at}, ${id}) < (${page.after[0]}, ${page.after[1]})` : sql``;
  const limit = written(page?.most ?? -1);
  // Each course, and in it each kind, is walked along its index no further than the page.
  const topicsOf = (kind: 0 | 1) => {
    const id = sql.raw(`(t.id * 8 + ${kind})`);
    return sql`t.id in (select t.id from discussion_topics t where t.context_type = 'Course' and t.context_id = place.id and t.is_announcement = ${sql.raw(String(kind))}
      and ${moved} >= ${since} and ${visible} and not ${isHidden(id, moved)}${before(moved, id)} order by ${moved} desc, t.id desc limit ${limit})`;
  };
  const parts: Record<string, SQL> = {
    topics: sql`select case when t.is_announcement then 'Announcement' else 'DiscussionTopic' end as type, t.id as source, t.id * 8 + t.is_announcement as id, ${moved} as at, t.context_id as course_id,
        exists (select 1 from discussion_topic_reads r where r.discussion_topic_id = t.id and r.user_id = ${me} and r.read) as is_read
      from place cross join discussion_topics t on ${topicsOf(0)} or ${topicsOf(1)}`,
    conversations: sql`select 'Conversation', p.conversation_id, p.conversation_id * 8 + 2, p.last_message_at, null, p.workflow_state <> 'unread'
      from (select * from conversation_participants p where p.user_id = ${me} and p.workflow_state <> 'archived' and p.last_message_at >= ${since}
        and not ${isHidden(sql.raw('(p.conversation_id * 8 + 2)'), sql.raw('p.last_message_at'))}${before(sql.raw('p.last_message_at'), sql.raw('p.conversation_id * 8 + 2'))}
        order by p.last_message_at desc, p.conversation_id desc limit ${limit}) p`,
    submissions: sql`select 'Submission', s.assignment_id, s.assignment_id * 8 + 3, max(coalesce(s.graded_at, ''), coalesce(${heard}, '')) as moved_at, s.course_id,
        not exists (select 1 from submission_reads r where r.submission_id = s.id and r.user_id = ${me} and not r.read)
      from submissions s join assignments a on a.id = s.assignment_id and a.workflow_state = 'published'
      where s.user_id = ${me} and s.course_id in (select id from place) and s.workflow_state <> 'deleted' and moved_at >= ${since}
        and not (s.posted_at is null and (a.post_manually or s.graded_at is not null))`,
  };
  const chosen = [parts.topics, ...(call.course || course_id !== undefined ? [] : [parts.conversations]), parts.submissions] as SQL[];
  const ofType = asset_type === undefined ? sql`` : sql` and type = ${asset_type}`;
  return sql`with place(id) as materialized (${courses}) select * from (${sql.join(chosen, sql` union all `)}) happened
    where not ${isHidden(sql.raw('happened.id'), sql.raw('happened.at'))}${ofType}`;
}
