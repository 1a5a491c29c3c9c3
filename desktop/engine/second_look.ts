// Looks at bytes of which every stamp says that they are as they were: some each day, all of them in the course of weeks. Fast checks have
// missed changes, and disks have lost bits; what is found is kept as the person's own, and said.

import type { Problem } from './engine';
import { type Disk, isSameStamp } from './ports';
import { because } from './reason';
import { stored } from './store/damage';
import type { UserStore } from './store/user';
import type { Key } from './trees';

const aDay = 24 * 3_600_000;
/** In one day. */
const most = { files: 500, bytes: 256_000_000 };

interface Reached {
  readonly at: string;
  /** The last that was looked at. */
  readonly after: Key;
}

const setting = 'second look';

/** @param bothWays what goes up as soon as it differs: there it is only said */
export async function lookAgain(disk: Disk, user: UserStore, now: Date, bothWays: ReadonlySet<Key>): Promise<Problem[]> {
  const known = user.setting(setting);
  const reached: Reached = known === undefined ? { at: now.toISOString(), after: '' } : stored<Reached>(known);
  if (known === undefined) user.set(setting, JSON.stringify(reached));
  const age = now.getTime() - Date.parse(reached.at);
  // A clock that was set back begins anew.
  if (age >= 0 && age < aDay) return [];
  const problems: Problem[] = [];
  const rows = user.rows();
  const due = [...rows.keys()].filter((key) => key > reached.after).sort();
  let after = '';
  let bytes = 0;
  for (const [nth, key] of due.entries()) {
    const row = rows.get(key);
    if (!row) continue;
    bytes += row.seen.stamp.size;
    if (nth > 0 && (nth >= most.files || bytes > most.bytes)) break;
    after = key;
    const seen = await disk.hash(row.seen.path);
    // What shows by its stamp is no affair of a second look.
    if (!seen || !isSameStamp(seen.stamp, row.seen.stamp) || seen.hash === row.seen.hash) continue;
    problems.push({ what: 'damaged', where: row.seen.path, ...because('why.damaged') });
    const { seen: _, ...agreed } = row;
    if (!bothWays.has(key)) user.note([{ put: key, agreed, seen }]);
  }
  const isThrough = after === '' || after === due.at(-1);
  user.set(setting, JSON.stringify({ at: now.toISOString(), after: isThrough ? '' : after } satisfies Reached));
  return problems;
}
