// Selects words in a reading with the keyboard: arrows move by word and block, Shift extends the selection.

import { domRangeOf, textNodes } from './highlights.ts';

interface Word {
  readonly start: number;
  readonly end: number;
  readonly block: Element | null;
}

const blocks = 'p, li, h1, h2, h3, h4, h5, h6, td, th, dt, dd, blockquote, pre, figcaption, div, body';

function wordsOf(inside: Document): Word[] {
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
  const words: Word[] = [];
  let passed = 0;
  // Per text node, because adjacent blocks have no space between them.
  for (const node of textNodes(inside.body)) {
    const block = node.parentElement?.closest(blocks) ?? null;
    for (const { index, segment, isWordLike } of segmenter.segment(node.data))
      if (isWordLike) words.push({ start: passed + index, end: passed + index + segment.length, block });
    passed += node.length;
  }
  return words;
}

export interface Picker {
  /** Whether the key was handled. */
  readonly press: (key: string, isFurther: boolean) => boolean;
}

export function pickIn(inside: Document): Picker | null {
  const words = wordsOf(inside);
  if (words.length === 0) return null;
  const frame = inside.defaultView?.frameElement;
  const top = -(frame?.getBoundingClientRect().top ?? 0);
  const rectOf = ({ start, end }: Word) => domRangeOf(inside, start, end)?.getBoundingClientRect();
  // Starts at the visible part of the text, not at its beginning.
  let from = Math.max(
    0,
    words.findIndex((word) => (rectOf(word)?.bottom ?? 0) > top),
  );
  let to = from;
  const show = () => {
    const [first, last] = [words[Math.min(from, to)], words[Math.max(from, to)]];
    const range = first && last && domRangeOf(inside, first.start, last.end);
    const selection = inside.getSelection();
    if (!range || !selection) return;
    selection.removeAllRanges();
    selection.addRange(range);
    words[to]?.block?.scrollIntoView({ block: 'nearest' });
  };
  const beside = (by: 1 | -1): number => {
    const here = words[to]?.block;
    if (by === 1) {
      const next = words.findIndex(({ block }, at) => at > to && block !== here);
      return next === -1 ? words.length - 1 : next;
    }
    const last = words.findLastIndex(({ block }, at) => at < to && block !== here);
    const before = words[last]?.block;
    return Math.max(
      0,
      words.findIndex(({ block }) => block === before),
    );
  };
  const targetOf = (key: string): number | undefined => {
    switch (key) {
      case 'ArrowRight':
        return to + 1;
      case 'ArrowLeft':
        return to - 1;
      case 'ArrowDown':
        return beside(1);
      case 'ArrowUp':
        return beside(-1);
      default:
        return undefined;
    }
  };
  show();
  return {
    press(key, isFurther) {
      const target = targetOf(key);
      if (target === undefined) return false;
      to = Math.max(0, Math.min(words.length - 1, target));
      if (!isFurther) from = to;
      show();
      return true;
    },
  };
}
