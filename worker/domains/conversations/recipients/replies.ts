// Whether a user may still reply in a conversation (reference 05 §6.3): not after the course ends or the permission is removed.

import type { CourseContext } from '../../../contexts/course';

export type Replies = 'open' | 'ended' | 'staff_only';

/** @param course the course of the conversation, if any */
export function repliesIn(course: CourseContext | undefined): Replies {
  if (!course || course.readsAsAdmin) return 'open';
  if (course.isConcluded) return 'ended';
  return course.can('send_messages') ? 'open' : 'staff_only';
}

/** Whether everyone in the course may write to all of these users: staff, or students whom the caller observes. */
export const areOpenToAll = (
  course: CourseContext,
  others: readonly { readonly user_id: number; readonly shared: readonly (readonly [course_id: number, type: string])[] }[],
): boolean =>
  others.every(
    ({ user_id, shared }) =>
      course.observedIds.includes(user_id) ||
      shared.some(([course_id, type]) => course_id === course.id && (type === 'TeacherEnrollment' || type === 'TaEnrollment')),
  );
