// Submissions that the server had received, according to its signed receipt, and no longer has, such as after a restore. They are reported,
// and restored as drafts.

import type { AssignmentJson, SubmissionJson } from '../model/resources';
import { type Receipt, receipts } from '../outbox/receipts';
import { draftAt, keepDraft } from '../outbox/work_drafts';
import { wayOf } from '../server/pull';
import type { Cache } from '../store/cache';
import { stored } from '../store/damage';
import { durably } from '../store/driver';
import type { UserStore } from '../store/user';
import { because, type SyncProblem } from './reason';

/** Lists may have left it out; the feed is complete. */
export const isLost = (cache: Cache, { assignment_id, submission_id, attempt }: Receipt): boolean =>
  wayOf(cache) === 'feed' &&
  cache.get('assignment', assignment_id) !== undefined &&
  (cache.get<SubmissionJson>('submission', submission_id)?.attempt ?? 0) < attempt;

const setting = 'lost work';

/** Restores the latest lost attempt of each assignment as a draft, once, unless there is a draft already. */
export function lostWork(cache: Cache, user: UserStore, now: Date): SyncProblem[] {
  const lost = [...new Map(receipts(user).map((receipt) => [receipt.assignment_id, receipt])).values()].filter((one) => isLost(cache, one));
  if (lost.length === 0) return [];
  const known = new Set(stored<string[]>(user.setting(setting) ?? '[]'));
  const fresh = lost.filter(({ id }) => !known.has(id));
  if (fresh.length > 0)
    durably(user.database, () => {
      for (const { course_id, assignment_id, work } of fresh)
        if (!draftAt(user, assignment_id)) keepDraft(user, { ...work, course_id, assignment_id }, now);
      user.set(setting, JSON.stringify([...known, ...fresh.map(({ id }) => id)]));
    });
  return lost.map(({ assignment_id }) => ({
    what: 'your work',
    where: cache.get<AssignmentJson>('assignment', assignment_id)?.name ?? `${assignment_id}`,
    ...because('why.lostThere'),
  }));
}
