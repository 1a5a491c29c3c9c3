// The sizes of the grid, what of it is drawn, and how far it scrolls.

import { defaultRangeExtractor, type Range } from '@tanstack/react-virtual';
import type { RefObject } from 'react';
import type { GridPosition } from './walk.ts';

/** In rem; the same as in the style sheet. */
export const gridSizes = { row: 2.5, head: 4.5, foot: 2.9, name: 14.5, column: 8.25, total: 7 };
export const rootFontSize = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

/** What is in view, and the active place, so that it keeps the focus. */
export const withActive = (active: number) => (range: Range) => {
  const found = defaultRangeExtractor(range);
  return active < 0 || active >= range.count || found.includes(active) ? found : [...found, active].sort((a, b) => a - b);
};

export interface Measures {
  readonly rows: number;
  readonly columns: number;
  readonly unit: number;
  readonly isRtl: boolean;
}

/** Scrolls just as far as is needed to see the place between the parts that stay. */
export function revealCell(
  scroll: RefObject<HTMLDivElement | null>,
  { row, column }: GridPosition,
  { rows, columns, unit, isRtl }: Measures,
) {
  const element = scroll.current;
  if (!element) return;
  if (row >= 0 && row < rows) {
    const top = row * gridSizes.row * unit;
    const room = element.clientHeight - (gridSizes.head + gridSizes.foot) * unit;
    element.scrollTop = Math.max(top + gridSizes.row * unit - room, Math.min(element.scrollTop, top));
  }
  if (column >= 1 && column <= columns) {
    const start = (column - 1) * gridSizes.column * unit;
    const room = element.clientWidth - (gridSizes.name + gridSizes.total) * unit;
    const side = isRtl ? -1 : 1;
    element.scrollLeft = side * Math.max(start + gridSizes.column * unit - room, Math.min(side * element.scrollLeft, start));
  }
}
