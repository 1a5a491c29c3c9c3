// A user who only teaches a course has no work of their own in it: nothing is due, handed in or graded.

import type { Cache } from '../store/cache';
import type { EnrollmentJson } from './resources';

const teaching = /Teacher|Ta|Designer/;

const enrolledIn = (cache: Cache, courseId: number, userId: number) =>
  cache.ofCourse<EnrollmentJson>('enrollment', courseId).filter(({ user_id }) => user_id === undefined || user_id === userId);

export const teaches = (cache: Cache, courseId: number, userId: number): boolean =>
  enrolledIn(cache, courseId, userId).some(({ type }) => teaching.test(type));

export function onlyTeaches(cache: Cache, courseId: number, userId: number): boolean {
  const mine = enrolledIn(cache, courseId, userId);
  return mine.length > 0 && mine.every(({ type }) => teaching.test(type));
}
