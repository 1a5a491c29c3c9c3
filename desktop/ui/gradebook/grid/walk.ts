// Where a key moves to in the grid, as in a spreadsheet.

/** A place in the grid: the row of the titles is −1, that of the statistics is `rows`; the column of the names is 0, that of the totals `columns + 1`. */
export interface GridPosition {
  readonly row: number;
  readonly column: number;
}

export interface GridSize {
  readonly rows: number;
  readonly columns: number;
  /** Rows of one screen. */
  readonly page: number;
  readonly isRtl: boolean;
}

interface Pressed {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

const between = (least: number, value: number, most: number) => Math.max(least, Math.min(most, value));

/** Undefined: the key does not move. */
export function walked(
  { row, column }: GridPosition,
  pressed: Pressed,
  { rows, columns, page, isRtl }: GridSize,
): GridPosition | undefined {
  const isFar = pressed.ctrlKey || pressed.metaKey;
  const last = columns + 1;
  const onwards = isRtl ? -1 : 1;
  const across = (by: number): GridPosition => ({ row, column: isFar ? (by > 0 ? last : 0) : between(0, column + by, last) });
  const down = (by: number): GridPosition => ({
    row: isFar ? (by > 0 ? rows - 1 : 0) : between(-1, row + by, rows),
    column,
  });
  switch (pressed.key) {
    case 'ArrowRight':
      return across(onwards);
    case 'ArrowLeft':
      return across(-onwards);
    case 'ArrowDown':
      return down(1);
    case 'ArrowUp':
      return down(-1);
    case 'Home':
      return { row: isFar ? 0 : row, column: 0 };
    case 'End':
      return { row: isFar ? rows - 1 : row, column: last };
    case 'PageDown':
      return { row: between(0, row + page, rows - 1), column };
    case 'PageUp':
      return { row: between(0, row - page, rows - 1), column };
    default:
      return undefined;
  }
}

export type GridAct = 'menu' | 'undo' | 'comment' | 'edit' | 'clear' | 'type';

const acts: ReadonlyMap<string, GridAct> = new Map([
  ['ContextMenu', 'menu'],
  ['Shift F10', 'menu'],
  ['Alt ArrowDown', 'menu'],
  ['Shift F2', 'comment'],
  ['F2', 'edit'],
  ['Enter', 'edit'],
  ['Delete', 'clear'],
  ['Backspace', 'clear'],
]);

/** What a key does that does not move. */
export function gridActOf({ key, ctrlKey, metaKey, altKey, shiftKey }: Pressed): GridAct | undefined {
  if (ctrlKey || metaKey) return key.toLowerCase() === 'z' && !shiftKey && !altKey ? 'undo' : undefined;
  if (key.length === 1) return key === ' ' || altKey ? undefined : 'type';
  return acts.get(`${altKey ? 'Alt ' : ''}${shiftKey ? 'Shift ' : ''}${key}`);
}
