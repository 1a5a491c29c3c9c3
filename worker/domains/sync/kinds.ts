// How each kind of the feed is read and serialised: with the same serializers and conditions as REST, so that both always agree.

import type { Kind, Withheld } from '@carrel/shared/sync/protocol';
import { and, eq, ne, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import type { GroupContext } from '../../contexts/group';
import { isInSelect } from '../../database/ids';
import { shared } from '../../database/shared';
import type { Call } from '../../http/call';
import { type Listing, rows } from '../../http/listing';
import type { AnySerializer } from '../../http/serializer';
import { type Plan, planChosen } from '../../http/serializer';
import { assignedTo } from '../../rules/assigned';
import { addressed } from '../account_notifications/addressed';
import { accountNotification } from '../account_notifications/json';
import { account_notifications } from '../account_notifications/table';
import { assignmentGroup } from '../assignment_groups/json';
import { presentAssignmentGroups } from '../assignment_groups/policy';
import { assignment_groups } from '../assignment_groups/table';
import { assignment } from '../assignments/json';
import { visibleAssignments } from '../assignments/policy';
import { assignments } from '../assignments/table';
import { bookmark } from '../bookmarks/json';
import { bookmarks } from '../bookmarks/table';
import { calendarEvent } from '../calendar_events/json';
import { calendarCodes } from '../calendar_events/readable_contexts';
import { calendar_events } from '../calendar_events/table';
import { conversation } from '../conversations/json';
import { conversations } from '../conversations/table';
import { course as courseJson } from '../courses/json';
import { itself } from '../courses/policy';
import { courses } from '../courses/table';
import { discussionTopic } from '../discussion_topics/json';
import { forumPlace } from '../discussion_topics/place';
import { visibleTopics } from '../discussion_topics/policy';
import { discussion_topics } from '../discussion_topics/table';
import { syncedEnrollment } from '../enrollments/json';
import { enrollments } from '../enrollments/table';
import { folder } from '../files/folders/json';
import { heldBy } from '../files/folders/paths';
import { listedFolders } from '../files/folders/policy';
import { folders } from '../files/folders/table';
import { syncedFile } from '../files/json';
import { fileContextOf } from '../files/place';
import { keptIn, listedFiles } from '../files/policy';
import { files } from '../files/table';
import { group, groupMembership } from '../groups/json';
import { isLive, onlyGroup } from '../groups/policy';
import { group_memberships, groups } from '../groups/table';
import { module } from '../modules/json';
import { visibleModules } from '../modules/policy';
import { modules } from '../modules/table';
import { page } from '../pages/json';
import { listedPages } from '../pages/policy';
import { pages } from '../pages/table';
import { wikiOf } from '../pages/wiki';
import { plannerNote } from '../planner/notes_json';
import { plannerOverride } from '../planner/overrides_json';
import { planner_notes, planner_overrides } from '../planner/table';
import { submission } from '../submissions/json';
import { submissions } from '../submissions/table';
import { shownUser } from '../users/json';
import { users } from '../users/table';

/** A computed column: whether lists include the row. Rows that they omit are sent as withheld. */
const isListed = (condition: SQL | undefined) => ({ is_listed: sql<number>`${condition ?? sql`1`}`.as('is_listed') });

/** Maximum number of notifications per account. */
const mostAnnounced = 1000;

interface Telling {
  readonly of: AnySerializer;
  /** Includes that the feed uses. */
  readonly include?: readonly string[];
  /** The rows visible to the caller in the course or group, or the caller's own. Undefined for kinds that do not exist there. */
  listing(call: Call, course: CourseContext | undefined): Listing | undefined;
}

const inCourse =
  (listing: (course: CourseContext, call: Call) => Listing) =>
  (call: Call, course: CourseContext | undefined): Listing | undefined =>
    course && listing(course, call);

const inGroup =
  (listing: (group: GroupContext) => Listing) =>
  ({ group }: Call): Listing | undefined =>
    group && listing(group);

/** In courses and groups, but not among the caller's own items. */
const inPlace =
  (listing: (call: Call) => Listing) =>
  (call: Call): Listing | undefined =>
    call.group || call.course ? listing(call) : undefined;

const tellings: Partial<Record<Kind, Telling>> = {
  user: { of: shownUser, listing: ({ me }) => rows(users, { where: eq(users.id, me.id) }) },
  course: { of: courseJson, include: ['term', 'syllabus_body'], listing: inCourse((course) => rows(courses, { where: itself(course) })) },
  assignment_group: {
    of: assignmentGroup,
    listing: inCourse((course) => rows(assignment_groups, { where: presentAssignmentGroups(course) })),
  },
  assignment: { of: assignment, listing: inCourse((course, call) => rows(assignments, { where: visibleAssignments(course, call) })) },
  submission: {
    of: submission,
    include: ['submission_comments'],
    listing: inCourse((course, { me }) =>
      rows(submissions, {
        where: and(
          eq(submissions.user_id, me.id),
          eq(submissions.course_id, course.id),
          ne(submissions.workflow_state, 'deleted'),
          sql`exists (select 1 from assignments where assignments.id = ${submissions.assignment_id} and assignments.workflow_state = 'published' and ${assignedTo(shared('user', me.id))})`,
        ),
      }),
    ),
  },
  module: {
    of: module,
    include: ['items', 'content_details'],
    listing: inCourse((course, call) => rows(modules, { where: visibleModules(course, call) })),
  },
  page: { of: page, listing: inPlace((call) => rows(pages, { where: listedPages(wikiOf(call)) })) },
  discussion_topic: {
    of: discussionTopic,
    listing: inPlace((call) => rows(discussion_topics, { where: visibleTopics(forumPlace(call), call) })),
  },
  enrollment: {
    of: syncedEnrollment,
    listing: inCourse((course, { me }) =>
      rows(enrollments, {
        where: and(eq(enrollments.user_id, me.id), eq(enrollments.course_id, course.id), ne(enrollments.enrollment_state, 'deleted')),
      }),
    ),
  },
  group: { of: group, include: ['favorites'], listing: inGroup((place) => rows(groups, { where: onlyGroup(place) })) },
  group_membership: {
    of: groupMembership,
    listing: inGroup((place) => rows(group_memberships, { where: and(eq(group_memberships.group_id, place.id), sql`${isLive}`) })),
  },
  calendar_event: {
    of: calendarEvent,
    listing: (call, course) => {
      const own = call.group ? `group_${call.group.id}` : `user_${call.me.id}`;
      const codes = course ? calendarCodes([], sql`select ${course.id}`, call.me.id, call) : sql`select ${own}`;
      return rows(calendar_events, {
        where: sql`${calendar_events.workflow_state} <> 'deleted' and ${calendar_events.context_code} in (${codes})`,
      });
    },
  },
  planner_note: {
    of: plannerNote,
    listing: ({ me }) => rows(planner_notes, { where: and(eq(planner_notes.user_id, me.id), eq(planner_notes.workflow_state, 'active')) }),
  },
  planner_override: {
    of: plannerOverride,
    listing: ({ me }) =>
      rows(planner_overrides, { where: and(eq(planner_overrides.user_id, me.id), eq(planner_overrides.workflow_state, 'active')) }),
  },
  bookmark: { of: bookmark, listing: ({ me }) => rows(bookmarks, { where: eq(bookmarks.user_id, me.id) }) },
  account_notification: {
    of: accountNotification,
    listing: (call) => {
      const { root } = call.institution;
      const now = addressed(
        { ...call, page: { per_page: mostAnnounced } },
        { id: root.id, chain: [root.id] },
        { past: false, closed: false },
      );
      return rows(account_notifications, { where: isInSelect(account_notifications.id, now) });
    },
  },
  conversation: {
    of: conversation,
    listing: ({ me }) =>
      rows(conversations, {
        where: sql`exists (select 1 from conversation_participants p where p.conversation_id = ${conversations.id} and p.user_id = ${shared('user', me.id)} and p.message_count > 0)`,
      }),
  },
  folder: {
    of: folder,
    listing: (call) => {
      const place = fileContextOf(call);
      if (!place?.reads) return undefined;
      return rows(folders, { where: heldBy(place), columns: isListed(place.lists ? listedFolders(place, call.now) : sql`0`) });
    },
  },
  file: {
    of: syncedFile,
    listing: (call) => {
      const place = fileContextOf(call);
      if (!place?.reads) return undefined;
      return rows(files, { where: keptIn(place), columns: isListed(place.lists ? listedFiles(place, call.now) : sql`0`) });
    },
  },
};

export interface FeedRow {
  readonly id: number;
  readonly is_listed?: number;
}

/** The reason why lists omit a row, if they do. */
export function withheldOf({ is_listed }: FeedRow, json: Readonly<Record<string, unknown>>): Withheld | undefined {
  if (is_listed !== 0) return undefined;
  const { locked_for_user, hidden_for_user, lock_info, lock_explanation } = json;
  if (!locked_for_user) return { why: hidden_for_user ? 'hidden' : 'unlisted' };
  const { unlock_at } = (lock_info ?? {}) as { unlock_at?: string };
  return { why: 'locked', ...(unlock_at && { unlock_at }), ...(typeof lock_explanation === 'string' && { explanation: lock_explanation }) };
}

/** Plans the read of the items that are visible to the caller; the others are left out. */
export function feedPlanOf(kind: Kind, call: Call, ids: readonly number[]): Plan<FeedRow> | undefined {
  const telling = tellings[kind];
  const listing = telling?.listing(call, call.course);
  if (!telling || !listing) return undefined;
  return planChosen(telling.of, listing, ids, { ...call, params: {}, include: new Set(telling.include) }) as Plan<FeedRow>;
}
