// Activity of the last four weeks for a user, as one select: discussions, announcements, messages, graded or commented submissions (own and
// observed), assignment notifications, collaborations and peer reviews that the user is asked for.

import { type SQL, sql } from 'drizzle-orm';
import { atMost } from '../../database/at_most';
import { shared, sharedMark } from '../../database/shared';
import { united } from '../../database/united';
import type { Call } from '../../http/call';
import { assignedTo } from '../../rules/assigned';
import { reviewsAnonymously } from '../../rules/peer_reviews';
import { isHiddenSql } from '../../rules/posted';
import { studentOfSubmission } from '../../rules/submission_ids';
import { isVisibleTo } from '../assignments/policy';
import type { AskedReview } from '../assignments/submissions/asked_review';
import { asAdmin } from '../calendar_events/administered';
import { isOwnCollaboration } from '../collaborations/policy';
import { ownCourseIds } from '../courses/own_courses';
import { isReachable } from '../modules/items/content';
import { closedFor, teachesIn } from '../planner/reach';

/** The index is part of the public id: item id = 8 × source id + type index. */
export const streamTypes = [
  'DiscussionTopic',
  'Announcement',
  'Conversation',
  'Submission',
  'Message',
  'Collaboration',
  'AssessmentRequest',
] as const;
export type StreamType = (typeof streamTypes)[number];

export interface StreamFilter {
  readonly only_active_courses?: boolean;
  readonly asset_type?: string;
  readonly place?: { readonly type: 'Course' | 'Group'; readonly id: number };
  /** Only the submissions of this student. */
  readonly subject?: number;
}

const weeks = 4 * 7 * 86_400_000;

/** The window of a page, newest first. Each kind contributes at most one page of rows, from the bookmark's time and id on. */
interface Reaching {
  readonly most: number;
  readonly after?: readonly unknown[];
}

/** Notifications that appear in the stream themselves: no other stream item reports them. */
const messages = sql.raw(
  "('assignment_created', 'assignment_changed', 'assignment_due_date_changed', 'assignment_due_date_override_changed', 'blueprint_content_added', 'blueprint_sync_complete')",
);

/** The course of a context: the course itself, or the group's course. Kept flat because SQLite limits the depth of expressions. */
const home = sql.raw('place.course_id');
/** The assignment that grades topic `t`, directly or through its root topic. */
const gradedBy = sql.raw('coalesce(t.assignment_id, (select r.assignment_id from discussion_topics r where r.id = t.root_topic_id))');
/** Whether the caller is staff in a course. */
export const isStaffOrAdmin = (course: SQL, call: Call): SQL => sql`(${teachesIn(call.me.id, course)} or ${asAdmin(course, call)})`;
/** A select of the caller and the students they observe in a course. */
export const viewers = (course: SQL, { me }: Call): SQL =>
  sql`select ${shared('user', me.id)} union all select observed_user_id from enrollments where user_id = ${shared('user', me.id)} and course_id = ${course} and type = 'ObserverEnrollment' and observed_user_id <> 0 and enrollment_state in ('active', 'completed')`;

/** A select of the type and id of each context in the stream. */
function placesOf({ only_active_courses, place }: StreamFilter, call: Call): SQL {
  const me = shared('user', call.me.id);
  if (call.group) return sql`select 'Group', ${shared('group', call.group.id)}`;
  if (call.course) return sql`select 'Course', ${shared('course', call.course.id)}`;
  const own = ownCourseIds(me, only_active_courses ? { enrollment_state: 'active' } : {}, call.now);
  const groups = sql`select m.group_id from group_memberships m join groups g on g.id = m.group_id where m.user_id = ${me} and m.workflow_state = 'accepted' and g.workflow_state = 'available'`;
  if (place?.type === 'Course') return sql`select 'Course', course_id from (${own}) where course_id = ${shared('course', place.id)}`;
  if (place?.type === 'Group') return sql`select 'Group', group_id from (${groups}) where group_id = ${shared('group', place.id)}`;
  return sql`select 'Course', course_id from (${own}) union all select 'Group', group_id from (${groups})`;
}

const startOfStream = ({ now }: Pick<Call, 'now'>): SQL =>
  shared('start', `${new Date(Date.parse(now) - weeks).toISOString().slice(0, 19)}Z`);

/** The reviews that a user has been asked for. */
const reviewsSince = (user: SQL, since: SQL): SQL =>
  sql`assessment_requests r join assignments on assignments.id = r.assignment_id where r.assessor_id = ${user} and r.workflow_state <> 'deleted' and r.created_at >= ${since}`;
/** Of published assignments with peer reviews that are assigned to the user. */
const isAsked = (user: SQL): SQL =>
  sql`assignments.workflow_state = 'published' and assignments.options ->> 'peer_reviews' and ${assignedTo(user)}`;

/** The caller's reviews of assignments that are assigned to them, with what the stream shows of them. */
export function askedReviews(call: Call) {
  const me = shared('user', call.me.id);
  return call.db.build.all<AskedReview & { readonly id: number }>(
    sql`select r.id as id, assignments.name as title, r.created_at as created_at, assignments.id as assignment_id, ${studentOfSubmission(sql.raw('r.submission_id'))} as author_id, ${reviewsAnonymously} as is_anonymous
      from ${reviewsSince(me, startOfStream(call))} and ${isAsked(me)}`,
  );
}

type Kind = 'topics' | 'submissions' | 'documents' | 'reviews' | 'conversations' | 'letters';

/**
 * Columns: type, source, id, at, context_type, context_id, notification, is_read, subject (whose submission). Without `page`, returns all four weeks.
 * @param only one kind; all by default
 */
export function streamItems(asked: StreamFilter, call: Call, page?: Reaching, only?: Kind): SQL {
  const me = shared('user', call.me.id);
  const now = shared('time', call.now);
  const since = startOfStream(call);
  const staff = isStaffOrAdmin(home, call);
  const moved = sql.raw('coalesce(t.last_reply_at, t.created_at)');
  const visible = sql`(t.workflow_state = 'active' or (t.workflow_state = 'post_delayed' and (not t.is_announcement or t.delayed_post_at <= ${now})))
    and (t.section_ids is null or ${staff} or exists (select 1 from json_each(t.section_ids) s join enrollments e on e.course_section_id = s.value where e.user_id = ${me} and e.enrollment_state in ('active', 'completed')))`;
  // The caller, or a student they observe, can reach its assignment and module; a group topic follows its root topic.
  const isMeant = sql`((t.user_id = ${me} and t.root_topic_id is null) or (${isReachable('Discussion', 'coalesce(t.root_topic_id, t.id)', sql.raw('select id from closed'))}
    and (${gradedBy} is null or ${staff} or exists (select 1 from assignments where assignments.id = ${gradedBy} and ${isVisibleTo(viewers(home, call))}))))`;
  const heard = sql.raw(
    "(select max(c.created_at) from submission_comments c where c.submission_id = s.id and c.author_id <> s.user_id and c.workflow_state = 'active' and not c.is_draft)",
  );
  const isHidden = (id: SQL, at: SQL) =>
    sql`exists (select 1 from hidden_stream_items h where h.user_id = ${me} and (h.stream_id = ${id} || '' or (h.stream_id = '*' and h.hidden_at >= ${at})))`;
  const [markAt, markId] = sharedMark(page?.after ?? []);
  const before = (at: SQL, id: SQL) =>
    markAt && markId ? sql` and ${at} <= ${markAt} and (${at}, ${id}) < (${markAt}, ${markId})` : sql``;
  const limit = atMost(page?.most ?? -1);
  const topicId = sql.raw('(t.id * 8 + t.is_announcement)');
  const parts: Record<Kind, SQL> = {
    // Each course and kind is walked along its index, at most one page deep. The subquery is in `from` because SQLite does not count expression depth
    // there.
    topics: sql`select case when t.is_announcement then 'Announcement' else 'DiscussionTopic' end as type, t.id as source, t.id * 8 + t.is_announcement as id, ${moved} as at, t.context_type, t.context_id, null as notification,
        exists (select 1 from discussion_topic_reads r where r.discussion_topic_id = t.id and r.user_id = ${me} and r.read) as is_read, null as subject
      from place cross join (select 0 as is_announcement union all select 1) kind
        cross join discussion_topics t on t.id in (select id from (select t.id from discussion_topics t where t.context_type = place.type and t.context_id = place.id and t.is_announcement = kind.is_announcement
          and ${moved} >= ${since} and not ${isHidden(topicId, moved)}${before(moved, topicId)} and ${visible} and ${isMeant} order by ${moved} desc, t.id desc limit ${limit}))`,
    conversations: sql`select 'Conversation', p.conversation_id, p.conversation_id * 8 + 2, p.last_message_at, null, null, null, p.workflow_state <> 'unread', null
      from (select * from conversation_participants p where p.user_id = ${me} and p.workflow_state <> 'archived' and p.last_message_at >= ${since}
        and not ${isHidden(sql.raw('(p.conversation_id * 8 + 2)'), sql.raw('p.last_message_at'))}${before(sql.raw('p.last_message_at'), sql.raw('p.conversation_id * 8 + 2'))}
        order by p.last_message_at desc, p.conversation_id desc limit ${limit}) p`,
    submissions: sql`select 'Submission', s.assignment_id, case s.user_id when ${me} then s.assignment_id else s.id end * 8 + 3, max(coalesce(s.graded_at, ''), coalesce(${heard}, '')) as moved_at, 'Course', s.course_id, null,
        not exists (select 1 from submission_reads r where r.submission_id = s.id and r.user_id = ${me} and not r.read), s.user_id
      from (select ${me} as user_id, id as course_id from place where type = 'Course'
          union select observed_user_id, course_id from enrollments where user_id = ${me} and observed_user_id <> 0 and enrollment_state in ('active', 'completed')
            and course_id in (select id from place where type = 'Course')) whose
        cross join submissions s on s.user_id = whose.user_id and s.course_id = whose.course_id join assignments a on a.id = s.assignment_id and a.workflow_state = 'published'
      where s.workflow_state <> 'deleted' and moved_at >= ${since}
        and not ${isHiddenSql('s', 'a')}`,
    // A notification sent to several addresses of a user appears once.
    letters: sql`select 'Message', l.id, l.id * 8 + 4, l.created_at, null, null, l.notification, 1, null
      from (select * from comm_messages l where l.user_id = ${me} and l.created_at >= ${since} and l.notification in ${messages} and l.workflow_state <> 'cancelled'
        and not exists (select 1 from comm_messages o where o.user_id = l.user_id and o.created_at = l.created_at and o.id < l.id and o.notification = l.notification and o.subject = l.subject)
        and not ${isHidden(sql.raw('(l.id * 8 + 4)'), sql.raw('l.created_at'))}${before(sql.raw('l.created_at'), sql.raw('l.id * 8 + 4'))}
        order by l.created_at desc, l.id desc limit ${limit}) l`,
    documents: sql`select 'Collaboration', d.id, d.id * 8 + 5, d.updated_at, d.context_type, d.context_id, null, 1, null
      from place cross join collaborations d on d.id in (select collaborations.id from collaborations
        where collaborations.context_type = place.type and collaborations.context_id = place.id and collaborations.workflow_state = 'active' and collaborations.updated_at >= ${since}
        and ${isOwnCollaboration(call)} and not ${isHidden(sql.raw('(collaborations.id * 8 + 5)'), sql.raw('collaborations.updated_at'))}${before(sql.raw('collaborations.updated_at'), sql.raw('collaborations.id * 8 + 5'))}
        order by collaborations.updated_at desc, collaborations.id desc limit ${limit})`,
    // A page reads by itself which of them the caller sees (`askedReviews`): that condition would make its statement too long.
    reviews: sql`select 'AssessmentRequest', r.id, r.id * 8 + 6, r.created_at, 'Course', course_id, null, r.workflow_state = 'completed', null
      from ${reviewsSince(me, since)} and course_id in (select id from place where type = 'Course')${page ? sql`` : sql` and ${isAsked(me)}`}`,
  };
  const isOnePlace = call.course !== undefined || call.group !== undefined || asked.place !== undefined;
  const kinds: readonly Kind[] = only
    ? [only]
    : ['topics', 'submissions', 'documents', 'reviews', ...(isOnePlace ? [] : (['conversations', 'letters'] as const))];
  const ofType = asked.asset_type === undefined ? sql`` : sql` and type = ${asked.asset_type}`;
  const ofSubject = asked.subject === undefined ? sql`` : sql` and subject = ${asked.subject}`;
  const courses = sql`select course_id from place where course_id is not null`;
  const closed = kinds.includes('topics') ? sql`, closed(id) as materialized (${closedFor(call.me.id, courses, call)})` : sql``;
  return sql`with spot(type, id) as (${placesOf(asked, call)}),
    place(type, id, course_id) as materialized (select spot.type, spot.id, iif(spot.type = 'Course', spot.id, g.context_id) from spot left join groups g on spot.type = 'Group' and g.id = spot.id and g.context_type = 'Course')${closed},
    happened(type, source, id, at, context_type, context_id, notification, is_read, subject) as (${united(kinds.map((kind) => parts[kind]))})
    select * from happened
    where not ${isHidden(sql.raw('happened.id'), sql.raw('happened.at'))}${ofType}${ofSubject}`;
}
