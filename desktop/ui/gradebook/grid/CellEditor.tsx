// The field in a cell: a number, a share, a letter or complete and incomplete, by the grading type.

import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import type { GradebookColumn, GradeEntry } from '../../../contract/gradebook.ts';
import { t } from '../../../language/texts.ts';
import { complain } from '../../parts/Toast.tsx';
import { entryOf, gradeChoicesOf } from '../entry.ts';
import { Popup } from '../Popup.tsx';

/** `left behind`: the focus is elsewhere. */
export type AfterEntry = 'down' | 'up' | 'right' | 'left' | 'stay' | 'left behind';

interface Given {
  readonly column: GradebookColumn;
  readonly label: string;
  readonly initial: string;
  /** Opened by typing: what was typed replaces the grade. */
  readonly isTyped: boolean;
  readonly onEnter: (entry: GradeEntry | null, then: AfterEntry) => void;
  readonly onCancel: () => void;
}

/** The choice that what is typed begins, and the whole ones first. */
const guessOf = (choices: ReturnType<typeof gradeChoicesOf>, typed: string) => {
  const text = typed.trim().toLowerCase();
  if (text === '') return -1;
  const whole = choices.findIndex(({ says }) => says.toLowerCase() === text);
  return whole !== -1 ? whole : choices.findIndex(({ says }) => says.toLowerCase().startsWith(text));
};

export function CellEditor({ column, label, initial, isTyped, onEnter, onCancel }: Given) {
  const [typed, setTyped] = useState(initial);
  const [problem, setProblem] = useState<string | null>(null);
  const choices = gradeChoicesOf(column);
  const [at, setAt] = useState(() => guessOf(choices, initial));
  const field = useRef<HTMLInputElement>(null);
  const isOver = useRef(false);
  const id = useId();
  // Before the next key is pressed, so that no stroke is lost.
  useLayoutEffect(() => {
    field.current?.focus();
    if (!isTyped) field.current?.select();
  }, [isTyped]);

  const cancel = () => {
    isOver.current = true;
    onCancel();
  };
  const commit = (then: AfterEntry) => {
    if (isOver.current) return;
    if (typed === initial && !isTyped && at === guessOf(choices, initial)) {
      isOver.current = true;
      return onEnter(null, then);
    }
    const chosen = choices[at];
    const given = chosen ? { entry: { grade: chosen.grade } } : entryOf(column, typed);
    if ('problem' in given) {
      const why = t(given.problem, { title: column.title });
      if (then !== 'left behind') return setProblem(why);
      complain(why);
      return cancel();
    }
    isOver.current = true;
    onEnter(given.entry, then);
  };
  const move = (by: number) =>
    setAt((before) => (before === -1 && by < 0 ? choices.length - 1 : (before + by + choices.length) % choices.length));

  /** Undefined: the key edits the text. */
  const actOf = (key: string, isBack: boolean): (() => void) | undefined => {
    if (key === 'Enter') return () => commit(isBack ? 'up' : 'down');
    if (key === 'Tab') return () => commit(isBack ? 'left' : 'right');
    if (key === 'Escape') return cancel;
    const by = { ArrowDown: 1, ArrowUp: -1 }[key];
    if (by === undefined) return undefined;
    if (choices.length > 0) return () => move(by);
    return isTyped ? () => commit(by === 1 ? 'down' : 'up') : undefined;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // The keys of the grid and the shortcuts of the desk do not act here.
    event.stopPropagation();
    const act = event.nativeEvent.isComposing ? undefined : actOf(event.key, event.shiftKey);
    if (!act) return;
    event.preventDefault();
    act();
  };

  const last = useRef(commit);
  last.current = commit;
  useEffect(() => {
    const element = field.current;
    const onBlur = () => last.current('left behind');
    element?.addEventListener('blur', onBlur);
    return () => element?.removeEventListener('blur', onBlur);
  }, []);

  return (
    <span className="cell-editor">
      <input
        ref={field}
        value={typed}
        aria-label={label}
        aria-invalid={problem !== null || undefined}
        aria-describedby={problem === null ? undefined : `${id}-problem`}
        inputMode={choices.length > 0 ? undefined : 'decimal'}
        autoComplete="off"
        spellCheck={false}
        {...(choices.length > 0 && {
          role: 'combobox',
          'aria-expanded': true,
          'aria-controls': `${id}-list`,
          'aria-autocomplete': 'list' as const,
          'aria-activedescendant': at === -1 ? undefined : `${id}-${at}`,
        })}
        onChange={({ target }) => {
          setTyped(target.value);
          setAt(guessOf(choices, target.value));
          setProblem(null);
        }}
        onKeyDown={onKeyDown}
      />
      {column.grading_type === 'percent' && <span aria-hidden="true">{t('book.percentSign')}</span>}
      {choices.length > 0 && (
        <Popup beside={field} className="choices-layer">
          <div role="listbox" id={`${id}-list`} aria-label={label} className="menu">
            {choices.map(({ grade, says }, index) => (
              <div
                key={grade}
                id={`${id}-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === at}
                // Pressed, not clicked: the field must not lose the focus before.
                onMouseDown={(event) => {
                  event.preventDefault();
                  isOver.current = true;
                  onEnter({ grade }, 'stay');
                }}
              >
                {says}
              </div>
            ))}
          </div>
        </Popup>
      )}
      {problem !== null && (
        <Popup beside={field} className="problem-layer">
          <p role="alert" id={`${id}-problem`}>
            {problem}
          </p>
        </Popup>
      )}
    </span>
  );
}
