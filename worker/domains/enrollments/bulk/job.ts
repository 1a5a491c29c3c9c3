// Bulk enrollment in the background, through each course's roster.

import { wireTime } from '@carrel/shared/wire/fields';
import { eq, sql } from 'drizzle-orm';
import { above } from '../../../contexts/account_tree';
import { idOf } from '../../../contexts/references';
import { newMeter, open } from '../../../database/open';
import type { ObjectCallResult } from '../../../live/call_result';
import type { Job, Platform } from '../../../platform';
import { advanceProgress, completeProgress } from '../../progress/progress';
import { progress } from '../../progress/table';
import type { EnrollRequest, RosterOutcome } from '../roster/roster';
import type { BulkEnrollment } from './input';

/** Enrolling an enrolled user again has no effect, so interrupted work starts from the beginning. */
export async function enrollMany({ progress_id = 0 }: Job, env: Platform): Promise<void> {
  const db = open(env.DB, newMeter(), 'first-primary');
  const [[work]] = await db.perform([db.build.select().from(progress).where(eq(progress.id, progress_id))]);
  if (!work || work.workflow_state === 'completed' || work.workflow_state === 'failed') return;
  const { user_ids, course_ids, enrollment_type, enrollment_role_id, addable, held } = work.arguments as BulkEnrollment;
  const refused: string[] = [];
  for (const [at, named] of course_ids.map(String).entries()) {
    const named_id = idOf('course', named);
    const [chain, [course]] = await db.perform([
      db.build.all<{ id: number }>(sql`${above(sql`select account_id from courses where id = (${named_id})`)}`),
      db.build.all<{ id: number }>(sql`select id from courses where id = (${named_id})`),
    ]);
    const course_id = course?.id ?? 0;
    if (!chain.some(({ id }) => id === work.context_id)) {
      refused.push(`any user in course ${named}`);
      continue;
    }
    const roster = env.COURSE_ROSTER.get(env.COURSE_ROSTER.idFromName(String(course_id)));
    for (const user_id of user_ids) {
      const request: EnrollRequest = {
        course_id,
        actor_id: work.user_id ?? 0,
        now: wireTime(Date.now()),
        idempotency: undefined,
        asked: {
          user: String(user_id),
          type: enrollment_type ?? undefined,
          role: undefined,
          role_id: enrollment_role_id ?? undefined,
          asked: 'active',
          section: undefined,
          observed: undefined,
          limited: undefined,
          self_enrolled: undefined,
          start_at: undefined,
          end_at: undefined,
          code: undefined,
        },
        chain: chain.map(({ id }) => id),
        addable,
        held,
        wanted: { logins: false, emails: false, observed: false },
      };
      const callResult = (await roster.enroll(request)) as ObjectCallResult<RosterOutcome>;
      if (callResult.outcome === 'refused') refused.push(`user ${user_id} in course ${course_id}`);
    }
    await db.perform([advanceProgress(db, progress_id, ((at + 1) / course_ids.length) * 100, wireTime(Date.now()))]);
  }
  const message = refused.length > 0 ? `could not enroll ${refused.join(', ')}` : undefined;
  await db.perform([completeProgress(db, progress_id, wireTime(Date.now()), { message })]);
}
