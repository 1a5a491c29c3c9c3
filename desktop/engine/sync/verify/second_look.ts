// Hashes files whose stamps have not changed: some each day, all within weeks. Stamps can miss changes, and disks lose bits; a changed file
// is kept as the user's own and reported.

import { type Disk, isSameStamp } from '../../model/ports';
import type { Key } from '../../model/trees';
import { stored } from '../../store/damage';
import type { UserStore } from '../../store/user';
import { because, type SyncProblem } from '../reason';

const aDay = 24 * 3_600_000;
/** In one day. */
const most = { files: 500, bytes: 256_000_000 };

interface Reached {
  readonly at: string;
  /** The last file that was checked. */
  readonly after: Key;
}

const setting = 'second look';

/** @param bothWays files that are uploaded when they differ: these are only reported */
export async function lookAgain(disk: Disk, user: UserStore, now: Date, bothWays: ReadonlySet<Key>): Promise<SyncProblem[]> {
  const known = user.setting(setting);
  const reached: Reached = known === undefined ? { at: now.toISOString(), after: '' } : stored<Reached>(known);
  if (known === undefined) user.set(setting, JSON.stringify(reached));
  const age = now.getTime() - Date.parse(reached.at);
  // If the clock was set back, it starts again.
  if (age >= 0 && age < aDay) return [];
  const problems: SyncProblem[] = [];
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
    // A change that the stamp shows is handled by the normal scan.
    if (!seen || !isSameStamp(seen.stamp, row.seen.stamp) || seen.hash === row.seen.hash) continue;
    problems.push({ what: 'damaged', where: row.seen.path, ...because('why.damaged') });
    const { seen: _, ...agreed } = row;
    if (!bothWays.has(key)) user.note([{ put: key, agreed, seen }]);
  }
  const isThrough = after === '' || after === due.at(-1);
  user.set(setting, JSON.stringify({ at: now.toISOString(), after: isThrough ? '' : after } satisfies Reached));
  return problems;
}
