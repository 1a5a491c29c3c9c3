// Which groups and members a caller may see, and who may join and leave.

import { and, eq, type SQL, sql } from 'drizzle-orm';
import { type CategoryRow, type GroupContext, type GroupRow, managesAnyGroups } from '../../contexts/group';
import type { Viewer } from '../../contexts/viewer';
import type { Call } from '../../http/call';
import { group_memberships, groups } from './table';

export const isLive = sql.raw("workflow_state not in ('deleted', 'rejected')");

type Around = Pick<Call, 'course' | 'account'>;
export const groupContextOf = ({ course, account }: Around) =>
  course ? ({ type: 'Course', id: course.id } as const) : ({ type: 'Account', id: account?.id ?? 0 } as const);

export type CollaborationFilter = 'all' | 'collaborative' | 'non_collaborative';

/** Groups of the course or account; non-collaborative groups only for users who manage groups. */
export function presentGroups(call: Around, state: CollaborationFilter = 'collaborative'): SQL {
  const { type, id } = groupContextOf(call);
  const seesLabels = managesAnyGroups(call.course ?? call.account);
  const isLabel = state === 'all' && seesLabels ? undefined : state === 'non_collaborative';
  return and(
    eq(groups.context_type, type),
    eq(groups.context_id, id),
    // Literal, to match the partial index of live groups.
    sql`${groups.workflow_state} = 'available'`,
    isLabel === undefined ? undefined : eq(groups.non_collaborative, isLabel),
    isLabel && !seesLabels ? sql`0` : undefined,
  ) as SQL;
}

export const onlyGroup = (group: { readonly id: number }): SQL =>
  and(eq(groups.id, group.id), eq(groups.workflow_state, 'available')) as SQL;

export const activeMembersOf = (group: { readonly id: number }): SQL =>
  and(eq(group_memberships.group_id, group.id), eq(group_memberships.workflow_state, 'accepted')) as SQL;

/** A category in which users may be in several groups at once. */
export const allowsMany = ({ role }: Pick<CategoryRow, 'role'>): boolean => role === 'communities' || role === 'student_organized';
export const isProtected = allowsMany;

const isOpenForSignup = (category: CategoryRow, now: string): boolean =>
  category.self_signup !== null && (category.self_signup_end_at === null || category.self_signup_end_at > now);

type Standing = { readonly participates: boolean } | undefined;

/** Whether a user of the group's context may join without an invitation. */
export const mayJoin = (
  group: Pick<GroupRow, 'join_level' | 'standing'>,
  category: CategoryRow,
  course: Standing,
  me: Viewer,
  now: string,
): boolean =>
  me.isKnown &&
  !category.non_collaborative &&
  group.standing === 'open' &&
  (course?.participates ?? true) &&
  ((allowsMany(category) && group.join_level !== 'invitation_only') || isOpenForSignup(category, now));

export const mayLeave = (group: GroupContext, now: string): boolean => allowsMany(group.category) || isOpenForSignup(group.category, now);

/** The size limit of a group, as SQL over a row of `groups`; null means unlimited. */
export const roomOf = (
  group: SQL,
): SQL => sql`(select case when c.role = 'student_organized' then null else min(coalesce(g.max_membership, c.group_limit), coalesce(c.group_limit, g.max_membership)) end
  from groups g join group_categories c on c.id = g.group_category_id where g.id = ${group})`;

/** Users of a course or account, by a column with their id. */
export const belongs = (
  { course, account }: { readonly course?: { readonly id: number }; readonly account?: { readonly id: number } },
  user: SQL,
): SQL =>
  course
    ? sql`exists (select 1 from enrollments e where e.user_id = ${user} and e.course_id = ${course.id} and e.enrollment_state in ('active', 'invited', 'creation_pending', 'completed'))`
    : sql`exists (select 1 from users known where known.id = ${user} and known.workflow_state <> 'deleted' and known.is_test_student = 0 and ${account?.id ?? 0} > 0)`;

/** Whether the user's last enrollment in the course is inactive. */
export const isInactiveIn = (courseId: SQL, user: SQL): SQL =>
  sql`not exists (select 1 from enrollments e where e.user_id = ${user} and e.course_id = ${courseId} and e.enrollment_state <> 'inactive')`;

/** Ids of a user's groups in a course, as a JSON list. */
export const groupIdsOf = (user: SQL, course: SQL): SQL =>
  sql`(select json_group_array(m.group_id) from group_memberships m join groups g on g.id = m.group_id
    where m.user_id = ${user} and m.workflow_state = 'accepted' and g.context_type = 'Course' and g.context_id = ${course} and g.non_collaborative = 0)`;
