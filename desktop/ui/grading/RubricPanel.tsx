// The rubric of an assignment: a rating by a click or a digit, points in between, and comments.

import { useEffect, useId, useRef, useState } from 'react';
import type { RubricMark } from '../../contract/gradebook.ts';
import { t } from '../../language/texts.ts';
import { decimalIn } from '../gradebook/entry.ts';
import { call } from '../host.ts';
import { areKeysOn } from '../keys.ts';
import { complain } from '../parts/Toast.tsx';
import { useKeeping } from '../writing/keeping.ts';
import {
  commented,
  criterionFor,
  type GradedCriterion,
  type GradedRubric,
  markOf,
  pointed,
  type RubricMarks,
  rated,
  sumOfMarks,
} from './marks.ts';
import type { GradingPlace } from './useGrading.ts';

interface Given {
  readonly at: GradingPlace;
  readonly rubric: GradedRubric;
  readonly isOff: boolean;
}

/** Milliseconds between two saves. */
const pause = 400;

export function RubricPanel({ at, rubric, isOff }: Given) {
  const { course_id, assignment_id, user_id } = at;
  const [typed, setTyped] = useState<RubricMarks | null>(null);
  const keeping = useKeeping<RubricMarks>(
    (rubric) => call('gradebook.enter', { course_id, assignment_id, entries: [{ user_id, rubric }] }),
    complain,
    pause,
  );
  // What was entered here is shown until the engine has it all.
  // biome-ignore lint/correctness/useExhaustiveDependencies: when other marks are read
  useEffect(() => {
    if (!keeping.isUnkept()) setTyped(null);
  }, [rubric.marks]);
  const marks = typed ?? rubric.marks;
  const current = useRef(marks);
  current.current = marks;
  const set = (next: RubricMarks) => {
    if (isOff) return;
    current.current = next;
    setTyped(next);
    keeping.keep(next);
  };
  const { points, of, open } = sumOfMarks(rubric, marks);
  const list = useRef<HTMLOListElement>(null);
  useRubricKeys(rubric, list, current, isOff ? null : set);
  return (
    <section className="grading-rubric" aria-labelledby="grading-rubric">
      <h2 id="grading-rubric">
        {t('rubric.title')}
        <small aria-live="polite">
          {t('rubric.earned', { earned: points, points: of })}
          {open > 0 && ` · ${t('grading.criteriaOpen', { count: open })}`}
        </small>
      </h2>
      {rubric.gives_grade && <p className="soft">{t('grading.rubricGrades')}</p>}
      <ol className="grading-criteria" ref={list}>
        {rubric.criteria.map((criterion) => (
          <CriterionRow
            key={criterion.id}
            criterion={criterion}
            mark={markOf(marks, criterion)}
            isOff={isOff}
            rate={(rating) => set(rated(current.current, criterion, rating))}
            point={(value) => set(pointed(current.current, criterion, value))}
            comment={(text) => set(commented(current.current, criterion, text))}
          />
        ))}
      </ol>
      {!isOff && <p className="soft rubric-hint">{t('grading.rubricKeys')}</p>}
    </section>
  );
}

/** A digit chooses a rating of the criterion with the focus, or of the first without a mark, and goes on to the next. */
function useRubricKeys(
  { criteria }: GradedRubric,
  list: { readonly current: HTMLOListElement | null },
  marks: { readonly current: RubricMarks },
  set: ((marks: RubricMarks) => void) | null,
) {
  const latest = useRef({ criteria, set });
  latest.current = { criteria, set };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, target } = event;
      const { criteria, set } = latest.current;
      const isText = target instanceof HTMLElement && target.closest('input:not([type=radio]), textarea, select') !== null;
      if (!set || !/^[0-9]$/.test(key) || ctrlKey || metaKey || altKey || isText || !areKeysOn() || document.querySelector('dialog[open]'))
        return;
      const focused = document.activeElement?.closest<HTMLElement>('[data-criterion]')?.dataset.criterion;
      const criterion = criterionFor(criteria, marks.current, focused);
      if (!criterion) return;
      const rating = criterion.ratings[Number(key) - 1];
      if (key === '0') set(pointed(marks.current, criterion, null));
      else if (rating) set(pointed(marks.current, criterion, rating.points));
      else return;
      event.preventDefault();
      const next = key === '0' ? criterion : (criteria[criteria.indexOf(criterion) + 1] ?? criterion);
      list.current?.querySelector<HTMLElement>(`[data-criterion="${CSS.escape(next.id)}"] [data-rate]`)?.focus();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [list, marks]);
}

interface RowGiven {
  readonly criterion: GradedCriterion;
  readonly mark: RubricMark;
  readonly isOff: boolean;
  readonly rate: (rating: GradedCriterion['ratings'][number]) => void;
  readonly point: (points: number | null) => void;
  readonly comment: (text: string) => void;
}

function CriterionRow({ criterion, mark, isOff, rate, point, comment }: RowGiven) {
  const id = useId();
  const [isOpen, setOpen] = useState(mark.comments !== '');
  const [typed, setTyped] = useState<string | null>(null);
  const shown = typed ?? (mark.points === null ? '' : decimalIn(mark.points));
  return (
    <li className="grading-criterion" data-criterion={criterion.id} data-marked={mark.points !== null}>
      <div className="criterion-name">
        <b id={id}>{criterion.title}</b>
        <label className="criterion-points">
          <span className="sr-only">{t('grading.pointsFor', { title: criterion.title })}</span>
          <input
            inputMode="decimal"
            value={shown}
            disabled={isOff}
            onChange={({ target }) => {
              setTyped(target.value);
              const value = target.value.trim().replace(',', '.');
              if (value === '' || /^-?\d*\.?\d+$/.test(value)) point(value === '' ? null : Number(value));
            }}
            onBlur={() => setTyped(null)}
          />
          <small>{t('grades.of', { possible: decimalIn(criterion.points) })}</small>
        </label>
      </div>
      {criterion.details && <p className="soft plain-text">{criterion.details}</p>}
      {/* biome-ignore lint/a11y/useSemanticElements: a rating can be cleared, which radio buttons cannot */}
      <div className="grading-ratings" role="group" aria-labelledby={id}>
        {criterion.ratings.map((rating, index) => (
          <button
            key={rating.id}
            type="button"
            data-rate
            aria-pressed={mark.rating_id === rating.id}
            aria-disabled={isOff || undefined}
            title={rating.details ?? undefined}
            onClick={() => rate(rating)}
          >
            <kbd>{index + 1}</kbd>
            <span>{rating.title}</span>
            <small>{decimalIn(rating.points)}</small>
          </button>
        ))}
      </div>
      {isOpen ? (
        <label className="criterion-comment">
          <span className="sr-only">{t('grading.commentFor', { title: criterion.title })}</span>
          <textarea
            rows={2}
            value={mark.comments}
            disabled={isOff}
            placeholder={t('grading.comment')}
            onChange={({ target }) => comment(target.value)}
          />
        </label>
      ) : (
        !isOff && (
          <button
            type="button"
            className="quiet criterion-say"
            aria-label={t('grading.commentFor', { title: criterion.title })}
            onClick={() => setOpen(true)}
          >
            {t('grading.comment')}
          </button>
        )
      )}
    </li>
  );
}
