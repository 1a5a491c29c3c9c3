// The values of `can`: the permission that an endpoint requires, decided from the contexts of its path.

import { staffTypes } from '../domains/enrollments/table';
import type { Call } from '../http/call';
import type { CourseContext } from './course';
import type { Permission } from './permissions';

/** Permissions that follow from enrollment, ownership and links, and not from role permissions (reference 01 B2, 02 §0). */
type Derived =
  | 'anyone'
  | 'user'
  | 'self'
  | 'self_or_admin'
  | 'observer'
  | 'course_observer'
  | 'manager'
  | 'read'
  | 'read_deleted'
  | 'read_as_admin'
  | 'participate_as_student'
  | 'update'
  | 'participate'
  | 'moderate'
  | 'manage'
  | 'use_student_view';

export type Word = Derived | Permission;

const isStaffOf = (call: Call, ...types: string[]) =>
  call.course?.mine.some((one) => types.includes(one.type) && one.effective === 'active') ?? false;

/** Teachers, designers and course managers. */
export const updatesCourse = (course: CourseContext | undefined): boolean =>
  course?.mine.some((one) => (one.type === 'TeacherEnrollment' || one.type === 'DesignerEnrollment') && one.effective === 'active') ||
  (course?.can('manage_courses_admin') ?? false);

const derived: Record<Derived, (call: Call) => boolean> = {
  anyone: () => true,
  user: (call) => call.me.isKnown,
  self: (call) => call.me.isKnown && (call.user?.isMe ?? false),
  self_or_admin: (call) => call.me.isKnown && ((call.user?.isMe ?? false) || (call.user?.can('manage_user_logins') ?? false)),
  observer: (call) => call.user?.isObservedByMe ?? false,
  course_observer: (call) => call.user?.isObservedSomewhere ?? false,
  manager: (call) => call.account?.isAdmin ?? false,
  read: (call) => call.group?.canRead ?? call.course?.canRead ?? call.account?.isAdmin ?? false,
  read_deleted: (call) => call.me.isKnown && call.course?.workflow_state === 'deleted',
  read_as_admin: (call) => call.course?.readsAsAdmin ?? false,
  participate_as_student: (call) => call.course?.participates ?? false,
  participate: (call) => call.group?.participates ?? call.course?.participates ?? false,
  moderate: (call) => call.group?.moderates ?? call.course?.can('moderate_forum') ?? false,
  manage: (call) => call.group?.manages ?? may('update', call),
  update: (call) => updatesCourse(call.course),
  use_student_view: (call) => isStaffOf(call, ...staffTypes) || (call.course?.isAdmin ?? false),
};

/** Whether the caller has the permission in the request's context: the group, course, user or account of the path. */
export function may(word: Word, call: Call): boolean {
  if (Object.hasOwn(derived, word)) return derived[word as Derived](call);
  if (call.group) return call.group.can(word);
  if (call.course) return call.course.canRead && call.course.can(word);
  if (call.account) return call.account.can(word);
  if (call.user) return call.user.can(word);
  return false;
}

/**
 * Whether a write may affect the path's user: callers may not act on users who have more permissions than they do. In courses and groups, their own
 * rules decide.
 */
export const isWithinRank = ({ user, course, group }: Call): boolean => course !== undefined || group !== undefined || !user?.holdsMore;
