// The state machine of courses: events, their transitions, and the permission that each needs.

import type { CourseContext } from '../../../contexts/course';
import type { Permission } from '../../../contexts/permissions';

type State = CourseContext['workflow_state'];

interface CourseMove {
  readonly from: readonly State[];
  readonly to: State;
  readonly right: Permission;
}

/** Reference 02 §1.6. An event without a transition from the current state succeeds without effect. */
export const courseMoves = {
  claim: { from: ['available'], to: 'claimed', right: 'manage_courses_publish' },
  offer: { from: ['created', 'claimed', 'completed'], to: 'available', right: 'manage_courses_publish' },
  conclude: { from: ['created', 'claimed', 'available'], to: 'completed', right: 'manage_courses_conclude' },
  delete: { from: ['created', 'claimed', 'available', 'completed'], to: 'deleted', right: 'manage_courses_delete' },
  undelete: { from: ['deleted'], to: 'claimed', right: 'undelete_courses' },
} as const satisfies Record<string, CourseMove>;

export type CourseTransition = keyof typeof courseMoves;
export const courseEvents = Object.keys(courseMoves) as CourseTransition[];

/** A course role may delete only courses that SIS does not manage. */
export function mayMove(course: CourseContext, event: CourseTransition): boolean {
  if (event === 'delete' && course.sis_course_id !== null && !course.isAdmin) return false;
  if (event === 'undelete' && course.can('manage_courses_admin')) return true;
  return course.can(courseMoves[event].right);
}
