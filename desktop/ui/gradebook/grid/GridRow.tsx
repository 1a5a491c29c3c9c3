// One student in the grid.
// biome-ignore-all lint/a11y/useSemanticElements: a table cannot be drawn in part, with rows and columns that stay in place
// biome-ignore-all lint/a11y/useFocusableInteractive: the cells of a grid take the focus, its rows do not

import type { VirtualItem } from '@tanstack/react-virtual';
import { memo } from 'react';
import type { GradebookCell, GradebookColumn, GradebookRow, GradeEntry } from '../../../contract/gradebook.ts';
import { t } from '../../../language/texts.ts';
import { Icon } from '../../parts/Icon.tsx';
import type { Book } from '../book.ts';
import { CellContent, toneOf } from '../CellContent.tsx';
import { isGradable } from '../entry.ts';
import { percentText } from '../totals.ts';
import { type AfterEntry, CellEditor } from './CellEditor.tsx';

export interface Editing {
  readonly initial: string;
  readonly isTyped: boolean;
}

interface Given {
  readonly book: Book;
  readonly row: GradebookRow;
  readonly index: number;
  readonly top: number;
  readonly columns: readonly GradebookColumn[];
  readonly shown: readonly VirtualItem[];
  readonly width: number;
  /** The active column of the row. */
  readonly active: number | undefined;
  readonly editing: Editing | null;
  readonly onEnter: (entry: GradeEntry | null, then: AfterEntry) => void;
  readonly onCancel: () => void;
}

export const GridRow = memo(function GridRow({ book, row, index, top, columns, shown, width, active, editing, onEnter, onCancel }: Given) {
  const last = columns.length + 1;
  return (
    <div role="row" className="grid-row" aria-rowindex={index + 2} data-active={active !== undefined || undefined} style={{ top }}>
      <div role="rowheader" className="grid-name" aria-colindex={1} data-at={`${index}:0`} tabIndex={active === 0 ? 0 : -1}>
        <span className="grid-student">
          <bdi>{row.name}</bdi>
          {row.state !== 'active' && <small>{t(stateOfStudent[row.state])}</small>}
        </span>
      </div>
      <div role="none" className="grid-track" style={{ width }}>
        {shown.map(({ index: at, start, size }) => {
          const column = columns[at];
          if (!column) return null;
          const isActive = active === at + 1;
          return (
            <Cell
              key={column.assignment_id}
              column={column}
              cell={book.cellOf(row.user_id, column.assignment_id)}
              name={row.name}
              at={`${index}:${at + 1}`}
              colIndex={at + 2}
              start={start}
              size={size}
              isActive={isActive}
              editing={isActive ? editing : null}
              onEnter={onEnter}
              onCancel={onCancel}
            />
          );
        })}
      </div>
      <div
        role="gridcell"
        className="grid-total"
        aria-colindex={last + 1}
        aria-readonly="true"
        data-at={`${index}:${last}`}
        tabIndex={active === last ? 0 : -1}
      >
        {row.current_score === null ? (
          <span className="soft">{t('book.noTotal')}</span>
        ) : (
          <>
            <b>{percentText(row.current_score)}</b>
            {row.current_grade !== null && (
              <small>
                <bdi>{row.current_grade}</bdi>
              </small>
            )}
          </>
        )}
      </div>
    </div>
  );
});

const stateOfStudent = { active: 'book.active', invited: 'book.invited', inactive: 'book.inactive', completed: 'book.completed' } as const;

interface CellGiven {
  readonly column: GradebookColumn;
  readonly cell: GradebookCell | undefined;
  readonly name: string;
  readonly at: string;
  readonly colIndex: number;
  readonly start: number;
  readonly size: number;
  readonly isActive: boolean;
  readonly editing: Editing | null;
  readonly onEnter: Given['onEnter'];
  readonly onCancel: Given['onCancel'];
}

const Cell = memo(function Cell({ column, cell, name, at, colIndex, start, size, isActive, editing, onEnter, onCancel }: CellGiven) {
  const isFixed = !cell || !isGradable(column);
  return (
    <div
      role="gridcell"
      className="grid-cell"
      aria-colindex={colIndex}
      aria-readonly={isFixed || undefined}
      data-at={at}
      data-tone={toneOf(cell)}
      data-fixed={isFixed || undefined}
      data-unassigned={!cell || undefined}
      tabIndex={isActive && !editing ? 0 : -1}
      style={{ insetInlineStart: start, width: size }}
    >
      {editing ? (
        <CellEditor
          column={column}
          label={t('book.gradeOf', { name, title: column.title })}
          {...editing}
          onEnter={onEnter}
          onCancel={onCancel}
        />
      ) : (
        <CellContent column={column} cell={cell} />
      )}
      {isActive && !editing && cell && (
        <button type="button" className="quiet icon-only cell-more" tabIndex={-1} data-more aria-label={t('book.cellMenu')}>
          <Icon name="more" />
        </button>
      )}
    </div>
  );
});
