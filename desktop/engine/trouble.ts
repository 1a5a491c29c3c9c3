// What keeps the account from its server, and since when: kept, so that whoever looks later is told the same.

import type { SyncStatus } from '../ui/views/state';
import { BrokenOff } from './adapters/canvas/pace';
import { NoFeed } from './adapters/carrel';
import { whyOf } from './reason';
import { Declined, Offline, SignIn } from './remote';
import type { UserStore } from './store/user';

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
  return kept === undefined ? null : (JSON.parse(kept) as Trouble);
}

const aWeek = 7 * 24 * 3_600_000;

/** When the server last began another history; for a week that is worth saying. */
export function rebuiltLately(user: UserStore, now: Date): string | null {
  const at = user.setting('rebuilt_at');
  return at !== undefined && now.getTime() - Date.parse(at) < aWeek ? at : null;
}
