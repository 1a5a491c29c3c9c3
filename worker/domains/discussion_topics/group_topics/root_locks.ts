// Locks of a group topic, which come from its root topic (reference 05 §0, §4.4). The root's module and assignment dates apply to everyone they apply
// to there, including group moderators.

import { type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../../contexts/course';
import type { GroupContext } from '../../../contexts/group';
import { shared } from '../../../database/shared';
import type { Call } from '../../../http/call';
import { effectiveDate } from '../../../rules/assigned';
import { overridesSeen } from '../../assignments/viewpoint';
import { moduleLocks } from '../../modules/locks';

type Looking = Pick<Call, 'me' | 'user' | 'path' | 'now'>;

const ofRoot = sql.raw('(select root.assignment_id from discussion_topics root where root.id = discussion_topics.root_topic_id)');

const date = (field: 'unlock_at' | 'lock_at', call: Looking, course: CourseContext) =>
  effectiveDate(field, overridesSeen({ ...call, course }), call.now);

/** JSON of `[unlock_at, lock_at]` of the root topic's assignment, for the caller; null for other topics. */
export const rootDates = ({ group, ...call }: Looking & Pick<Call, 'group'>): SQL<string | null> =>
  !group?.course || group.course.readsAsAdmin
    ? sql<string | null>`null`
    : sql<
        string | null
      >`(select json_array(${date('unlock_at', call, group.course)}, ${date('lock_at', call, group.course)}) from assignments where assignments.id = ${ofRoot})`;

/** Whether the assignment of a topic or its root is not yet available to the caller. */
export const isGradedLater = (call: Looking, course: CourseContext | undefined, isGroup: boolean): SQL =>
  !course || course.readsAsAdmin
    ? sql`0`
    : sql`exists (select 1 from assignments where assignments.id = ${isGroup ? ofRoot : sql.raw('discussion_topics.assignment_id')} and ${date('unlock_at', call, course)} > ${shared('time', call.now)})`;

/** The module locks of topics, in one statement; group topics by the id of their root. */
export const topicLocks = (ids: SQL, { db, me, course, group }: Pick<Call, 'db' | 'me' | 'course'> & { readonly group?: GroupContext }) =>
  group
    ? moduleLocks('Discussion', sql`select root_topic_id from discussion_topics where id in (${ids}) and root_topic_id is not null`, {
        db,
        me,
        course: group.course,
      })
    : moduleLocks('Discussion', ids, { db, me, course });
