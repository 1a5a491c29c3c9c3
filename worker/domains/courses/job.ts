// Updates many courses in the background: each in its own roster's Durable Object.

import { wireTime } from '@carrel/shared/wire/fields';
import { eq, sql } from 'drizzle-orm';
import { isBelow } from '../../contexts/account_tree';
import { idsOf } from '../../contexts/references';
import { newMeter, open } from '../../database/open';
import type { Job, Platform } from '../../platform';
import { advanceProgress, completeProgress } from '../progress/progress';
import { progress } from '../progress/table';
import type { CourseTransition } from './lifecycle/moves';
import { moveCourse } from './publishing';
import { courses } from './table';

export interface CourseBatch {
  /** References as sent. */
  readonly course_ids: readonly string[];
  readonly event: CourseTransition;
}

/** Events are idempotent, so an interrupted batch starts again from the first course. */
export async function updateCourses({ progress_id = 0 }: Job, env: Platform): Promise<void> {
  const db = open(env.DB, newMeter(), 'first-primary');
  const now = wireTime(Date.now());
  const [[work]] = await db.perform([db.build.select().from(progress).where(eq(progress.id, progress_id))]);
  if (!work || work.workflow_state === 'completed' || work.workflow_state === 'failed') return;
  const { course_ids, event } = work.arguments as CourseBatch;
  const [known] = await db.perform([
    db.build.all<{ id: number }>(
      sql`select courses.id from courses where courses.id in (${idsOf('course', course_ids.map(String))}) and ${isBelow(courses.account_id, sql`${work.context_id}`)} order by courses.id`,
    ),
  ]);
  const failed: number[] = [];
  for (const [at, { id }] of known.entries()) {
    if (!(await moveCourse(id, event, work.user_id ?? 0, now, env))) failed.push(id);
    if (at % 20 === 19) await db.perform([advanceProgress(db, progress_id, ((at + 1) / known.length) * 100, wireTime(Date.now()))]);
  }
  const missing = course_ids.length - known.length;
  const message = [
    `${known.length - failed.length} courses processed`,
    ...(failed.length > 0 ? [`${failed.length} refused: ${failed.join(', ')}`] : []),
    ...(missing > 0 ? [`${missing} not found`] : []),
  ].join(', ');
  await db.perform([completeProgress(db, progress_id, wireTime(Date.now()), { message })]);
}
