// One month in a table. Arrow keys walk over the days; a day adds a note, its entries open.

import { type KeyboardEvent, useRef, useState } from 'react';
import { cloth } from '../courses/cloth.ts';
import { stepOf } from '../parts/steps.ts';
import { addressOf, addressOfReading } from '../place.ts';
import { isDone, keyOf } from '../today/days.ts';
import { referenceOf } from '../today/Entry.tsx';
import type { Draft } from '../today/NoteForm.tsx';
import type { DatedEntry } from '../views/planner.ts';
import { clockTime, dateOfDay, dayOf, longDay, shortWeekday } from '../words/dates.ts';
import { t } from '../words/texts.ts';

interface Props {
  readonly weeks: readonly (readonly string[])[];
  readonly month: string;
  readonly entries: readonly DatedEntry[];
  readonly now: Date;
  readonly edit: (draft: Draft) => void;
}

/** One more would only be replaced by the words that there is one more. */
const shownOf = (all: readonly DatedEntry[]) => (all.length <= 4 ? all : all.slice(0, 3));
const weekSteps: Readonly<Record<string, number>> = { ArrowDown: 7, ArrowUp: -7 };

export function Month({ weeks, month, entries, now, edit }: Props) {
  const today = dayOf(now);
  const days = weeks.flat();
  const [current, setCurrent] = useState(days.includes(today) ? today : `${month}-01`);
  const table = useRef<HTMLTableElement>(null);
  const due = Map.groupBy(entries, ({ date }) => dayOf(new Date(date)));
  const walk = (event: KeyboardEvent) => {
    const step = stepOf(event.key) ?? weekSteps[event.key];
    if (step === undefined || !(event.target as HTMLElement).matches('.day-number')) return;
    const next = days[days.indexOf(current) + step];
    if (next === undefined) return;
    event.preventDefault();
    setCurrent(next);
    table.current?.querySelector<HTMLElement>(`[data-day="${next}"]`)?.focus();
  };
  return (
    <table className="month" ref={table} onKeyDown={walk}>
      <thead>
        <tr>
          {weeks[0]?.map((day) => (
            <th key={day} scope="col">
              {shortWeekday().format(dateOfDay(day))}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((day) => {
              const inside = (due.get(day) ?? []).toSorted((a, b) => a.date.localeCompare(b.date));
              return (
                <td key={day} data-other={!day.startsWith(month)} data-today={day === today}>
                  <button
                    type="button"
                    className="day-number"
                    data-day={day}
                    tabIndex={day === current ? 0 : -1}
                    aria-current={day === today ? 'date' : undefined}
                    aria-label={t('calendar.day', { day: longDay(day), count: inside.length })}
                    onFocus={() => setCurrent(day)}
                    onClick={() => edit({ day })}
                  >
                    {Number(day.slice(8))}
                  </button>
                  <ul>
                    {shownOf(inside).map((entry) => (
                      <Small key={keyOf(entry)} entry={entry} edit={edit} />
                    ))}
                  </ul>
                  {inside.length > shownOf(inside).length && (
                    <a className="more-of-day" href={addressOf({ at: 'calendar', view: 'agenda', month: day.slice(0, 7) })}>
                      {t('calendar.more', { count: inside.length - shownOf(inside).length })}
                    </a>
                  )}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Small({ entry, edit }: { entry: DatedEntry; edit: (draft: Draft) => void }) {
  const reference = referenceOf(entry);
  const says = (
    <>
      <small>{clockTime(entry.date)}</small> <span>{entry.title}</span>
    </>
  );
  return (
    <li data-cloth={cloth(entry.course_id)} data-done={isDone(entry)}>
      {reference ? (
        <a data-stop href={addressOfReading(reference)} title={entry.title}>
          {says}
        </a>
      ) : entry.plannable_type === 'planner_note' ? (
        <button type="button" data-stop className="as-link" title={entry.title} onClick={() => edit({ note: entry })}>
          {says}
        </button>
      ) : (
        <span title={entry.title}>{says}</span>
      )}
    </li>
  );
}
