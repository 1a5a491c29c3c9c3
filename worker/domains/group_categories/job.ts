// Assigns students to the groups of a set in the background. Existing members stay, so the job is idempotent.

import { wireTime } from '@carrel/shared/wire/fields';
import { eq } from 'drizzle-orm';
import { newMeter, open } from '../../database/open';
import type { Job, Platform } from '../../platform';
import { completeProgress, failProgress } from '../progress/progress';
import { progress } from '../progress/table';
import { distribute } from './distribute';
import { group_categories } from './table';
import { letInPairs, selectUnassigned } from './unassigned_students';

export async function assignMembers({ progress_id = 0 }: Job, env: Platform): Promise<void> {
  const db = open(env.DB, newMeter(), 'first-primary');
  const now = wireTime(Date.now());
  const [[work]] = await db.perform([db.build.select().from(progress).where(eq(progress.id, progress_id))]);
  if (!work || work.workflow_state === 'completed' || work.workflow_state === 'failed') return;
  const [[category]] = await db.perform([db.build.select().from(group_categories).where(eq(group_categories.id, work.context_id))]);
  if (!category || category.workflow_state === 'deleted') {
    await db.perform([failProgress(db, progress_id, 'The group set has been deleted.', now)]);
    return;
  }
  const [bins, people] = await db.perform(selectUnassigned(db, category.id, category.context_type === 'Course' ? category.context_id : 0));
  const pairs = distribute(bins, people, (work.arguments as { group_by_section?: unknown } | null)?.group_by_section === true, Math.random);
  const left = people.length - pairs.length;
  await db.perform([
    ...letInPairs(db, category.id, pairs, now),
    completeProgress(db, progress_id, now, { message: `${pairs.length} assigned${left > 0 ? `, ${left} found no room` : ''}` }),
  ]);
}
