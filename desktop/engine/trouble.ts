// What keeps the account from its server, and since when: kept, so that whoever looks later is told the same.

import type { SyncStatus } from '../ui/views/state';
import { BrokenOff } from './adapters/canvas/pace';
import { NoFeed } from './adapters/carrel';
import { whyOf } from './reason';
import { Declined, Offline, SignIn } from './remote';
import { stored } from './store/damage';
import type { Salvaged, UserStore } from './store/user';

type Trouble = NonNullable<SyncStatus['trouble']>;

/** Undefined: nothing is wrong between the two, whatever else is. */
export function troubleOf(problem: unknown): Omit<Trouble, 'since'> | undefined {
  const said = whyOf(problem);
  const { why } = said;
  if (problem instanceof SignIn) return { kind: problem.isExpired ? 'expired' : 'revoked', ...said };
  if (problem instanceof Offline) return { kind: /ENOTFOUND/.test(why) ? 'no such host' : 'unreachable', ...said };
  // Something answers, and it is not what was there: another site, a page that says farewell.
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

/** When the server last began another history; for a week that is worth saying. */
export function rebuiltLately(user: UserStore, now: Date): string | null {
  const at = user.setting('rebuilt_at');
  return at !== undefined && isLately(at, now) ? at : null;
}

/** What was saved of a damaged store, and where the rest may be; likewise. */
export function salvagedLately(user: UserStore, now: Date): Salvaged | undefined {
  const kept = user.setting('salvaged');
  const salvaged = kept === undefined ? undefined : stored<Salvaged>(kept);
  return salvaged && isLately(salvaged.at, now) ? salvaged : undefined;
}
