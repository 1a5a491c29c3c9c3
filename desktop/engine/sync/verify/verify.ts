// Verify: reads every byte of the study folder again and compares it with the server's hashes.

import { t } from '../../../language/texts';
import type { Disk, Ledger } from '../../model/ports';
import { isSameStamp } from '../../model/ports';
import type { Hash, Key, Path } from '../../model/trees';
import { locate } from '../../planner/locate';
import type { Derived } from '../wanted/derive';

export interface Verified {
  readonly checked: number;
  /** The hashes that were read, without the user's own versions. */
  readonly read: ReadonlyMap<Key, Hash>;
  /** The user's own versions, which are expected to differ from the server. */
  readonly edited: readonly Path[];
  readonly issues: readonly {
    readonly what: 'missing' | 'damaged' | 'outdated';
    readonly where: Path;
    readonly why: string;
    readonly key: Key;
  }[];
}

export async function verify(disk: Disk, ledger: Ledger, { tree, deselected }: Derived): Promise<Verified> {
  const rows = ledger.rows();
  const unwanted = ledger.unwanted();
  const scan = await disk.scan();
  const { places } = locate(rows, scan);
  const edited: Path[] = [];
  const issues: Verified['issues'][number][] = [];
  const read = new Map<Key, Hash>();
  let checked = 0;
  for (const [key, wanted] of tree) {
    const row = rows.get(key);
    if (unwanted.has(key) || deselected.has(key) || (!row && !wanted.available)) continue;
    const path = places.get(key);
    if (!row || path === undefined) {
      issues.push({
        what: 'missing',
        key,
        where: wanted.path,
        why: t('why.notInFolder'),
      });
      continue;
    }
    checked++;
    const seen = await disk.hash(path);
    if (seen) read.set(key, seen.hash);
    if (seen?.hash === wanted.hash) continue;
    const stamp = scan.files.get(path);
    if (!seen) issues.push({ what: 'damaged', key, where: path, why: t('why.unreadable') });
    else if (seen.hash === row.hash) issues.push({ what: 'outdated', key, where: path, why: t('why.newer') });
    else if (stamp && isSameStamp(stamp, row.seen.stamp) && row.seen.hash === row.hash) {
      issues.push({
        what: 'damaged',
        key,
        where: path,
        why: t('why.damaged'),
      });
    } else {
      edited.push(path);
      read.delete(key);
    }
  }
  return { checked, read, edited, issues };
}
