// The topics that a caller may see.

import { and, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { isStaff } from '../../contexts/predicates';
import { shared, sharedIds } from '../../database/shared';
import type { Call } from '../../http/call';
import { assignedTo } from '../../rules/assigned';
import { isVisibleTo } from '../assignments/policy';
import { viewingUser } from '../assignments/viewpoint';
import { closedModules, isReachable } from '../modules/items/content';
import { viewingStudent } from '../modules/viewpoint';
import { type ForumPlace, isGroup } from './place';

type Looking = Pick<Call, 'me' | 'user' | 'path' | 'now'>;

/** Topics of a course that are not deleted. */
export const presentTopics = (course: ForumPlace | Pick<CourseContext, 'id'>): SQL =>
  sql`discussion_topics.context_type = ${sql.raw('group' in course ? "'Group'" : "'Course'")} and discussion_topics.context_id = ${course.id} and discussion_topics.workflow_state <> 'deleted'`;

/** For all sections, or for one of these. */
export const inSections = (sections: SQL): SQL =>
  sql`(discussion_topics.section_ids is null or exists (select 1 from json_each(discussion_topics.section_ids) s where s.value in (${sections})))`;

/** Visible to students: a delayed topic is shown as locked, a delayed announcement is hidden until its time. */
const isOut = (now: string): SQL =>
  sql`(discussion_topics.workflow_state = 'active' or (discussion_topics.workflow_state = 'post_delayed' and (not discussion_topics.is_announcement or discussion_topics.delayed_post_at <= ${shared('time', now)})))`;

const ids = (given: readonly number[]) => sharedIds('sections', given);

/**
 * Whether a user must post in a topic before seeing its entries and their count. Never for the course's staff; observers need a post by a student
 * they observe. Enrollments are read in `from`, where D1 does not count expression depth.
 * @param topic the alias of the row of `discussion_topics`
 */
export function mustPost(topic: string, person: SQL): SQL {
  const t = sql.raw(topic);
  const enrolled = sql`enrollments n where n.user_id = ${person} and n.course_id = ${t}.context_id and ${t}.context_type = 'Course' and n.enrollment_state in ('active', 'completed')`;
  return sql`(${t}.require_initial_post
    and not exists (select 1 from (select 1 from discussion_entries e where e.discussion_topic_id = ${t}.id and e.workflow_state = 'active'
      and (e.user_id = ${person} or e.user_id in (select * from (select n.observed_user_id from ${enrolled} and n.observed_user_id <> 0)))))
    and not exists (select 1 from (select 1 from ${enrolled} and ${isStaff('n')})))`;
}

/** Whether the current topic row of this course is visible to the caller, apart from its assignment and module. */
export const isTopicOpenTo = (course: ForumPlace, { me, now }: Pick<Looking, 'me' | 'now'>): SQL =>
  course.readsAsAdmin
    ? course.sectionLimit
      ? inSections(ids(course.sectionLimit))
      : sql`1`
    : sql`(discussion_topics.user_id = ${shared('user', me.id)} or (${isOut(now)} and ${inSections(ids(course.sectionIds))}))`;

/** The same, including its assignment and module; a group topic follows its root topic. */
export function isTopicVisible(place: ForumPlace, call: Looking): SQL {
  const isHere = isTopicOpenTo(place, call);
  if (!isGroup(place))
    return place.readsAsAdmin
      ? isHere
      : sql`(discussion_topics.user_id = ${shared('user', call.me.id)} or (${isHere} and ${isMeant(place, 'discussion_topics.id', sql.raw('discussion_topics.assignment_id'), call)}))`;
  const { course } = place.group;
  if (!course || course.readsAsAdmin) return isHere;
  const root = sql.raw('(select root.assignment_id from discussion_topics root where root.id = discussion_topics.root_topic_id)');
  return sql`(${isHere} and (discussion_topics.root_topic_id is null or ${isMeant(course, 'discussion_topics.root_topic_id', root, call)}))`;
}

/** Whether the assignment and module of a course topic are visible to the caller, who is not staff. */
function isMeant(course: CourseContext, topic: string, assignment_id: SQL, call: Looking): SQL {
  const whose = viewingUser({ ...call, course });
  const theirs =
    course.observedIds.length === 0 ? sql`assignments.workflow_state = 'published' and ${assignedTo(whose)}` : isVisibleTo(whose);
  const student = viewingStudent(course, call);
  const reached = student === undefined ? sql`1` : isReachable('Discussion', topic, closedModules(student, course.id));
  return sql`((${assignment_id} is null or exists (select 1 from assignments where assignments.id = ${assignment_id} and ${theirs})) and ${reached})`;
}

/** Topics and announcements of the course that are visible to the caller. */
export const visibleTopics = (course: ForumPlace, call: Looking): SQL =>
  and(presentTopics(course), isTopicVisible(course, call), readableKinds(course)) as SQL;

/** Topics and announcements each have their own read permission. */
export function readableKinds(course: ForumPlace): SQL | undefined {
  const topics = course.can('read_forum');
  const announcements = course.can('read_announcements');
  if (topics && announcements) return undefined;
  return topics || announcements ? sql`discussion_topics.is_announcement = ${announcements ? 1 : 0}` : sql`0`;
}
