// What a cell shows: the grade, and its states by colour, by shape and in words for screen readers.

import type { GradebookCell, GradebookColumn } from '../../contract/gradebook.ts';
import { type MessageKey, t } from '../../language/texts.ts';
import { Icon, type IconName } from '../parts/Icon.tsx';
import { type CellState, cellStatesOf } from './book.ts';
import { gradeWords } from './entry.ts';

export const stateWords: Readonly<Record<CellState, MessageKey>> = {
  'to grade': 'book.toGrade',
  late: 'late',
  missing: 'missing',
  excused: 'grades.excused',
  unsent: 'unsent',
  conflict: 'book.conflict',
};

export const stateIcons: Readonly<Record<CellState, IconName>> = {
  'to grade': 'dot',
  late: 'clock',
  missing: 'missing',
  excused: 'minus',
  unsent: 'hourglass',
  conflict: 'warning',
};

const none = '–';

export function CellContent({ column, cell }: { column: GradebookColumn; cell: GradebookCell | undefined }) {
  if (!cell) return <span className="sr-only">{t('book.notAssigned')}</span>;
  const states = cellStatesOf(cell);
  const grade = cell.excused ? t('book.excusedShort') : gradeWords(column, cell);
  const isHidden = !cell.posted && (cell.score !== null || cell.grade !== null);
  const words = [
    ...states.map((state) => t(stateWords[state])),
    ...(isHidden ? [t('book.hidden')] : []),
    ...(cell.comments > 0 ? [t('book.comments', { count: cell.comments })] : []),
  ].join(', ');
  return (
    <>
      <span className="cell-marks" aria-hidden="true">
        {states.map((state) => (
          <span key={state} data-state={state}>
            <Icon name={stateIcons[state]} />
          </span>
        ))}
        {isHidden && (
          <span data-state="hidden">
            <Icon name="hidden" />
          </span>
        )}
      </span>
      <span className="cell-grade" data-none={grade === '' || undefined}>
        {grade === '' ? <span aria-hidden="true">{states.length > 0 ? '' : none}</span> : <bdi>{grade}</bdi>}
      </span>
      {words !== '' && <span className="sr-only"> {words}</span>}
      {cell.comments > 0 && <span className="cell-comment" aria-hidden="true" />}
    </>
  );
}

/** Colours the cell by its most urgent state. */
export const toneOf = (cell: GradebookCell | undefined): CellState | undefined => cell && cellStatesOf(cell)[0];
