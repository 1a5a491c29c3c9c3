// The field of a grade outside the grid: a number, a share, or a choice.

import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react';
import type { GradebookCell, GradebookColumn, GradeEntry } from '../../contract/gradebook.ts';
import { t } from '../../language/texts.ts';
import { editedWords, entryOf, gradeChoicesOf, isGradable } from './entry.ts';
import { pointsWords } from './words.ts';

interface Given {
  readonly column: GradebookColumn;
  readonly cell: GradebookCell;
  readonly label: string;
  readonly onEnter: (entry: GradeEntry) => void;
  readonly field?: RefObject<HTMLInputElement | HTMLSelectElement | null>;
  /** Keys that move to another student; what was typed is entered before. */
  readonly onMove?: (event: KeyboardEvent) => boolean;
  readonly isLabelShown?: boolean;
}

export function GradeField({ column, cell, label, onEnter, field, onMove, isLabelShown = false }: Given) {
  const saved = editedWords(column, cell);
  const [typed, setTyped] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const id = useId();
  const own = useRef<HTMLInputElement | HTMLSelectElement>(null);
  const set = (element: HTMLInputElement | HTMLSelectElement | null) => {
    own.current = element;
    if (field) field.current = element;
  };
  const choices = gradeChoicesOf(column);
  const isOff = !isGradable(column);
  const commit = (): boolean => {
    if (typed === null) return true;
    if (typed.trim() === saved.trim()) {
      setTyped(null);
      return true;
    }
    const given = entryOf(column, typed);
    if ('problem' in given) {
      setProblem(t(given.problem, { title: column.title }));
      return false;
    }
    setTyped(null);
    onEnter(given.entry);
    return true;
  };
  const last = useRef(commit);
  last.current = commit;
  // Leaving the screen in the middle of a number enters it.
  useEffect(() => () => void last.current(), []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && typed !== null) {
      event.stopPropagation();
      setTyped(null);
      setProblem(null);
      return;
    }
    if (event.key === 'Enter' && !event.shiftKey && !event.ctrlKey && commit()) (own.current as HTMLInputElement | null)?.select?.();
    else if (onMove && commit() && onMove(event)) event.preventDefault();
  };
  const describedBy = problem === null ? `${id}-points` : `${id}-problem`;
  return (
    <div className="grade-field" data-invalid={problem !== null || undefined}>
      <label htmlFor={id} className={isLabelShown ? undefined : 'sr-only'}>
        {label}
      </label>
      <span className="grade-field-row">
        {choices.length > 0 && column.grading_type !== 'letter_grade' ? (
          <select
            ref={set}
            id={id}
            disabled={isOff}
            value={choices.find((choice) => choice.says === saved)?.grade ?? ''}
            aria-describedby={describedBy}
            onKeyDown={onKeyDown}
            onChange={({ target }) => onEnter({ grade: target.value === '' ? null : target.value })}
          >
            <option value="">{t('book.noGrade')}</option>
            {choices.map(({ grade, says }) => (
              <option key={grade} value={grade}>
                {says}
              </option>
            ))}
          </select>
        ) : (
          <input
            ref={set}
            id={id}
            disabled={isOff}
            value={typed ?? saved}
            list={choices.length > 0 ? `${id}-letters` : undefined}
            inputMode={choices.length > 0 ? undefined : 'decimal'}
            autoComplete="off"
            placeholder={cell.excused ? t('grades.excused') : undefined}
            aria-invalid={problem !== null || undefined}
            aria-describedby={describedBy}
            onFocus={({ target }) => target.select()}
            onChange={({ target }) => {
              setTyped(target.value);
              setProblem(null);
            }}
            onBlur={commit}
            onKeyDown={onKeyDown}
          />
        )}
        {column.grading_type === 'percent' && <span aria-hidden="true">{t('book.percentSign')}</span>}
        <small id={`${id}-points`} className="soft">
          {pointsWords(column)}
        </small>
      </span>
      {choices.length > 0 && (
        <datalist id={`${id}-letters`}>
          {choices.map(({ says }) => (
            <option key={says} value={says} />
          ))}
        </datalist>
      )}
      {problem !== null && (
        <p role="alert" id={`${id}-problem`} className="grade-problem">
          {problem}
        </p>
      )}
    </div>
  );
}
