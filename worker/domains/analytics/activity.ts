// The activity of a course by day, and of a student by hour.

import { wireTime } from '@carrel/shared/wire/fields';
import { sql } from 'drizzle-orm';
import { anonymousAssignment, isAnonymousTo } from '../../contexts/anonymous_students';
import type { CourseContext } from '../../contexts/course';
import type { Database } from '../../database/open';
import type { Call } from '../../http/call';
import { found } from '../../http/problem';
import { thatStudent } from './policy';

interface Day {
  readonly date: string;
  readonly views: number;
  readonly participations: number;
}

export const courseActivity = ({ build }: Database, course_id: number) =>
  build.all<Day>(sql`select day as date, views, participations from course_activity where course_id = ${course_id} order by day`);

interface Week {
  readonly hours: string;
  readonly participated: string;
}

const hour = 3_600_000;

/** Pure. @param weeks as stored */
export function activityOf(weeks: readonly Week[], origin: string) {
  const views = new Map<number, number>();
  for (const [at = '', count = ''] of weeks
    .flatMap(({ hours }) => hours.split(','))
    .filter(Boolean)
    .map((one) => one.split(' ')))
    views.set(Number(at), (views.get(Number(at)) ?? 0) + Number(count));
  const done = weeks
    .flatMap(({ participated }) => participated.split('\n'))
    .filter(Boolean)
    .map((line) => ({ at: Number.parseInt(line, 10), path: line.slice(line.indexOf(' ') + 1) }));
  return {
    page_views: Object.fromEntries([...views].toSorted(([one], [other]) => one - other).map(([at, count]) => [wireTime(at * hour), count])),
    participations: done
      .toSorted((one, other) => one.at - other.at)
      .map(({ at, path }) => ({ created_at: wireTime(at * 1000), url: `${origin}${path}` })),
  };
}

type Asking = Pick<Call, 'db' | 'me' | 'origin'> & { readonly course: CourseContext; readonly user: { readonly id: number } };

/** @throws Problem 404 when the user is no student whom the caller sees */
export async function studentActivity({ db, course, user, me, origin }: Asking) {
  const [[seen], weeks] = await db.perform([
    db.build.all<{ user_id: number }>(thatStudent(course, user.id, { me })),
    db.build.all<Week>(
      sql`select hours, participated from student_weeks where course_id = ${course.id} and user_id = ${user.id} order by week`,
    ),
  ]);
  found(seen);
  const hidden = course.anonymous.filter(({ id }) => isAnonymousTo({ course, me }, id, user.id));
  const isShown = ({ url }: { readonly url: string }) =>
    anonymousAssignment({ anonymous: hidden }, decodeURIComponent(/\/assignments\/([^/]+)/.exec(url)?.[1] ?? '')) === undefined;
  const activity = activityOf(weeks, origin);
  // The time of a submission would identify it among anonymous ones.
  return { ...activity, participations: activity.participations.filter(isShown) };
}
