// What the user is in a course. Who only teaches it has no work of their own there: nothing is due, handed in or graded.

import type { CourseRole } from '../../contract/course';
import type { Cache } from '../store/cache';
import type { EnrollmentJson } from './resources';

const teaching = /Teacher|Ta|Designer/;

export const enrolledIn = (cache: Cache, courseId: number, userId: number): EnrollmentJson[] =>
  cache.ofCourse<EnrollmentJson>('enrollment', courseId).filter(({ user_id }) => user_id === undefined || user_id === userId);

export const teaches = (cache: Cache, courseId: number, userId: number): boolean =>
  enrolledIn(cache, courseId, userId).some(({ type }) => teaching.test(type));

/** Who is a student in a course has work there, whatever else they are in it. */
export function roleIn(cache: Cache, courseId: number, userId: number): CourseRole {
  const mine = enrolledIn(cache, courseId, userId).map(({ type }) => type);
  if (mine.length === 0 || mine.some((type) => type.startsWith('Student'))) return 'studies';
  return mine.some((type) => teaching.test(type)) ? 'teaches' : 'observes';
}

/** Takes quizzes, votes and reaches outcomes there. */
export const studiesIn = (cache: Cache, courseId: number, userId: number): boolean => roleIn(cache, courseId, userId) === 'studies';

export const onlyTeaches = (cache: Cache, courseId: number, userId: number): boolean => roleIn(cache, courseId, userId) === 'teaches';
