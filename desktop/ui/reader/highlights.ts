// Draws highlights in the frame of a reading and finds the selected words. The text itself is not modified.

import type { Highlight as Marked } from '../../contract/reading.ts';
import { anchorOf, placeOfWords } from './anchors.ts';

export function* textNodes(root: Node): Generator<Text> {
  const walker = root.ownerDocument?.createTreeWalker(root, 4 /* text */);
  for (let node = walker?.nextNode(); node; node = walker?.nextNode()) yield node as Text;
}

/** The number of characters before a point. */
function offsetOf(root: Node, container: Node, offset: number): number {
  const range = (root.ownerDocument as Document).createRange();
  range.setStart(root, 0);
  range.setEnd(container, offset);
  return range.toString().length;
}

export function selectedIn(inside: Document): Omit<Marked, 'id'> | null {
  const selection = inside.getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return null;
  const { startContainer, startOffset, endContainer, endOffset } = selection.getRangeAt(0);
  const [start, end] = [offsetOf(inside.body, startContainer, startOffset), offsetOf(inside.body, endContainer, endOffset)];
  const text = inside.body.textContent ?? '';
  return text.slice(start, end).trim() === '' ? null : anchorOf(text, start, end);
}

export function domRangeOf(inside: Document, start: number, end: number): Range | null {
  const range = inside.createRange();
  let passed = 0;
  let isOpen = false;
  for (const node of textNodes(inside.body)) {
    const next = passed + node.length;
    if (!isOpen && start < next) {
      range.setStart(node, start - passed);
      isOpen = true;
    }
    if (isOpen && end <= next) {
      range.setEnd(node, end - passed);
      return range;
    }
    passed = next;
  }
  return null;
}

/** Uses the CSS Custom Highlight API where the browser has it. */
export function drawHighlights(inside: Document, highlights: readonly Marked[]) {
  const view = inside.defaultView as (Window & typeof globalThis) | null;
  if (!view?.CSS?.highlights) return;
  const text = inside.body.textContent ?? '';
  const ranges = highlights.flatMap((one) => {
    const found = placeOfWords(text, one);
    return (found && domRangeOf(inside, ...found)) ?? [];
  });
  view.CSS.highlights.set('marked', new view.Highlight(...ranges));
}
