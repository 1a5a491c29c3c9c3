// The titles of the grid, and the statistics at its foot.
// biome-ignore-all lint/a11y/useSemanticElements: a table cannot be drawn in part, with rows and columns that stay in place
// biome-ignore-all lint/a11y/useFocusableInteractive: the cells of a grid take the focus, its rows do not

import type { VirtualItem } from '@tanstack/react-virtual';
import type { GradebookColumn } from '../../../contract/gradebook.ts';
import { shortDay } from '../../../language/dates.ts';
import { t } from '../../../language/texts.ts';
import { Icon } from '../../parts/Icon.tsx';
import type { BookSort } from '../book.ts';
import { decimalIn } from '../entry.ts';
import type { ColumnStatistics } from '../statistics.ts';
import { percentText } from '../totals.ts';
import { shortPoints } from '../words.ts';

interface Given {
  readonly columns: readonly GradebookColumn[];
  readonly shown: readonly VirtualItem[];
  readonly width: number;
  /** The active column, if the active place is in this row. */
  readonly active: number | undefined;
}

interface HeadGiven extends Given {
  readonly sort: BookSort;
  /** The column of the active cell, wherever it is. */
  readonly here: number;
  readonly statistics: (assignment_id: number) => ColumnStatistics;
}

export function GridHead({ columns, shown, width, active, sort, here, statistics }: HeadGiven) {
  const last = columns.length + 1;
  const sorted = (by: BookSort['by']) => (sort.by === by ? (sort.descending ? 'descending' : 'ascending') : undefined);
  return (
    <div role="row" className="grid-head" aria-rowindex={1}>
      <div
        role="columnheader"
        className="grid-name"
        aria-colindex={1}
        aria-sort={sorted('name')}
        data-at="-1:0"
        tabIndex={active === 0 ? 0 : -1}
      >
        <span className="head-title">{t('book.student')}</span>
        <Sorted by={sorted('name')} />
      </div>
      <div role="none" className="grid-track" style={{ width }}>
        {shown.map(({ index, start, size }) => {
          const column = columns[index];
          if (!column) return null;
          return (
            <div
              key={column.assignment_id}
              role="columnheader"
              className="grid-title"
              aria-colindex={index + 2}
              aria-sort={sorted(column.assignment_id)}
              data-at={`-1:${index + 1}`}
              data-here={here === index + 1 || undefined}
              tabIndex={active === index + 1 ? 0 : -1}
              style={{ insetInlineStart: start, width: size }}
              title={column.title}
            >
              <HeadWords column={column} toGrade={statistics(column.assignment_id).to_grade} />
              <Sorted by={sorted(column.assignment_id)} />
            </div>
          );
        })}
      </div>
      <div
        role="columnheader"
        className="grid-total"
        aria-colindex={last + 1}
        aria-sort={sorted('total')}
        data-at={`-1:${last}`}
        tabIndex={active === last ? 0 : -1}
      >
        <span className="head-title">{t('book.total')}</span>
        <Sorted by={sorted('total')} />
      </div>
    </div>
  );
}

function HeadWords({ column, toGrade }: { column: GradebookColumn; toGrade: number }) {
  return (
    <>
      <span className="head-title">
        <bdi>{column.title}</bdi>
      </span>
      <small className="head-facts">
        <span>{shortPoints(column)}</span>
        {column.due_at && <time dateTime={column.due_at}>{shortDay().format(new Date(column.due_at))}</time>}
        {!column.is_published && <span>{t('book.unpublished')}</span>}
        {column.is_anonymous && <span>{t('book.anonymous')}</span>}
        {toGrade > 0 && (
          <span className="head-count">
            <Icon name="dot" />
            {toGrade}
            <span className="sr-only"> {t('book.toGrade')}</span>
          </span>
        )}
      </small>
    </>
  );
}

const Sorted = ({ by }: { by: 'ascending' | 'descending' | undefined }) =>
  by ? (
    <span className="head-sort" aria-hidden="true">
      <Icon name={by === 'ascending' ? 'up' : 'down'} />
    </span>
  ) : null;

interface FootGiven extends Given {
  readonly index: number;
  readonly students: number;
  readonly statistics: (assignment_id: number) => ColumnStatistics;
  readonly totals: ColumnStatistics['scores'];
}

export function GridFoot({ columns, shown, width, active, index, students, statistics, totals }: FootGiven) {
  const last = columns.length + 1;
  return (
    <div role="row" className="grid-foot" aria-rowindex={index + 2}>
      <div role="rowheader" className="grid-name" aria-colindex={1} data-at={`${index}:0`} tabIndex={active === 0 ? 0 : -1}>
        <span>{t('book.mean')}</span>
        <small>{t('book.students', { count: students })}</small>
      </div>
      <div role="none" className="grid-track" style={{ width }}>
        {shown.map(({ index: at, start, size }) => {
          const column = columns[at];
          if (!column) return null;
          const { scores, graded } = statistics(column.assignment_id);
          return (
            <div
              key={column.assignment_id}
              role="gridcell"
              aria-readonly="true"
              className="grid-figure"
              aria-colindex={at + 2}
              data-at={`${index}:${at + 1}`}
              tabIndex={active === at + 1 ? 0 : -1}
              style={{ insetInlineStart: start, width: size }}
            >
              {scores ? (
                <>
                  <b>{decimalIn(scores.mean)}</b>
                  <small>{t('book.gradedShort', { count: graded })}</small>
                </>
              ) : (
                <small>{t('book.noGrades')}</small>
              )}
            </div>
          );
        })}
      </div>
      <div
        role="gridcell"
        aria-readonly="true"
        className="grid-total"
        aria-colindex={last + 1}
        data-at={`${index}:${last}`}
        tabIndex={active === last ? 0 : -1}
      >
        {totals ? <b>{percentText(totals.mean)}</b> : <small>{t('book.noGrades')}</small>}
      </div>
    </div>
  );
}
