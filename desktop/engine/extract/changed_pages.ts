// Which pages of a file are others than before, told by their words. Pure.

import { diffArrays } from 'diff';
import type { ChangedPages } from '../../ui/views/news';

/** More differences than these are another file. */
const most = 400;

/** Without what counts the pages: a new one changes that on all that follow. */
const plain = (text: string, at: number, { length }: readonly string[]): string =>
  text
    .replaceAll(/\d+/g, (number) => (Number(number) === at + 1 || Number(number) === length ? '' : number))
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Undefined where the words are the same, or all others. */
export function changedPages(before: readonly string[], after: readonly string[]): ChangedPages | undefined {
  const runs = diffArrays(before.map(plain), after.map(plain), { maxEditLength: most });
  if (!runs) return undefined;
  const found = { changed: [] as number[], added: 0, removed: 0 };
  let page = 0;
  let kept = 0;
  let gone = 0;
  for (const { added, removed, count } of runs) {
    if (removed) {
      gone = count;
      continue;
    }
    // A page in the place of one that went is that page, changed.
    const same = added ? Math.min(gone, count) : 0;
    for (let nth = 1; nth <= same; nth++) found.changed.push(page + nth);
    if (added) found.added += count - same;
    else kept += count;
    found.removed += gone - same;
    gone = 0;
    page += count;
  }
  found.removed += gone;
  const isAny = found.changed.length + found.added + found.removed > 0;
  return isAny && kept > 0 ? found : undefined;
}
