// The group of a request: the caller's membership, and their permissions through the group's course or account.

import type { group_categories } from '../domains/group_categories/table';
import type { group_memberships, groups } from '../domains/groups/table';
import type { RowOf } from '../http/listing';
import type { AccountContext } from './account';
import type { CourseContext } from './course';
import type { Viewer } from './viewer';

export type GroupRow = RowOf<typeof groups>;
export type CategoryRow = RowOf<typeof group_categories>;
export type MembershipRow = RowOf<typeof group_memberships>;

export interface GroupContext extends GroupRow {
  readonly category: CategoryRow;
  /** The caller's membership, unless deleted or rejected. */
  readonly membership: MembershipRow | undefined;
  /** The group's context: one of the two. */
  readonly course: CourseContext | undefined;
  readonly account: AccountContext | undefined;
  readonly isMember: boolean;
  /** A member, or staff of the context. No one else, even if the group is public (reference 05 §14). */
  readonly canRead: boolean;
  /** May create and change content: a member of an active group, or a user who manages groups in the context. */
  readonly participates: boolean;
  /** Moderates content of others: a moderator, or a user with that permission in the course. */
  readonly moderates: boolean;
  /** Manages members: a moderator, or a user who manages groups in the context. */
  readonly manages: boolean;
  /** May update the group itself; includes its leader. */
  readonly updates: boolean;
  readonly deletes: boolean;
  /** A permission of reference 01 B2, applied to the group's content. */
  can(permission: string): boolean;
}

/** Permissions that every member has in a group, although not every user has them in the course. */
const ofMembers = new Set([
  'manage_files_add',
  'manage_files_edit',
  'manage_files_delete',
  'manage_wiki_create',
  'manage_wiki_update',
  'manage_wiki_delete',
  'manage_course_content_add',
  'manage_course_content_edit',
  'manage_course_content_delete',
  'post_to_forum',
  'create_forum',
  'manage_calendar',
  'send_messages',
  'send_messages_all',
]);
const ofReaders = new Set(['read_roster', 'read_forum', 'read_announcements', 'view_group_pages']);
/** Permissions checked in the account, regardless of the group. */
const ofSurroundings = /^(manage_groups|manage_sis|read_sis|manage_user|view_user|read_email|view_all|manage_tags)/;

/** Any of the group permissions is enough to see all groups. */
export const managesAnyGroups = (context: { can(permission: string): boolean } | undefined): boolean =>
  ['manage_groups_add', 'manage_groups_manage', 'manage_groups_delete'].some((permission) => context?.can(permission) ?? false);

/** The permissions of a caller in a group: those of the course or account around it, as far as they may read and take part. */
const canIn =
  (here: { readonly reads: boolean; readonly participates: boolean; readonly moderates: boolean }, may: (permission: string) => boolean) =>
  (permission: string): boolean => {
    if (ofSurroundings.test(permission)) return may(permission);
    if (!here.reads) return false;
    if (ofReaders.has(permission)) return true;
    if (ofMembers.has(permission)) return here.participates;
    return permission === 'moderate_forum' ? here.moderates : may(permission);
  };

/** A student of a course holds `view_group_pages` only where an administrator has granted it; it reads and does no more. */
const goesOnIn = (course: CourseContext | undefined): boolean =>
  !course ||
  (course.workflow_state === 'available' &&
    (course.participates || course.readsAsAdmin || course.mine.some((one) => one.effective === 'active')));

/** A group exists as long as its course or account does. */
const exists = (row: GroupRow, around: { readonly workflow_state: string } | undefined): boolean =>
  row.workflow_state === 'available' && around !== undefined && around.workflow_state !== 'deleted';

/** Differentiation tags are visible only to users who manage groups, so membership in one does not count. */
const isAcceptedIn = (row: GroupRow, membership: MembershipRow | undefined): boolean =>
  !row.non_collaborative && membership?.workflow_state === 'accepted';

export function groupContext(
  row: GroupRow,
  category: CategoryRow,
  membership: MembershipRow | undefined,
  course: CourseContext | undefined,
  account: AccountContext | undefined,
  me: Viewer,
): GroupContext {
  const around = course ?? account;
  const may = (permission: string) => around?.can(permission) ?? false;
  const isThere = exists(row, around);
  const mayIfThere = (permission: string) => isThere && may(permission);
  const isMember = isThere && isAcceptedIn(row, membership) && (course ? course.canRead : me.isKnown);
  const isModerator = isMember && membership?.moderator === true;
  const isManager = mayIfThere('manage_groups_manage');
  const isStaff = managesAnyGroups({ can: mayIfThere }) || (!row.non_collaborative && mayIfThere('view_group_pages'));
  const canRead = isMember || isStaff;
  const manages = isModerator || isManager;
  const participates = (isMember && goesOnIn(course)) || isManager;
  const moderates = manages || mayIfThere('moderate_forum');
  return {
    ...row,
    category,
    membership: row.non_collaborative ? undefined : membership,
    course,
    account,
    isMember,
    canRead,
    participates,
    moderates,
    manages,
    updates: manages || (isMember && row.leader_id === me.id),
    deletes: isModerator || mayIfThere('manage_groups_delete'),
    can: canIn({ reads: canRead, participates, moderates }, may),
  };
}
