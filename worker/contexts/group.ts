// A group as a request stands in it: what the caller is there, and what the course or account behind it lets them do.

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
  /** The caller's, where it is neither deleted nor rejected. */
  readonly membership: MembershipRow | undefined;
  /** What it stands in: one of the two. */
  readonly course: CourseContext | undefined;
  readonly account: AccountContext | undefined;
  readonly isMember: boolean;
  /** A member, or staff of what it stands in. Nobody else, however public it calls itself (reference 05 §14). */
  readonly canRead: boolean;
  /** Adds and changes: a member of a group whose course goes on, or whoever manages groups there. */
  readonly participates: boolean;
  /** Takes care of what others say: a moderator, or who does so in the course. */
  readonly moderates: boolean;
  /** Decides about members: a moderator, or who manages groups there. */
  readonly manages: boolean;
  /** Changes the group itself: its leader, too. */
  readonly updates: boolean;
  readonly deletes: boolean;
  /** A permission of reference 01 B2 as it holds for what is in the group. */
  can(permission: string): boolean;
}

/** What every member of a group may do in it, though in a course it is for some. */
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
/** Asked of the institution, wherever one stands. */
const ofSurroundings = /^(manage_groups|manage_sis|read_sis|manage_user|view_user|read_email|view_all|manage_tags)/;

/** Whoever holds any of the rights over groups sees all of them. */
export const managesAnyGroups = (context: { can(permission: string): boolean } | undefined): boolean =>
  ['manage_groups_add', 'manage_groups_manage', 'manage_groups_delete'].some((permission) => context?.can(permission) ?? false);

export function groupContext(
  row: GroupRow,
  category: CategoryRow,
  membership: MembershipRow | undefined,
  course: CourseContext | undefined,
  account: AccountContext | undefined,
  me: Viewer,
): GroupContext {
  const behind = course ?? account;
  const may = (permission: string) => behind?.can(permission) ?? false;
  const isThere = row.workflow_state === 'available' && behind !== undefined && behind.workflow_state !== 'deleted';
  const isOpen = course ? course.canRead : me.isKnown;
  // A label is for whoever manages groups: those who wear it learn nothing of it.
  const isMember = isThere && isOpen && !row.non_collaborative && membership?.workflow_state === 'accepted';
  const isModerator = isMember && membership?.moderator === true;
  const isStaff = isThere && (managesAnyGroups(behind) || may('view_group_pages')) && (!row.non_collaborative || managesAnyGroups(behind));
  // A student of a course holds `view_group_pages` only where somebody has said so; it reads and does no more.
  const goesOn =
    !course ||
    (course.workflow_state === 'available' &&
      (course.participates || course.readsAsAdmin || course.mine.some((one) => one.effective === 'active')));
  const manages = isThere && (isModerator || may('manage_groups_manage'));
  const participates = (isMember && goesOn) || (isThere && may('manage_groups_manage'));
  const moderates = isThere && (isModerator || may('manage_groups_manage') || may('moderate_forum'));
  return {
    ...row,
    category,
    membership: row.non_collaborative ? undefined : membership,
    course,
    account,
    isMember,
    canRead: isMember || isStaff,
    participates,
    moderates,
    manages,
    updates: manages || (isMember && row.leader_id === me.id),
    deletes: isThere && (isModerator || may('manage_groups_delete')),
    can(permission) {
      if (ofSurroundings.test(permission)) return may(permission);
      if (!isMember && !isStaff) return false;
      if (ofReaders.has(permission)) return true;
      if (ofMembers.has(permission)) return participates;
      if (permission === 'moderate_forum') return moderates;
      return may(permission);
    },
  };
}
