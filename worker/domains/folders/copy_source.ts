// Where something is taken from to be copied, and what the caller may do there: it may be another course than the request's.

import { eq, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import type { ResultOf } from '../../database/open';
import type { Call } from '../../http/call';
import { standingRows, standings } from '../courses/standing';
import { courses } from '../courses/table';
import { type Place, placeOf, thePlace } from '../files/place';
import type { Holder } from './paths';

/** What tells whether the caller may take something from the course that a select names; sent with what reads the thing itself. */
export const sourceStatements = (call: Call, course_id: SQL) =>
  [
    call.db.build
      .select()
      .from(courses)
      .where(eq(courses.id, sql`(${course_id})`)),
    standingRows(course_id, call),
  ] as const;

/** The place that the source is in, as the caller stands there; undefined where they stand nowhere. */
export function sourcePlace(
  call: Call,
  { context_type, context_id }: Holder,
  [course]: (typeof courses.$inferSelect)[],
  standing: ResultOf<ReturnType<typeof standingRows>>,
): Place | undefined {
  const here = placeOf(call);
  if (here?.context_type === context_type && here.context_id === context_id) return here;
  if (context_type === 'Course' && course && course.workflow_state !== 'deleted')
    return placeOf({ me: call.me, course: standings(standing, call)(course).context as CourseContext, user: undefined });
  if (context_type === 'User' && context_id === call.me.id)
    return { ...thePlace(call), context_type, context_id, reads: true, seesAll: true, edits: true };
  return undefined;
}
