// Removes many users in the background.

import { wireTime } from '@carrel/shared/wire/fields';
import { and, eq, ne, sql } from 'drizzle-orm';
import { among } from '../../database/ids';
import { newMeter, open } from '../../database/open';
import type { Job, Platform } from '../../platform';
import { advanceProgress, completeProgress } from '../progress/progress';
import { progress } from '../progress/table';
import { deleteUsers, isFromSis } from './removal';
import { users } from './table';

export interface ManyRemovals {
  readonly user_ids: readonly number[];
  readonly mayManageSis: boolean;
}

const atOnce = 50;

/** Removed users are skipped, so interrupted work starts from the beginning. */
export async function removeUsers({ progress_id = 0 }: Job, env: Platform): Promise<void> {
  const db = open(env.DB, newMeter(), 'first-primary');
  const [[work]] = await db.perform([db.build.select().from(progress).where(eq(progress.id, progress_id))]);
  if (!work || work.workflow_state === 'completed' || work.workflow_state === 'failed') return;
  const { user_ids, mayManageSis } = work.arguments as ManyRemovals;
  const [known] = await db.perform([
    db.build
      .select({ id: users.id, isFromSis: sql<number>`${isFromSis}`.as('isFromSis') })
      .from(users)
      .where(and(among(users.id, user_ids), ne(users.workflow_state, 'deleted'))),
  ]);
  const ids = known.filter(({ isFromSis }) => mayManageSis || !isFromSis).map(({ id }) => id);
  for (let at = 0; at < ids.length; at += atOnce) {
    const now = wireTime(Date.now());
    const percent = ((at + atOnce) / ids.length) * 100;
    await db.perform([...deleteUsers(db, ids.slice(at, at + atOnce), now), advanceProgress(db, progress_id, Math.min(99, percent), now)]);
  }
  const refused = known.length - ids.length;
  const message = [`${ids.length} users removed`, ...(refused > 0 ? [`${refused} managed by SIS`] : [])].join(', ');
  await db.perform([completeProgress(db, progress_id, wireTime(Date.now()), { message })]);
}
