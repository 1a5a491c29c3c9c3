// Changes the state of a course from a background job, through the roster's Durable Object as requests do.

import { wireTime } from '@carrel/shared/wire/fields';
import type { ObjectCallResult } from '../../live/call_result';
import type { Platform } from '../../platform';
import type { CourseRequest } from './lifecycle/lifecycle_turn';
import type { CourseTransition } from './lifecycle/moves';

const nothing = { sis: false, quota: false, terms: false, visibility: false, blueprint: false, rename: false, posting: false };

/** @returns whether the course is now in the event's target state */
export async function moveCourse(
  course_id: number,
  event: CourseTransition,
  actor_id: number,
  now: string,
  env: Platform,
): Promise<boolean> {
  const request: CourseRequest = {
    course_id,
    actor_id,
    now,
    idempotency: undefined,
    event,
    given: {},
    rights: nothing,
    before: { restrict_enrollments_to_course_dates: false, workflow_state: 'available' },
    code: '',
    response: undefined,
  };
  const roster = env.COURSE_ROSTER.get(env.COURSE_ROSTER.idFromName(String(course_id)));
  return ((await roster.changeCourse(request)) as ObjectCallResult<null>).outcome === 'done';
}

export const publishCourse = (course_id: number, actor_id: number, env: Platform): Promise<boolean> =>
  moveCourse(course_id, 'offer', actor_id, wireTime(Date.now()), env);
