// Podcast episodes of a topic: audio and video in its text, entries and attachments.

import { type SQL, sql } from 'drizzle-orm';
import { textOfType } from '../../contexts/predicates';
import type { Database } from '../../database/open';
import { inContext, verifiersIn } from '../../rules/file_verifiers';
import { studentsOf } from '../enrollments/table';
import type { Episode } from './rss';

/** Maximum number of the newest entries to scan. */
const most = 500;

/** Written by staff or, in a group, by a non-member. */
const byStaff: SQL = sql.raw(`case t.context_type
  when 'Course' then not exists (select 1 from enrollments n where n.user_id = e.user_id and n.course_id = t.context_id and (${textOfType(studentsOf, 'n')} or n.type = 'ObserverEnrollment'))
  else not exists (select 1 from group_memberships n where n.user_id = e.user_id and n.group_id = t.context_id and n.workflow_state = 'accepted') end`);

/** Newest first. Student posts are included only when the topic allows it. */
export function selectEpisodes({ build }: Database, topic_id: number) {
  const topic = sql`(select * from discussion_topics where id = ${topic_id})`;
  const said = sql`said(html, attachment_id, posted_at) as materialized (
    select message, attachment_id, coalesce(posted_at, created_at) from ${topic}
    union all select * from (select e.message, e.attachment_id, e.created_at from ${topic} t join discussion_entries e on e.discussion_topic_id = t.id
      where e.workflow_state = 'active' and (t.podcast_has_student_posts or ${byStaff}) order by e.id desc limit ${sql.raw(String(most))}))`;
  const verifiers = verifiersIn(sql.raw('said.html'), inContext(sql.raw('here.context_type'), sql.raw('here.context_id')));
  const shown = sql`shown(file_id, posted_at) as (
    select cast(v.key as integer), said.posted_at from said cross join ${topic} here cross join json_each(${verifiers}) v
    union all select said.attachment_id, said.posted_at from said where said.attachment_id is not null)`;
  return build.all<Episode>(sql`with ${said}, ${shown}
    select f.id as file_id, f.uuid, f.display_name as title, f.content_type, f.size, max(shown.posted_at) as posted_at
    from shown cross join files f on f.id = shown.file_id
    where f.workflow_state = 'available' and f.locked = 0 and (f.content_type like 'audio/%' or f.content_type like 'video/%')
    group by f.id order by max(shown.posted_at) desc, f.id desc`);
}
