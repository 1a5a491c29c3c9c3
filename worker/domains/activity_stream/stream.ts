// A page of the activity stream, newest first, each item with its details. One round trip.

import type { Json } from '@carrel/shared/resources/resource';
import { StreamItem } from '@carrel/shared/resources/stream_item';
import { type SQL, sql } from 'drizzle-orm';
import { atMost } from '../../database/at_most';
import { isInSelect } from '../../database/ids';
import { shared } from '../../database/shared';
import { together, withColumns } from '../../database/together';
import type { Call } from '../../http/call';
import { rows } from '../../http/listing';
import { startAfter } from '../../http/page';
import { pageOfRows, type Reply } from '../../http/reply';
import { planListing, serializer } from '../../http/serializer';
import { effectiveDate, reaching } from '../../rules/assigned';
import { notifications } from '../../rules/notifications';
import { submissionIdOf } from '../../rules/submission_ids';
import { type AskedReview, reviewedPath } from '../assignments/submissions/asked_review';
import { mustPost } from '../discussion_topics/policy';
import { type LockFields, lockFields } from '../modules/lock_fields';
import { moduleLockOf, selectLocks } from '../modules/locks';
import type { FactsRow } from '../modules/progress/facts';
import { hidden_stream_items } from '../planner/table';
import { submissionAlone } from '../submissions/json';
import { submissions } from '../submissions/table';
import { askedReviews, isStaffOrAdmin, type StreamFilter, type StreamType, streamItems, viewers } from './stream_items';

/** Only declares the format: `streamPage` reads the rows, because a page spans several tables. */
export const streamItem = serializer({
  resource: StreamItem,
  table: hidden_stream_items as never,
  json: (item: object) => item,
});

interface Row {
  readonly type: StreamType;
  readonly source: number;
  readonly id: number;
  readonly at: string;
  readonly context_type: 'Course' | 'Group' | null;
  readonly context_id: number | null;
  /** For notifications: the name of the notification. */
  readonly notification: string | null;
  readonly is_read: number;
  /** The student whose submission it is. */
  readonly subject: number | null;
  /** The item's details as JSON. */
  readonly told: string;
}

const columns = ['type', 'source', 'id', 'at', 'context_type', 'context_id', 'notification', 'is_read', 'subject'];

interface Topic {
  readonly title: string;
  readonly message: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly require_initial_post: number;
  readonly total: number;
  readonly has_posted: number;
  /** The caller must post before reading entries, and has not. */
  readonly must_post: number;
  readonly is_nameless: number;
  readonly latest: readonly { user_id: number; user_name: string; message: string | null }[];
}

interface Thread {
  readonly title: string | null;
  readonly private: number;
  readonly message: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly participant_count: number;
  readonly latest: readonly { id: number; created_at: string; author_id: number; message: string }[];
}

/** The facts that decide whether a discussion is locked for the caller: dates, grading, module. */
interface Door {
  readonly topic: number;
  /** The root topic of a group topic, or the topic itself. */
  readonly whole: number;
  readonly delayed_post_at: string | null;
  readonly unlock_at: string | null;
  readonly is_staff: number;
  readonly is_bound: number;
}

/** Lock facts of the topics on a page; the page is given as a table. */
const doors = (page: SQL, call: Call) => {
  const course = sql.raw('t.course_id');
  // Invited users may read the course as well; observers are never locked out.
  const here = sql`select 1 from enrollments n where n.user_id = ${shared('user', call.me.id)} and n.course_id = t.course_id and n.enrollment_state not in ('deleted', 'rejected')`;
  const isBound = sql`(exists (${here} and n.type <> 'ObserverEnrollment') or not exists (${here}))`;
  return withColumns(
    call.db.build.all<Door>(sql`select t.topic, t.whole, t.delayed_post_at, ${effectiveDate('unlock_at', reaching(sql.raw('= assignments.id'), viewers(course, call)), call.now)} as unlock_at,
        ${isStaffOrAdmin(course, call)} as is_staff, ${isBound} as is_bound
      from (select t.id as topic, coalesce(t.root_topic_id, t.id) as whole, iif(t.workflow_state = 'post_delayed', t.delayed_post_at, null) as delayed_post_at,
          coalesce(t.assignment_id, r.assignment_id) as graded_by, iif(t.context_type = 'Course', t.context_id, g.context_id) as course_id
        from ${page} happened cross join discussion_topics t on t.id = happened.source left join discussion_topics r on r.id = t.root_topic_id
          left join groups g on t.context_type = 'Group' and g.id = t.context_id and g.context_type = 'Course'
        where happened.type = 'DiscussionTopic' and (t.workflow_state = 'post_delayed' or t.assignment_id is not null or r.assignment_id is not null
          or exists (select 1 from module_items i where i.type = 'Discussion' and i.content_id = coalesce(t.root_topic_id, t.id) and i.workflow_state = 'active'))) t
        left join assignments on assignments.id = t.graded_by`),
    ['topic', 'whole', 'delayed_post_at', 'unlock_at', 'is_staff', 'is_bound'],
  );
};

/** The lock information of a discussion for the caller. */
function lockOf(door: Door | undefined, facts: readonly FactsRow[], now: string): LockFields {
  if (!door || door.is_staff) return { locked_for_user: false };
  const unlock_at = [door.delayed_post_at, door.unlock_at].find((at) => at !== null && at > now);
  const module = door.is_bound ? moduleLockOf(facts, 'Discussion', door.whole, now) : undefined;
  return lockFields({ asset_string: `discussion_topic_${door.topic}`, unlock_at, module }, now);
}

/** The details of each type, as JSON built from its own row. */
const result = (me: number) => sql`case
  when item.type in ('DiscussionTopic', 'Announcement') then (select json_object('title', t.title, 'message', t.message, 'created_at', t.created_at, 'updated_at', t.updated_at, 'require_initial_post', t.require_initial_post,
      'total', (select count(*) from discussion_entries e where e.discussion_topic_id = t.id and e.parent_id is null and e.workflow_state = 'active'),
      'is_nameless', coalesce(t.anonymous_state = 'full_anonymity', 0),
      'must_post', ${mustPost('t', shared('user', me))},
      'has_posted', exists (select 1 from discussion_entries e where e.discussion_topic_id = t.id and e.user_id = ${shared('user', me)} and e.workflow_state = 'active'),
      'latest', (select json_group_array(json_object('user_id', last.user_id, 'user_name', u.short_name, 'message', last.message)) from
        (select e.user_id, e.message from discussion_entries e where e.discussion_topic_id = t.id and e.parent_id is null and e.workflow_state = 'active' order by e.id desc limit 3) last join users u on u.id = last.user_id))
    from discussion_topics t where t.id = item.source)
  when item.type = 'Conversation' then (select json_object('title', c.subject, 'private', c.private, 'message', p.last_message, 'created_at', c.created_at, 'updated_at', p.last_message_at,
      'participant_count', (select count(*) from conversation_participants o where o.conversation_id = c.id),
      'latest', (select json_group_array(json_object('id', last.id, 'created_at', last.created_at, 'author_id', last.author_id, 'message', last.body)) from
        (select m.id, m.created_at, m.author_id, m.body from conversation_message_participants v join conversation_messages m on m.id = v.conversation_message_id
          where v.conversation_id = c.id and v.user_id = ${shared('user', me)} and not v.hidden order by m.position desc limit 3) last))
    from conversations c join conversation_participants p on p.conversation_id = c.id and p.user_id = ${shared('user', me)} where c.id = item.source)
  when item.type = 'Message' then (select json_object('title', l.subject, 'message', l.body, 'created_at', l.created_at) from comm_messages l where l.id = item.source)
  when item.type = 'Collaboration' then (select json_object('title', w.title, 'message', w.description, 'created_at', w.created_at) from collaborations w where w.id = item.source)
  else (select json_object('title', a.name, 'created_at', s.created_at) from assignments a join submissions s on s.assignment_id = a.id and s.user_id = item.subject where a.id = item.source) end`;

type Item = Json<typeof StreamItem>;
type Work = { readonly assignment_id: number; readonly user_id: number };

/** The category of a notification as a title: `Due Date`. */
export const streamCategory = (notification: string | null): string | null =>
  notification === null
    ? null
    : (notifications.get(notification) ?? notification).replace(
        /(^|_)([a-z])/g,
        (_, gap: string, message: string) => `${gap && ' '}${message.toUpperCase()}`,
      );

/** The URL of an item, below its course or group. */
const placeOf = ({ context_type, context_id }: Row, { origin }: Call): string => `${origin}/${context_type?.toLowerCase()}s/${context_id}`;

interface Plain {
  readonly title: string | null;
  readonly message: string | null;
  readonly created_at: string;
}

/** A notification links to its subject when it has a URL. */
function letterJson(row: Row, { origin }: Call): Item {
  const letter = JSON.parse(row.told) as Plain;
  const url = /https?:\/\/[^\s<>"]+/.exec(letter.message ?? '')?.[0] ?? origin;
  return { ...around(row, letter, url), message_id: row.source, notification_category: streamCategory(row.notification), url };
}

const documentJson = (row: Row, call: Call): Item => ({
  ...around(row, JSON.parse(row.told) as Plain, `${placeOf(row, call)}/collaborations/${row.source}`),
  collaboration_id: row.source,
});

function reviewJson(row: Row, review: AskedReview, call: Call): Item {
  const { title, created_at } = review;
  const html_url = `${placeOf(row, call)}${reviewedPath(review, call)}`;
  return { ...around(row, { title, message: null, created_at }, html_url), assessment_request_id: row.source };
}

/** For a locked topic, the message explains the lock and the entries are omitted. */
function topicJson(row: Row, call: Call, lock: LockFields): Item {
  const topic = JSON.parse(row.told) as Topic;
  const isKept = topic.must_post === 1 || lock.locked_for_user;
  const isAnnouncement = row.type === 'Announcement';
  const isHeld = topic.require_initial_post === 1;
  return {
    ...around(
      row,
      { ...topic, message: lock.lock_explanation ?? topic.message },
      `${placeOf(row, call)}/${isAnnouncement ? 'announcements' : 'discussion_topics'}/${row.source}`,
    ),
    ...(isAnnouncement ? { announcement_id: row.source } : { discussion_topic_id: row.source }),
    total_root_discussion_entries: topic.must_post === 1 ? 0 : topic.total,
    require_initial_post: isHeld,
    user_has_posted: isHeld ? topic.has_posted === 1 : null,
    root_discussion_entries: isKept
      ? []
      : topic.latest.map(({ user_id, user_name, message }) => ({ user: topic.is_nameless === 1 ? {} : { user_id, user_name }, message })),
  };
}

function threadJson(row: Row, { origin }: Call): Item {
  const thread = JSON.parse(row.told) as Thread;
  return {
    ...around(row, thread, `${origin}/conversations/${row.source}`),
    conversation_id: row.source,
    private: thread.private === 1,
    participant_count: thread.participant_count,
    latest_messages: [...thread.latest],
  };
}

const around = (
  row: Row,
  { title, message, created_at }: { title: string | null; message: string | null; created_at: string },
  html_url: string,
) => ({
  id: row.id,
  type: row.type,
  title,
  message,
  read_state: row.is_read === 1,
  created_at,
  updated_at: row.at,
  ...(row.context_type === 'Course' && { context_type: 'Course', course_id: row.context_id ?? 0 }),
  ...(row.context_type === 'Group' && { context_type: 'Group', group_id: row.context_id ?? 0 }),
  html_url,
});

/**
 * The submissions that a page may contain: at most one page of them. A statement of its own finds them again, because one statement with all details would
 * come near D1's limits.
 */
function workOf(asked: StreamFilter, call: Call) {
  const after = startAfter(call.page, 2);
  const most = call.page.per_page * (call.page.number ?? 1) + 1;
  const moved = streamItems(asked, call, { most, after }, 'submissions');
  const beyond = after ? sql`where (at, happened.id) < (${after[0]}, ${after[1]})` : sql``;
  const read = sql`select ${submissionIdOf(sql.raw('source'), sql.raw('subject'))} as id from (${moved}) happened ${beyond} order by at desc, happened.id desc limit ${atMost(most)}`;
  const withWork = { ...call, include: new Set(['submission_comments', 'assignment', 'user', 'course']) };
  return together(call.db, (all) =>
    planListing(submissionAlone, rows(submissions, { where: isInSelect(submissions.id, read) }), withWork, undefined, all),
  );
}

export async function streamPage(asked: StreamFilter, call: Call): Promise<Reply> {
  const { db } = call;
  const { per_page, number } = call.page;
  const after = startAfter(call.page, 2);
  const beyond = after ? sql`where (at, id) < (${after[0]}, ${after[1]})` : sql``;
  const chosen = sql`select * from (${streamItems(asked, call, { most: per_page * (number ?? 1) + 1, after })}) ${beyond} order by at desc, id desc limit ${atMost(per_page + 1)} offset ${number === undefined ? 0 : (number - 1) * per_page}`;
  const read = withColumns(
    db.build.all<Row>(
      sql`select ${sql.raw(columns.map((name) => `item.${name}`).join(', '))}, ${result(call.me.id)} as told from (${chosen}) item order by at desc, item.id desc`,
    ),
    [...columns, 'told'],
  );
  const page = together(db, (all) => {
    const source = all?.source(read) ?? sql`(${chosen})`;
    const before = doors(source, call);
    const wholes = sql`select whole from ${all?.source(before) ?? sql`(${before.getSQL()})`} where is_bound and not is_staff`;
    const locks = selectLocks(db, 'Discussion', wholes, call.me.id);
    all?.add(locks);
    return {
      statements: [read, before, locks],
      tell: ([found, before, facts]: readonly unknown[]) => ({
        found: found as Row[],
        lock: (topic: number) =>
          lockOf(
            (before as Door[]).find((one) => one.topic === topic),
            facts as FactsRow[],
            call.now,
          ),
      }),
    };
  });
  const work = workOf(asked, call);
  const [reviews, ...results] = await db.perform([askedReviews(call), ...page.statements, ...work.statements]);
  const { found, lock } = page.tell(results);
  const done = work.tell(results.slice(page.statements.length));
  const works = new Map(done.map(({ row, json }) => [`${(row as Work).assignment_id} ${(row as Work).user_id}`, json]));
  const items = found.slice(0, per_page).flatMap((row): Item | [] => {
    if (row.type === 'AssessmentRequest') {
      const review = reviews.find(({ id }) => id === row.source);
      return review ? reviewJson(row, review, call) : [];
    }
    if (row.type === 'Conversation') return threadJson(row, call);
    if (row.type === 'Message') return letterJson(row, call);
    if (row.type === 'Collaboration') return documentJson(row, call);
    if (row.type !== 'Submission')
      return topicJson(row, call, row.type === 'DiscussionTopic' ? lock(row.source) : { locked_for_user: false });
    const work = works.get(`${row.source} ${row.subject}`) as {
      id: number;
      assignment?: { name: string };
      submission_comments?: { comment: string }[];
    };
    const { title, created_at } = JSON.parse(row.told) as { title: string; created_at: string };
    return {
      ...work,
      ...(work.assignment && { assignment: { ...work.assignment, title: work.assignment.name } }),
      submission_comments: work.submission_comments?.map((one) => ({ ...one, body: one.comment })),
      ...around(row, { title, message: null, created_at }, `${placeOf(row, call)}/assignments/${row.source}/submissions/${row.subject}`),
      submission_id: work.id,
    } as Item;
  });
  const last = found[per_page - 1];
  return pageOfRows(items, found.length > per_page && last ? [last.at, last.id] : null);
}
