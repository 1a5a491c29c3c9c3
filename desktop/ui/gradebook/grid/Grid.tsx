// The grid: students by assignments. Only what is in view is drawn; names, totals, titles and statistics stay in place.
// biome-ignore-all lint/a11y/useSemanticElements: a table cannot be drawn in part, with rows and columns that stay in place

import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type MouseEvent, useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { GradebookCell, GradebookColumn, GradebookRow, GradeEntry } from '../../../contract/gradebook.ts';
import { t } from '../../../language/texts.ts';
import type { Book, BookShape, BookSort } from '../book.ts';
import { editedWords, entryOf, gradeWords, isGradable } from '../entry.ts';
import { countedColumns, countedTotals } from '../totals.ts';
import type { AfterEntry } from './CellEditor.tsx';
import { GridFoot, GridHead } from './GridHead.tsx';
import { type Editing, GridRow } from './GridRow.tsx';
import { gridSizes, revealCell, rootFontSize, withActive } from './measures.ts';
import { type GridAct, type GridPosition, gridActOf, walked } from './walk.ts';

export interface Target {
  readonly row: GradebookRow | undefined;
  readonly column: GradebookColumn | undefined;
  readonly cell: GradebookCell | undefined;
  readonly isTotal: boolean;
}

export interface GridGiven {
  readonly book: Book;
  readonly shape: BookShape;
  readonly sort: BookSort;
  readonly enter: (column: GradebookColumn, before: GradebookCell, entry: GradeEntry) => Promise<boolean>;
  readonly undo: () => Promise<{ readonly user_id: number; readonly assignment_id: number } | undefined>;
  /** The active place, for what is shown beside the grid. */
  readonly onActive: (target: Target) => void;
  readonly openMenu: (target: Target, beside: HTMLElement) => void;
  readonly openComment: (target: Target) => void;
}

export function Grid({ book, shape, sort, enter, undo, onActive, openMenu, openComment }: GridGiven) {
  const scroll = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<GridPosition>({ row: 0, column: 1 });
  const [editing, setEditing] = useState<Editing | null>(null);
  const [moves, setMoves] = useState(0);
  /** Set by keys and presses; a redraw alone does not take the focus. */
  const wantsFocus = useRef(false);
  /** After Escape, Tab leaves the grid. */
  const isLeaving = useRef(false);
  const unit = useMemo(rootFontSize, []);
  const isRtl = document.documentElement.dir === 'rtl';
  const help = useId();

  const { rows, columns } = useShown(book, shape);
  const here: GridPosition = {
    row: Math.min(active.row, rows.length),
    column: Math.min(active.column, columns.length + 1),
  };
  const target = useCallback(
    ({ row, column }: GridPosition): Target => {
      const [student, assignment] = [rows[row], columns[column - 1]];
      const cell = student && assignment && book.cellOf(student.user_id, assignment.assignment_id);
      return { row: student, column: assignment, cell, isTotal: column === columns.length + 1 };
    },
    [rows, columns, book],
  );

  const vertical = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => gridSizes.row * unit,
    overscan: 4,
    rangeExtractor: useMemo(() => withActive(here.row), [here.row]),
  });
  const horizontal = useVirtualizer({
    horizontal: true,
    isRtl,
    count: columns.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => gridSizes.column * unit,
    overscan: 2,
    rangeExtractor: useMemo(() => withActive(here.column - 1), [here.column]),
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: when the place or its content changes
  useEffect(() => onActive(target(here)), [target, here.row, here.column]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the place changes
  useLayoutEffect(() => {
    if (!wantsFocus.current || editing) return;
    wantsFocus.current = false;
    revealCell(scroll, here, { rows: rows.length, columns: columns.length, unit, isRtl });
    scroll.current?.querySelector<HTMLElement>(`[data-at="${here.row}:${here.column}"]`)?.focus({ preventScroll: true });
  }, [moves, here.row, here.column, editing, rows, columns]);

  const moveTo = (place: GridPosition) => {
    wantsFocus.current = true;
    setEditing(null);
    setActive(place);
    setMoves((count) => count + 1);
  };
  const size = () => ({
    rows: rows.length,
    columns: columns.length,
    page: Math.max(1, Math.floor(((scroll.current?.clientHeight ?? 0) / unit - gridSizes.head - gridSizes.foot) / gridSizes.row) - 1),
    isRtl,
  });
  const edit = (typed?: string) => {
    const { cell, column } = target(here);
    if (!cell || !column || !isGradable(column)) return false;
    revealCell(scroll, here, { rows: rows.length, columns: columns.length, unit, isRtl });
    setEditing(typed === undefined ? { initial: editedWords(column, cell), isTyped: false } : { initial: typed, isTyped: true });
    return true;
  };
  const put = (entry: GradeEntry) => {
    const { cell, column } = target(here);
    if (cell && column && isGradable(column)) void enter(column, cell, entry);
  };
  const latest = useRef({ put, moveTo, here, rows: rows.length, columns: columns.length });
  latest.current = { put, moveTo, here, rows: rows.length, columns: columns.length };
  const onEnter = useCallback((entry: GradeEntry | null, then: AfterEntry) => {
    const { put, moveTo, here, rows, columns } = latest.current;
    if (entry) put(entry);
    if (then === 'left behind') return setEditing(null);
    const { row, column } = here;
    const by = { down: [1, 0], up: [-1, 0], right: [0, 1], left: [0, -1], stay: [0, 0] }[then] as [number, number];
    moveTo({ row: Math.max(0, Math.min(rows - 1, row + by[0])), column: Math.max(0, Math.min(columns + 1, column + by[1])) });
  }, []);
  const onCancel = useCallback(() => latest.current.moveTo(latest.current.here), []);
  const openMenuAt = (place: GridPosition) => {
    const element = scroll.current?.querySelector<HTMLElement>(`[data-at="${place.row}:${place.column}"]`);
    if (element) openMenu(target(place), element);
  };
  const takeBack = async () => {
    const undone = await undo();
    if (!undone) return;
    const [row, column] = [shape.users.indexOf(undone.user_id), shape.assignments.indexOf(undone.assignment_id)];
    if (row !== -1 && column !== -1) moveTo({ row, column: column + 1 });
  };

  const done = (act: () => void) => {
    act();
    return true;
  };
  /** Each returns whether it has an effect here. */
  const effects: Readonly<Record<GridAct, (key: string) => boolean>> = {
    menu: () => done(() => openMenuAt(here)),
    undo: () => done(() => void takeBack()),
    comment: () => done(() => openComment(target(here))),
    edit: () => (here.row === -1 ? done(() => openMenuAt(here)) : edit()),
    clear: () => {
      const { cell } = target(here);
      if (cell && (cell.grade !== null || cell.score !== null || cell.excused)) put({ grade: null });
      return cell !== undefined;
    },
    type: edit,
  };
  const tab = (by: 1 | -1): boolean => {
    const column = here.column + by;
    if (isLeaving.current || column < 0 || column > columns.length + 1) return false;
    return done(() => moveTo({ ...here, column }));
  };
  const press = (event: KeyboardEvent): boolean => {
    if (event.key === 'Tab') return tab(event.shiftKey ? -1 : 1);
    isLeaving.current = event.key === 'Escape';
    const place = event.altKey ? undefined : walked(here, event, size());
    if (place) return done(() => moveTo(place));
    const act = gridActOf(event);
    return act !== undefined && effects[act](event.key);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || !press(event)) return;
    event.preventDefault();
    // The shortcuts of the desk do not act on what is typed here.
    event.stopPropagation();
  };

  const placeOf = (event: MouseEvent): GridPosition | undefined => {
    const at = (event.target as Element).closest<HTMLElement>('[data-at]')?.dataset.at?.split(':').map(Number);
    return at && { row: at[0] as number, column: at[1] as number };
  };
  const onClick = (event: MouseEvent) => {
    const place = placeOf(event);
    if (!place || (event.target as Element).closest('.cell-editor, .popup')) return;
    moveTo(place);
    const isMore = (event.target as Element).closest('[data-more]') !== null;
    if (isMore || place.row === -1) openMenuAt(place);
  };

  const statistics = useMemo(() => countedColumns(book, shape.counted), [book, shape.counted]);
  const totals = useMemo(() => countedTotals(book, shape.counted), [book, shape.counted]);
  const shown = horizontal.getVirtualItems();
  const width = horizontal.getTotalSize();
  const activeIn = (row: number) => (here.row === row ? here.column : undefined);
  return (
    <>
      <p id={help} className="sr-only">
        {t('book.gridHelp')}
      </p>
      <div
        ref={scroll}
        role="grid"
        className="grid-scroll"
        aria-label={t('book.grid')}
        aria-describedby={help}
        aria-rowcount={rows.length + 2}
        aria-colcount={columns.length + 2}
        onKeyDown={onKeyDown}
        onClick={onClick}
        onDoubleClick={(event) => {
          if (placeOf(event) && !(event.target as Element).closest('.cell-editor, [data-more]')) edit();
        }}
        onContextMenu={(event) => {
          const place = placeOf(event);
          if (!place || (event.target as Element).closest('.cell-editor')) return;
          event.preventDefault();
          moveTo(place);
          // Where the press opens menus, its release would count as a press elsewhere and close the menu.
          if (event.buttons === 0) openMenuAt(place);
          else window.addEventListener('pointerup', () => setTimeout(() => openMenuAt(place)), { once: true });
        }}
        onCopy={(event) => {
          const { cell, column } = target(here);
          if (editing || !cell || !column) return;
          event.preventDefault();
          event.clipboardData.setData('text/plain', editedWords(column, cell) || gradeWords(column, cell));
        }}
        onPaste={(event) => {
          const { column } = target(here);
          if (editing || !column) return;
          event.preventDefault();
          const typed = entryOf(column, event.clipboardData.getData('text/plain'));
          if ('entry' in typed) put(typed.entry);
          else edit(event.clipboardData.getData('text/plain'));
        }}
      >
        <GridHead
          columns={columns}
          shown={shown}
          width={width}
          active={activeIn(-1)}
          sort={sort}
          here={here.column}
          statistics={statistics}
        />
        <div role="none" className="grid-body" style={{ height: vertical.getTotalSize() }}>
          {vertical.getVirtualItems().map(({ index, start }) => {
            const row = rows[index];
            return row ? (
              <GridRow
                key={row.user_id}
                book={book}
                row={row}
                index={index}
                top={start}
                columns={columns}
                shown={shown}
                width={width}
                active={activeIn(index)}
                editing={here.row === index ? editing : null}
                onEnter={onEnter}
                onCancel={onCancel}
              />
            ) : null;
          })}
        </div>
        <GridFoot
          columns={columns}
          shown={shown}
          width={width}
          active={activeIn(rows.length)}
          index={rows.length}
          students={shape.counted.length}
          statistics={statistics}
          totals={totals}
        />
      </div>
    </>
  );
}

function useShown({ view }: Book, { users, assignments }: BookShape) {
  const rows = useMemo(() => {
    const byId = new Map(view.rows.map((row) => [row.user_id, row]));
    return users.flatMap((id) => byId.get(id) ?? []);
  }, [view.rows, users]);
  const columns = useMemo(() => {
    const byId = new Map(view.columns.map((column) => [column.assignment_id, column]));
    return assignments.flatMap((id) => byId.get(id) ?? []);
  }, [view.columns, assignments]);
  return { rows, columns };
}
