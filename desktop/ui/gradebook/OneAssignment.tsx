// The gradebook on a phone: one assignment at a time, with a field for each student.

import { useMemo, useRef, useState } from 'react';
import type { GradebookRow } from '../../contract/gradebook.ts';
import { t } from '../../language/texts.ts';
import { Icon } from '../parts/Icon.tsx';
import { hrefOf } from '../routes.ts';
import { type Book, type BookShape, type CellState, isInBook } from './book.ts';
import { CommentDialog } from './CommentDialog.tsx';
import { GradeField } from './GradeField.tsx';
import { ActionMenu } from './Menu.tsx';
import { cellActs } from './menus.ts';
import { StateTags } from './Selected.tsx';
import { countedColumns, figuresOf, percentText } from './totals.ts';
import type { Entries } from './useEntries.ts';

interface Given extends Pick<Entries, 'enter' | 'undo'> {
  readonly book: Book;
  readonly shape: BookShape;
  readonly status: CellState | null;
}

export function OneAssignment({ book, shape, status, enter, undo }: Given) {
  const { view } = book;
  const [chosen, setChosen] = useState<number | null>(null);
  const column = view.columns.find(({ assignment_id }) => assignment_id === chosen) ?? firstToGrade(book) ?? view.columns[0];
  const statistics = useMemo(() => countedColumns(book, shape.counted), [book, shape.counted]);
  const [open, setOpen] = useState<{ row: GradebookRow; what: 'menu' | 'comment' } | null>(null);
  const beside = useRef<HTMLElement>(null);
  // Which students are shown does not change while they are graded.
  const latest = useRef(book);
  latest.current = book;
  const assignment_id = column?.assignment_id;
  const rows = useMemo(() => {
    const byId = new Map(latest.current.view.rows.map((row) => [row.user_id, row]));
    return shape.users.flatMap((user_id) => {
      const cell = assignment_id === undefined ? undefined : latest.current.cellOf(user_id, assignment_id);
      return cell && (status === null || isInBook(cell, status)) ? [byId.get(user_id) as GradebookRow] : [];
    });
  }, [shape, assignment_id, status]);
  if (!column) return null;
  const at = view.columns.indexOf(column);
  const step = (by: number) => setChosen(view.columns[at + by]?.assignment_id ?? column.assignment_id);
  const { scores, to_grade } = statistics(column.assignment_id);
  const openCell = open && book.cellOf(open.row.user_id, column.assignment_id);
  return (
    <div className="one-assignment">
      <div className="one-choose">
        <Step icon="back" says={t('book.previousAssignment')} isOff={at === 0} press={() => step(-1)} />
        <label>
          <span className="sr-only">{t('kind.assignment')}</span>
          <select value={column.assignment_id} onChange={({ target }) => setChosen(Number(target.value))}>
            {view.columns.map((one) => (
              <option key={one.assignment_id} value={one.assignment_id}>
                {one.title}
              </option>
            ))}
          </select>
        </label>
        <Step icon="forward" says={t('book.nextAssignment')} isOff={at === view.columns.length - 1} press={() => step(1)} />
      </div>
      <p className="one-facts soft">
        <span>{t('book.toGradeCount', { count: to_grade })}</span>
        {figuresOf(scores).map(([label, value]) => (
          <span key={label}>{t('book.figure', { label, value })}</span>
        ))}
      </p>
      <p className="one-acts">
        <a className="button" href={hrefOf({ at: 'grade', course_id: view.course_id, assignment_id: column.assignment_id, user_id: null })}>
          <Icon name="open" />
          {t('book.gradeAll')}
        </a>
        <button type="button" className="quiet" onClick={() => void undo()}>
          <Icon name="history" />
          {t('undo')}
        </button>
      </p>
      {rows.length === 0 ? (
        <p className="none-match">{t('book.noneMatch', { count: view.rows.length })}</p>
      ) : (
        <ul className="one-students">
          {rows.map((row) => {
            const cell = book.cellOf(row.user_id, column.assignment_id);
            return cell ? (
              <li key={row.user_id}>
                <p className="one-name">
                  <a
                    data-stop
                    href={hrefOf({ at: 'grade', course_id: view.course_id, assignment_id: column.assignment_id, user_id: row.user_id })}
                  >
                    <bdi>{row.name}</bdi>
                  </a>
                  <small className="soft">
                    {row.current_score === null ? '' : t('book.totalIs', { total: percentText(row.current_score) })}
                  </small>
                </p>
                <span className="tags">
                  <StateTags cell={cell} />
                </span>
                <GradeField
                  column={column}
                  cell={cell}
                  label={t('book.gradeOf', { name: row.name, title: column.title })}
                  onEnter={(entry) => void enter(column, cell, entry)}
                />
                <button
                  type="button"
                  className="quiet icon-only"
                  aria-label={t('book.menuOf', { name: row.name, title: column.title })}
                  onClick={({ currentTarget }) => {
                    beside.current = currentTarget;
                    setOpen({ row, what: 'menu' });
                  }}
                >
                  <Icon name="more" />
                </button>
              </li>
            ) : null;
          })}
        </ul>
      )}
      {open?.what === 'menu' && openCell && (
        <ActionMenu
          label={t('book.menuOf', { name: open.row.name, title: column.title })}
          beside={beside}
          items={cellActs({
            course_id: view.course_id,
            column,
            cell: openCell,
            put: (entry) => void enter(column, openCell, entry),
            comment: () => setOpen({ row: open.row, what: 'comment' }),
          })}
          onClose={() => {
            setOpen((before) => (before?.what === 'menu' ? null : before));
            if (document.activeElement === document.body || document.activeElement?.closest('.popup')) beside.current?.focus();
          }}
        />
      )}
      {open?.what === 'comment' && (
        <CommentDialog course_id={view.course_id} row={open.row} column={column} onClose={() => setOpen(null)} />
      )}
    </div>
  );
}

interface StepGiven {
  readonly icon: 'back' | 'forward';
  readonly says: string;
  readonly isOff: boolean;
  readonly press: () => void;
}

const Step = ({ icon, says, isOff, press }: StepGiven) => (
  <button type="button" className="quiet icon-only" aria-label={says} title={says} disabled={isOff} onClick={press}>
    <Icon name={icon} />
  </button>
);

const firstToGrade = ({ view, cellOf }: Book) =>
  view.columns.find(({ assignment_id }) =>
    view.rows.some(({ user_id }) => {
      const cell = cellOf(user_id, assignment_id);
      return cell !== undefined && isInBook(cell, 'to grade');
    }),
  );
