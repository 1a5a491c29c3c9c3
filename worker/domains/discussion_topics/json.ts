// Discussion topics as clients see them: the caller's read state and locks, and the assignment of a graded topic, all read with the page.

import { DiscussionTopic } from '@carrel/shared/resources/discussion_topic';
import { lookUp } from '@carrel/shared/wire/look_up';
import { type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { topicFeedAddress } from '../../crypto/topic_feed_address';
import { isInSelect } from '../../database/ids';
import { shared, sharedIds } from '../../database/shared';
import { withHost } from '../../html/addresses';
import type { Call } from '../../http/call';
import { rows } from '../../http/listing';
import { embed, serializer } from '../../http/serializer';
import { inContext, verifiersIn } from '../../rules/file_verifiers';
import { assignment, type ComputedRow } from '../assignments/json';
import { assignments } from '../assignments/table';
import { file, filesByIds } from '../files/json';
import { type LockFields, lockFields } from '../modules/lock_fields';
import { moduleLockOf } from '../modules/locks';
import { sections } from '../sections/table';
import { userDisplay } from '../users/display';
import { personColumn, personOf } from './author_column';
import { childColumns, childrenOf, ownChildOf } from './group_topics/children';
import { rootDates, topicLocks } from './group_topics/root_locks';
import { type ForumPlace, groupForum, isGroup } from './place';
import { type Forum, forumOf, holdOf, isDelayed, isFollowed, mayDelete, mayReply, mayUpdate, mustPostFirst, type TopicRow } from './rights';
import { discussion_topics } from './table';

/** A topic row with the columns that the serializer needs. */
export type TopicWithColumns = TopicRow & {
  readonly file_verifiers?: string | null;
  /** `[read, subscribed, read_count]`, or null. */
  readonly mark: string | null;
  readonly writer: string | null;
  readonly has_posted: number;
  readonly students_posted: number;
  readonly children?: string | null;
  readonly own_child?: string | null;
  /** JSON of `[unlock_at, lock_at]` of the root topic's assignment. */
  readonly root_dates?: string | null;
  readonly new_positions?: string;
};

export const topicIncludes = ['all_dates', 'sections', 'sections_user_count', 'overrides'] as const;

/** Entries by the caller, or by students the caller observes here. */
export const hasPosted = (call: Pick<Call, 'me'> & { readonly course?: Pick<CourseContext, 'observedIds'> }): SQL<number> =>
  sql<number>`exists (select 1 from discussion_entries e where e.discussion_topic_id = discussion_topics.id and e.user_id in (${sharedIds('users', [call.me.id, ...(call.course?.observedIds ?? [])])}) and e.workflow_state = 'active')`;

const bySomebodyIn = (who: SQL): SQL =>
  sql`discussion_topics.entry_count > 0 and exists (select 1 from discussion_entries e join ${who} where e.discussion_topic_id = discussion_topics.id and e.workflow_state = 'active')`;
const byStudents = bySomebodyIn(
  sql.raw("enrollments n on n.user_id = e.user_id and n.course_id = discussion_topics.context_id and n.type = 'StudentEnrollment'"),
);
const byMembers = bySomebodyIn(
  sql.raw("group_memberships n on n.user_id = e.user_id and n.group_id = discussion_topics.context_id and n.workflow_state = 'accepted'"),
);
/** Whether students have posted or submitted. For group topics, the root topic's state. */
export const studentsPosted = ({ group }: { readonly group?: unknown }): SQL<number> => sql<number>`(${group ? byMembers : byStudents}
  or exists (select 1 from submissions s where s.assignment_id = discussion_topics.assignment_id and s.submission_type is not null and s.workflow_state <> 'deleted'))`;

const verifiersOfTopic = verifiersIn(
  sql.raw('discussion_topics.message'),
  inContext(sql.raw('discussion_topics.context_type'), sql.raw('discussion_topics.context_id')),
);

export const computedTopicColumns = (call: Call) => ({
  mark: sql<
    string | null
  >`(select json_array(r.read, r.subscribed, r.read_count) from discussion_topic_reads r where r.discussion_topic_id = discussion_topics.id and r.user_id = ${shared('user', call.me.id)})`.as(
    'mark',
  ),
  writer: personColumn(sql`discussion_topics.user_id`).as('writer'),
  file_verifiers: verifiersOfTopic.as('file_verifiers'),
  has_posted: hasPosted(call).as('has_posted'),
  root_dates: rootDates(call).as('root_dates'),
  ...childColumns(call),
  students_posted: ((call.group ?? call.course)?.can('moderate_forum') ? studentsPosted(call) : sql<number>`0`).as('students_posted'),
});

/** The assignments or files of topics. Lists query all those of the course, which are few, so that the page is not read again. */
export const broughtAlong = (column: 'assignment_id' | 'attachment_id', ids: SQL, call: Told): SQL =>
  call.path.topic_id === undefined
    ? sql`select ${sql.raw(column)} from discussion_topics where context_type = ${sql.raw(call.group ? "'Group'" : "'Course'")} and context_id in (${call.group ? sql`${call.group.id}` : placesOf(call)}) and ${sql.raw(column)} is not null`
    : sql`select ${sql.raw(column)} from discussion_topics where id in (${ids})`;

const placesOf = ({ course, courseIds }: Told): SQL => courseIds ?? sql`${course?.id ?? 0}`;

const userCount = (condition: SQL) =>
  sql<number>`(select count(distinct e.user_id) from enrollments e where ${condition} and e.enrollment_state in ('active', 'invited'))`;

function besideTopics(ids: SQL, call: Told) {
  const { db, include } = call;
  const counts = include.has('sections_user_count');
  return {
    locks: topicLocks(ids, call),
    assignments: embed(assignment, rows(assignments, { where: isInSelect(assignments.id, broughtAlong('assignment_id', ids, call)) })),
    attachments: embed(file, filesByIds(broughtAlong('attachment_id', ids, call))),
    sections:
      include.has('sections') || counts
        ? db.build
            .select({
              id: sections.id,
              name: sections.name,
              user_count: userCount(sql`e.course_section_id = sections.id`).as('user_count'),
            })
            .from(sections)
            .where(isInSelect(sections.course_id, placesOf(call)))
        : undefined,
    everybody: counts
      ? db.build.all<{ course_id: number; user_count: number }>(
          sql`select c.id as course_id, ${userCount(sql`e.course_id = c.id`)} as user_count from courses c where c.id in (${placesOf(call)})`,
        )
      : undefined,
  };
}

const rootDatesOf = ({ root_dates }: TopicWithColumns) => JSON.parse(root_dates ?? '[null, null]') as [string | null, string | null];

/** A group topic whose root topic is locked for the caller, even for group moderators who do not moderate the course. */
function isHeldByRoot(topic: TopicWithColumns, module: ReturnType<typeof moduleLockOf>, now: string): boolean {
  const [opens, closes] = rootDatesOf(topic);
  return topic.root_topic_id !== null && (module !== undefined || (opens !== null && opens > now) || (closes !== null && closes <= now));
}

/** The lock of a topic for the caller. Its text is hidden until it opens; a closed topic stays readable. */
function lockOf(
  topic: TopicWithColumns,
  graded: ComputedRow | undefined,
  module: ReturnType<typeof moduleLockOf>,
  forum: Forum,
  now: string,
): LockFields {
  if (forum.isStaff && !isHeldByRoot(topic, module, now)) return { locked_for_user: false };
  const [opens, closes] = rootDatesOf(topic);
  const late = [topic.lock_at, graded?.effective_dates.lock_at ?? closes].find((at) => at !== null && at <= now);
  const early = [isDelayed(topic, now) ? topic.delayed_post_at : null, graded?.effective_dates.unlock_at ?? opens].find(
    (at) => at !== null && at > now,
  );
  const lock = lockFields(
    { asset_string: `discussion_topic_${topic.id}`, unlock_at: early, lock_at: late, module, manually_locked: topic.locked && !late },
    now,
  );
  return lock.lock_info && !early && !module ? { ...lock, lock_info: { ...lock.lock_info, can_view: true } } : lock;
}

const withoutTags = (html: string | null) =>
  html === null
    ? null
    : html
        .replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim();

const wants = ({ params }: Pick<Call, 'params'>, name: string) => lookUp(params as Record<string, unknown>, name) === true;

/** Lists of several courses carry the courses and the caller's permissions in each. */
type Told = Call & { readonly courseIds?: SQL; readonly courses?: ReadonlyMap<number, CourseContext> };

const placeFor = (call: Told, { context_id }: TopicRow): ForumPlace => {
  if (call.group) return groupForum(call.group);
  const course = call.courses?.get(context_id) ?? call.course;
  if (!course) throw new Error('a topic is serialised outside of its course');
  return course;
};

/** Related rows needed to serialise a topic. */
interface Around {
  /** Its assignment, with the caller's dates. */
  readonly graded: ComputedRow | undefined;
  readonly module: ReturnType<typeof moduleLockOf>;
  readonly attachments: readonly object[];
}

type Lock = ReturnType<typeof lockOf>;

/** The text of a topic, or why it is hidden. */
function textOf(topic: TopicWithColumns, lock: Lock, call: Told): string | null {
  const isHidden = lock.locked_for_user && !lock.lock_info?.can_view;
  const message = isHidden ? (lock.lock_explanation ?? '') : topic.message;
  return wants(call, 'plain_messages') || wants(call, 'text_only')
    ? withoutTags(message)
    : withHost(message, call.origin, topic.file_verifiers);
}

/** Who started a topic, unless it is anonymous. */
function writerOf(topic: TopicWithColumns, origin: string) {
  const isNameless = topic.anonymous_state === 'full_anonymity' || (topic.anonymous_state !== null && topic.is_anonymous_author);
  if (isNameless) return { author: null, user_name: null };
  const author = personOf(topic.writer);
  return { author: userDisplay(author, origin), user_name: author?.short_name ?? null };
}

/** Whether the caller may post now, as far as locks decide. */
const isOpenFor = (place: ForumPlace, forum: Forum, lock: Lock, isHeld: boolean): boolean =>
  isGroup(place) && isHeld ? place.group.course?.can('moderate_forum') === true : forum.moderates || !lock.locked_for_user;

const isPast = (at: string | null, now: string): boolean => at !== null && at <= now;

/** What entries of the topic and of its group topics, and its grading, rule out. */
const rulesOf = (topic: TopicWithColumns, forum: Forum, entries: number, graded: ComputedRow | undefined, now: string) => {
  const hasQuietChildren = childrenOf(topic).every((child) => child.entries === 0);
  return {
    can_unpublish: forum.moderates && topic.students_posted === 0 && hasQuietChildren,
    can_lock: !(graded && graded.due_at !== null && graded.due_at > now),
    can_group: entries === 0 && hasQuietChildren,
  };
};

/** A topic without the JSON of its assignment. */
export function topicJson(topic: TopicWithColumns, call: Told, { graded, module, attachments }: Around) {
  const { now, origin } = call;
  const place = placeFor(call, topic);
  const forum = forumOf(place, call.me, call.institution);
  const posted = topic.has_posted === 1 || ownChildOf(topic)?.hasPosted === true;
  const waits = mustPostFirst(topic, forum, posted);
  const children = childrenOf(topic);
  // Callers who must post first do not see the number of entries either.
  const entries = waits ? 0 : topic.entry_count;
  const [read, chosen, readCount] = JSON.parse(topic.mark ?? '[0, null, 0]') as [number, number | null, number];
  const lock = lockOf(topic, graded, module, forum, now);
  const isOpen = isOpenFor(place, forum, lock, isHeldByRoot(topic, module, now));
  const address = `${origin}/${topic.context_type.toLowerCase()}s/${topic.context_id}/discussion_topics/${topic.id}`;
  return {
    ...topic,
    message: textOf(topic, lock, call),
    html_url: address,
    url: address,
    published: topic.workflow_state !== 'unpublished' && !(topic.is_announcement && isDelayed(topic, now)),
    locked: topic.locked || isPast(topic.lock_at, now),
    ...rulesOf(topic, forum, entries, graded, now),
    comments_disabled: topic.is_announcement && forum.announcementsAreClosed,
    ...lock,
    user_can_see_posts: !waits,
    discussion_subentry_count: entries,
    unread_count: Math.max(0, entries - readCount),
    read_state: read === 1 ? 'read' : 'unread',
    subscribed: isFollowed(topic, forum, posted, chosen === null ? null : chosen === 1),
    subscription_hold: holdOf(topic, forum, posted),
    podcast_url: topic.podcast_enabled ? topicFeedAddress(topic.id, call) : null,
    topic_children: children.map(({ id }) => id),
    group_topic_children: children.map(({ id, group_id }) => ({ id, group_id })),
    attachments,
    ...writerOf(topic, origin),
    permissions: {
      attach: forum.attaches,
      update: mayUpdate(topic, forum),
      reply: mayReply(topic, forum, now) && isOpen,
      delete: mayDelete(topic, forum),
    },
    is_section_specific: topic.section_ids !== null,
    workflow_state: undefined,
  };
}

export const discussionTopic = serializer({
  resource: DiscussionTopic,
  table: discussion_topics,
  columns: computedTopicColumns,
  also: besideTopics,
  json(topic: TopicWithColumns, call: Told, { locks, assignments: graded, attachments, sections: named, everybody }) {
    const its = graded.find(({ row }) => row.id === topic.assignment_id);
    const counts = call.include.has('sections_user_count');
    const hides = wants(call, 'exclude_assignment_descriptions');
    const isSpecific = topic.section_ids !== null;
    return {
      ...topicJson(topic, call, {
        graded: its?.row as ComputedRow | undefined,
        module: moduleLockOf(locks, 'Discussion', topic.root_topic_id ?? topic.id, call.now),
        attachments: attachments.filter(({ row }) => row.id === topic.attachment_id).map(({ json }) => json),
      }),
      assignment: its && (hides ? { ...its.json, description: null } : its.json),
      sections:
        named && isSpecific
          ? named
              .filter(({ id }) => topic.section_ids?.includes(id))
              .map(({ user_count, ...section }) => (counts ? { ...section, user_count } : section))
          : undefined,
      user_count: isSpecific ? undefined : everybody?.find((one) => one.course_id === topic.context_id)?.user_count,
      context_code: call.courses ? `course_${topic.context_id}` : undefined,
      new_positions: topic.new_positions === undefined ? undefined : JSON.parse(topic.new_positions),
    };
  },
});
