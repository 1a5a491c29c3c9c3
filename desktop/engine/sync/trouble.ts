// Why the account cannot reach its server, and since when: stored, so that it is shown until it is solved.

import type { SyncStatus } from '../../contract/state';
import { BrokenOff } from '../server/canvas/pace';
import { NoFeed } from '../server/feed';
import { Declined, Offline, SignInRequired } from '../server/session';
import { stored } from '../store/damage';
import type { Salvaged, UserStore } from '../store/user';
import { whyOf } from './reason';

type Trouble = NonNullable<SyncStatus['trouble']>;

/** Undefined: the connection is not the problem. */
export function troubleOf(problem: unknown): Omit<Trouble, 'since'> | undefined {
  const said = whyOf(problem);
  const { why } = said;
  if (problem instanceof SignInRequired) return { kind: problem.isExpired ? 'expired' : 'revoked', ...said };
  if (problem instanceof Offline) return { kind: /ENOTFOUND/.test(why) ? 'no such host' : 'unreachable', ...said };
  // The response does not come from the former server: another site, or a notice that it was shut down.
  if (problem instanceof BrokenOff || problem instanceof NoFeed || (problem instanceof Declined && [404, 410].includes(problem.status)))
    return { kind: 'gone', ...said };
  return undefined;
}

export function keepTrouble(user: UserStore, now: () => Date, trouble: Omit<Trouble, 'since'> | undefined): void {
  const known = troubleKept(user);
  if (known?.kind === trouble?.kind && known?.why === trouble?.why) return;
  const since = known && known.kind === trouble?.kind ? known.since : now().toISOString();
  user.set('trouble', trouble && JSON.stringify({ ...trouble, since }));
}

export function troubleKept(user: UserStore): Trouble | null {
  const kept = user.setting('trouble');
  return kept === undefined ? null : stored<Trouble>(kept);
}

const aWeek = 7 * 24 * 3_600_000;
const isLately = (at: string, now: Date): boolean => now.getTime() - Date.parse(at) < aWeek;

/** When the server last started another history; reported for a week. */
export function rebuiltLately(user: UserStore, now: Date): string | null {
  const at = user.setting('rebuilt_at');
  return at !== undefined && isLately(at, now) ? at : null;
}

/** What was saved of a damaged store, and where the rest may be; also reported for a week. */
export function salvagedLately(user: UserStore, now: Date): Salvaged | undefined {
  const kept = user.setting('salvaged');
  const salvaged = kept === undefined ? undefined : stored<Salvaged>(kept);
  return salvaged && isLately(salvaged.at, now) ? salvaged : undefined;
}
