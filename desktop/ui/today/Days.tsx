// The planner by day: overdue, today, upcoming, and what has passed.

import type { DatedEntry } from '../../contract/planner.ts';
import { dayName, dayOf } from '../../language/dates.ts';
import { t } from '../../language/texts.ts';
import { Blank } from '../parts/Blank.tsx';
import { DaySection, DayTitle } from './DaySection.tsx';
import { isDone, sorted, waitsForMe } from './days.ts';
import type { NoteDraft } from './NoteForm.tsx';

interface Props {
  readonly entries: readonly DatedEntry[];
  readonly edit: (draft: NoteDraft) => void;
  readonly now: Date;
  readonly level?: 2 | 3;
  readonly group?: string;
  readonly within?: string;
  /** The work in it is for students. */
  readonly isTeaching?: boolean;
  /** An empty day is left out. */
  readonly isOptional?: boolean;
}

export function Days({ entries, edit, now, level = 2, group = '', within, isTeaching = false, isOptional = false }: Props) {
  const { overdue, earlier: past, today, coming } = sorted(entries, now);
  // What was due earlier is in the list of work to grade.
  const earlier = past.filter((entry) => !entry.taught || entry.plannable_type === 'calendar_event');
  const waiting = today.filter((entry) => waitsForMe(entry) && !isDone(entry));
  const ofStudent = waiting.filter((entry) => entry.observed && entry.plannable_type !== 'wiki_page');
  const shared = { edit, now, level, group, within };
  const left = ofStudent.length > 0 ? t('observing.left', { count: ofStudent.length }) : t('today.left', { count: waiting.length });
  const nothing = isTeaching ? t('teaching.nothingToday') : t('today.nothing');
  return (
    <>
      {overdue.length > 0 && (
        <DaySection
          {...shared}
          id="overdue"
          title={t(overdue.every((entry) => entry.observed) ? 'missing' : 'overdue')}
          aside={t('things', { count: overdue.length })}
          entries={overdue}
          tone="bad"
        />
      )}
      {today.length > 0 ? (
        <DaySection
          {...shared}
          id={dayOf(now)}
          title={t('today')}
          aside={isTeaching ? undefined : waiting.length > 0 ? left : today.some(waitsForMe) ? t('today.allDone') : undefined}
          entries={today}
          tone="now"
        />
      ) : (
        !isOptional && (
          <section className="day" data-tone="now" aria-labelledby={[within, `day-${group}nothing`].filter(Boolean).join(' ')}>
            <DayTitle id={`day-${group}nothing`} level={level} title={t('today')} />
            <Blank icon="check" title={nothing}>
              <p>{t(coming.length > 0 ? 'today.nextBelow' : 'today.addNote')}</p>
            </Blank>
          </section>
        )
      )}
      {coming.map(({ day, entries: due }) => (
        <DaySection {...shared} key={day} id={day} title={dayName(day, now)} entries={due} />
      ))}
      {earlier.length > 0 && (
        <details className="earlier">
          <summary>{t('today.earlierOf', { count: earlier.length })}</summary>
          <DaySection {...shared} id="earlier" title={t('today.earlier')} entries={earlier} />
        </details>
      )}
    </>
  );
}
