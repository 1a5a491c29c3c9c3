// Two weeks in a row: each day is a button with marks for its items. Arrow keys move between days.

import { type KeyboardEvent, useState } from 'react';
import type { DatedEntry } from '../../contract/planner.ts';
import { addDays, dayOf, monthName, shortWeekday } from '../../language/dates.ts';
import { t } from '../../language/texts.ts';
import { cloth } from '../courses/cloth.ts';
import { stepOf } from '../parts/steps.ts';
import { entryKeyOf, isDone, waitsForMe } from './days.ts';

interface Props {
  readonly entries: readonly DatedEntry[];
  readonly now: Date;
  readonly add: (day: string) => void;
}

export function Fortnight({ entries, now, add }: Props) {
  const [current, setCurrent] = useState(0);
  const days = Array.from({ length: 14 }, (_, index) => addDays(now, index));
  const walk = (event: KeyboardEvent<HTMLOListElement>) => {
    const by = stepOf(event.key) ?? { Home: -14, End: 14 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const next = Math.max(0, Math.min(13, current + by));
    setCurrent(next);
    event.currentTarget.querySelectorAll('button')[next]?.focus();
  };
  return (
    <ol className="fortnight" aria-label={t('fortnight')} onKeyDown={walk}>
      {days.map((date, index) => {
        const day = dayOf(date);
        const due = entries.filter((entry) => dayOf(new Date(entry.date)) === day);
        const left = due.filter((entry) => waitsForMe(entry) && !isDone(entry)).length;
        const says = due.length === 0 ? t('fortnight.nothing') : t('fortnight.things', { count: due.length, left });
        return (
          <li key={day} data-weekend={date.getDay() % 6 === 0}>
            <button
              type="button"
              tabIndex={index === current ? 0 : -1}
              aria-current={index === 0 ? 'date' : undefined}
              onFocus={() => setCurrent(index)}
              onClick={() => {
                const heading = document.getElementById(`day-${day}`) ?? document.getElementById(`day-taught-${day}`);
                heading?.scrollIntoView({ block: 'start' });
                if (heading) heading.focus({ preventScroll: true });
                else add(day);
              }}
            >
              <span>{shortWeekday().format(date)} </span>
              <b>{date.getDate()}</b>
              <span className="sr-only"> {t('fortnight.day', { month: monthName().format(date), says })}</span>
              <span className="pips">
                {due.slice(0, 4).map((entry) => (
                  <i key={entryKeyOf(entry)} data-cloth={cloth(entry.course_id)} data-done={isDone(entry)} />
                ))}
              </span>
            </button>
          </li>
        );
      })}
    </ol>
  );
}
