// The grade of a student: the field, excuse and status, and what is not sent yet.

import type { KeyboardEvent, RefObject } from 'react';
import type { GradebookCell, GradebookColumn, GradeEntry } from '../../contract/gradebook.ts';
import type { Hold } from '../../contract/work.ts';
import { wordsOfHold } from '../../language/holds.ts';
import { type MessageKey, t } from '../../language/texts.ts';
import { enteredStatusOf, isGradable } from '../gradebook/entry.ts';
import { GradeField } from '../gradebook/GradeField.tsx';
import { Tag } from '../parts/Tag.tsx';
import { UnsentNote } from '../parts/UnsentNote.tsx';

const statuses = ['none', 'late', 'missing', 'extended'] as const satisfies readonly NonNullable<GradeEntry['status']>[];
const statusWords: Readonly<Record<(typeof statuses)[number], MessageKey>> = {
  none: 'grading.statusNone',
  late: 'late',
  missing: 'missing',
  extended: 'grading.extended',
};

/** Explained where both sides are shown. */
const isConflict = (hold: Hold) => hold === 'graded meanwhile' || hold === 'newer attempt';

interface Given {
  readonly column: GradebookColumn;
  readonly cell: GradebookCell;
  readonly enter: (entry: GradeEntry) => void;
  readonly field: RefObject<HTMLInputElement | HTMLSelectElement | null>;
  readonly onMove: (event: KeyboardEvent) => boolean;
}

export function GradePanel({ column, cell, enter, field, onMove }: Given) {
  const isOff = !isGradable(column);
  const status = enteredStatusOf(cell);
  const { unsent } = cell;
  return (
    <section className="grading-grade" aria-labelledby="grading-grade">
      <h2 id="grading-grade" className="sr-only">
        {t('grading.gradeAndStatus')}
      </h2>
      <GradeField
        key={cell.user_id}
        column={column}
        cell={cell}
        label={t('grading.grade')}
        isLabelShown
        field={field}
        onEnter={enter}
        onMove={onMove}
      />
      <div className="grade-states">
        <label className="check">
          <input type="checkbox" checked={cell.excused} disabled={isOff} onChange={({ target }) => enter({ excused: target.checked })} />
          <span>{t('grades.excused')}</span>
        </label>
        <label>
          <span>{t('book.status')}</span>
          <select
            value={status}
            disabled={isOff || cell.excused}
            onChange={({ target }) => {
              const chosen = statuses.find((one) => one === target.value);
              if (chosen) enter({ status: chosen });
            }}
          >
            {statuses.map((one) => (
              <option key={one} value={one}>
                {t(statusWords[one])}
              </option>
            ))}
          </select>
        </label>
      </div>
      {cell.points_deducted !== null && cell.points_deducted > 0 && (
        <p className="soft">{t('book.deducted', { points: cell.points_deducted })}</p>
      )}
      {!cell.posted && (cell.grade !== null || cell.score !== null) && (
        <p>
          <Tag icon="hidden">{t('book.hidden')}</Tag>
        </p>
      )}
      {unsent && <UnsentNote unsent={unsent} />}
      {unsent?.hold && !isConflict(unsent.hold) && <p className="grade-problem">{t(wordsOfHold(unsent.hold, 'grade'))}</p>}
      {!column.may_grade && <p className="soft">{t('grading.mayNot')}</p>}
      {column.posts_manually && column.may_grade && <p className="soft">{t('grading.postsManually')}</p>}
    </section>
  );
}
