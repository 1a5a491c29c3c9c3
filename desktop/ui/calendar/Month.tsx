// One month as a table. Arrow keys move between days and across months, Page Up and Page Down between months; a day adds a note, an entry opens its
// item.

import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { DatedEntry } from '../../contract/planner.ts';
import { addDays, clockTime, dateOfDay, dayOf, longDay, monthAndYear, shortWeekday, weekday } from '../../language/dates.ts';
import { t } from '../../language/texts.ts';
import { cloth } from '../courses/cloth.ts';
import { stepOf } from '../parts/steps.ts';
import { addressOfReading, go, hrefOf } from '../routes.ts';
import { entryKeyOf, isDone } from '../today/days.ts';
import type { NoteDraft } from '../today/NoteForm.tsx';
import { referenceOf } from '../today/PlannerRow.tsx';
import { sameDayBeside } from './months.ts';

interface Props {
  readonly weeks: readonly (readonly string[])[];
  readonly month: string;
  readonly entries: readonly DatedEntry[];
  readonly now: Date;
  readonly edit: (draft: NoteDraft) => void;
  /** The day to focus after the keyboard has moved to another month. */
  readonly walkedTo: RefObject<string | null>;
}

/** The most entries a day shows: with one more, a "1 more" line would take the same space. */
const shownOf = (all: readonly DatedEntry[]) => (all.length <= 4 ? all : all.slice(0, 3));
const weekSteps: Readonly<Record<string, number>> = { ArrowDown: 7, ArrowUp: -7 };
const monthSteps: Readonly<Record<string, number>> = { PageDown: 1, PageUp: -1 };

export function Month({ weeks, month, entries, now, edit, walkedTo }: Props) {
  const today = dayOf(now);
  const days = weeks.flat();
  const start = walkedTo.current ?? today;
  const [current, setCurrent] = useState(days.includes(start) ? start : `${month}-01`);
  const table = useRef<HTMLTableElement>(null);
  const due = Map.groupBy(entries, ({ date }) => dayOf(new Date(date)));
  const walk = (event: KeyboardEvent) => {
    const step = stepOf(event.key) ?? weekSteps[event.key];
    const leap = monthSteps[event.key];
    if ((step === undefined && leap === undefined) || !(event.target as HTMLElement).matches('.day-number')) return;
    event.preventDefault();
    const next = leap === undefined ? dayOf(addDays(dateOfDay(current), step ?? 0)) : sameDayBeside(current, leap);
    if (leap === undefined && days.includes(next)) return focusOn(next);
    walkedTo.current = next;
    go({ at: 'calendar', view: 'month', month: next.slice(0, 7) });
  };
  const focusOn = (day: string) => {
    setCurrent(day);
    table.current?.querySelector<HTMLElement>(`[data-day="${day}"]`)?.focus();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the month is shown
  useEffect(() => {
    if (walkedTo.current !== null) focusOn(walkedTo.current);
    walkedTo.current = null;
  }, []);
  return (
    <table className="month" ref={table} onKeyDown={walk} aria-label={monthAndYear().format(dateOfDay(`${month}-15`))}>
      <thead>
        <tr>
          {weeks[0]?.map((day) => (
            <th key={day} scope="col" abbr={weekday().format(dateOfDay(day))}>
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
                  {inside.length > 0 && (
                    <ul>
                      {shownOf(inside).map((entry) => (
                        <Small key={entryKeyOf(entry)} entry={entry} edit={edit} />
                      ))}
                    </ul>
                  )}
                  {inside.length > shownOf(inside).length && (
                    <a className="more-of-day" href={hrefOf({ at: 'calendar', view: 'agenda', month: day.slice(0, 7) })}>
                      {t('calendar.more', { count: inside.length - shownOf(inside).length })}
                      <span className="sr-only"> {longDay(day)}</span>
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

function Small({ entry, edit }: { entry: DatedEntry; edit: (draft: NoteDraft) => void }) {
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
