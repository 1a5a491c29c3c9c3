// Which pages of a file have changed, recognised by their words and by what is drawn on them. Pure.

import { diffArrays } from 'diff';
import type { ChangedPages } from '../../../contract/news';
import type { ExtractedText } from './result';

/** With more differences than this, it is another file. */
const most = 400;

/** Without the page number: a new page changes it on all that follow. */
const plain = (text: string, at: number, { length }: readonly string[]): string =>
  text
    .replaceAll(/\d+/g, (number) => (Number(number) === at + 1 || Number(number) === length ? '' : number))
    .replaceAll(/\s+/g, ' ')
    .trim();

const sumOf = ({ changed, added, removed }: ChangedPages): number => changed.length + added + removed;

/** Undefined if the pages are the same, or all are different. */
export function changedPages(before: ExtractedText, after: ExtractedText): ChangedPages | undefined {
  const [old, now] = [before.pages.map(plain), after.pages.map(plain)];
  const byWords = between(old, now);
  if (!isDrawn(before) || !isDrawn(after)) return byWords;
  const both = between(whole(old, before.drawn), whole(now, after.drawn));
  if (isWordless(after)) return both;
  // A program may draw every page differently with the same text: then only the words count.
  const more = (both ? sumOf(both) : now.length) - (byWords ? sumOf(byWords) : 0);
  return more > now.length / 2 ? byWords : both;
}

const isDrawn = ({ pages, drawn = [] }: ExtractedText): boolean => drawn.length === pages.length;
const whole = (words: readonly string[], drawn: ExtractedText['drawn'] = []): string[] => words.map((text, at) => `${text}\0${drawn[at]}`);
/** A scan: it consists of pictures almost only. */
const isWordless = ({ pages }: ExtractedText): boolean => pages.filter((text) => text.trim() !== '').length <= pages.length / 2;

function between(old: readonly string[], now: readonly string[]): ChangedPages | undefined {
  const byOrder = inOrder(old, now);
  if (!byOrder) return undefined;
  // Pages with the same words are distinguished by their position, unless pages were inserted between them.
  const byPlace = inPlace(old, now);
  const found = sumOf(byPlace) <= sumOf(byOrder) ? byPlace : byOrder;
  return sumOf(found) > 0 && found.changed.length + found.added < now.length ? found : undefined;
}

const inPlace = (old: readonly string[], now: readonly string[]): ChangedPages => ({
  changed: now.flatMap((text, at) => (at < old.length && text !== old[at] ? [at + 1] : [])),
  added: Math.max(0, now.length - old.length),
  removed: Math.max(0, old.length - now.length),
});

function inOrder(old: readonly string[], now: readonly string[]): ChangedPages | undefined {
  const found = { changed: [] as number[], added: 0, removed: 0 };
  let page = 0;
  let gone = 0;
  const runs = diffArrays([...old], [...now], { maxEditLength: most });
  if (!runs) return undefined;
  for (const { added, removed, count } of runs) {
    if (removed) {
      gone = count;
      continue;
    }
    // A page in place of a removed one counts as that page, changed.
    const same = added ? Math.min(gone, count) : 0;
    for (let nth = 1; nth <= same; nth++) found.changed.push(page + nth);
    if (added) found.added += count - same;
    found.removed += gone - same;
    gone = 0;
    page += count;
  }
  found.removed += gone;
  return found;
}
