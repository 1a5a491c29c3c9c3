// The calendar: one month as a table or a list, and the workload of each week.

import { wireTime } from '@carrel/shared/wire/clock';
import { useRef, useState } from 'react';
import { dateOfDay, dayName, dayOf, monthAndYear } from '../../language/dates.ts';
import { inLocale, t } from '../../language/texts.ts';
import { Workload } from '../charts/Workload.tsx';
import { useLive } from '../live.ts';
import { StudentSwitch } from '../observing/StudentSwitch.tsx';
import { Blank } from '../parts/Blank.tsx';
import { Heading } from '../parts/Heading.tsx';
import { Icon } from '../parts/Icon.tsx';
import { Shown } from '../parts/Shown.tsx';
import { hrefOf } from '../routes.ts';
import { DaySection } from '../today/DaySection.tsx';
import { isDone, type sorted } from '../today/days.ts';
import { type NoteDraft, NoteForm } from '../today/NoteForm.tsx';
import { CalendarFeeds } from './CalendarFeeds.tsx';
import { Month } from './Month.tsx';
import { firstDayOf, monthBeside, weeksOf } from './months.ts';

const firstDay = inLocale(firstDayOf);
const startOf = (day: string) => wireTime(new Date(`${day}T00:00:00`));

export function Calendar({ view, month: given }: { view: 'month' | 'agenda'; month: string | null }) {
  const now = new Date();
  const month = given ?? dayOf(now).slice(0, 7);
  const { weeks, from, to } = weeksOf(month, firstDay());
  const planner = useLive('planner', 'today.list', { from: startOf(from), to: startOf(to) });
  const [note, setNote] = useState<NoteDraft | null>(null);
  const walkedTo = useRef<string | null>(null);
  const at = (by: number) => hrefOf({ at: 'calendar', view, month: monthBeside(month, by) });
  const title = monthAndYear().format(dateOfDay(`${month}-15`));
  return (
    <>
      <Heading title={title} above={t('calendar.title')}>
        <nav className="calendar-moves" aria-label={t('calendar.months')}>
          <a className="round" href={at(-1)} aria-label={t('calendar.before')} title={t('calendar.before')}>
            <Icon name="back" />
          </a>
          <a href={hrefOf({ at: 'calendar', view, month: null })}>{t('today')}</a>
          <a className="round" href={at(1)} aria-label={t('calendar.after')} title={t('calendar.after')}>
            <Icon name="forward" />
          </a>
        </nav>
        <nav className="calendar-views" aria-label={t('calendar.views')}>
          {(['month', 'agenda'] as const).map((one) => (
            <a key={one} href={hrefOf({ at: 'calendar', view: one, month: given })} aria-current={one === view ? 'page' : undefined}>
              {t(one === 'month' ? 'calendar.month' : 'calendar.agenda')}
            </a>
          ))}
        </nav>
      </Heading>
      <StudentSwitch />
      {/* The focus stays on the previous and next links, and screen readers announce the new month. */}
      <p className="sr-only" role="status">
        {title}
      </p>
      <Shown live={planner}>
        {(entries) =>
          view === 'month' ? (
            <Month key={month} weeks={weeks} month={month} entries={entries} now={now} edit={setNote} walkedTo={walkedTo} />
          ) : (
            <Agenda entries={entries.filter(({ date }) => dayOf(new Date(date)).startsWith(month))} now={now} edit={setNote} />
          )
        }
      </Shown>
      <Workload />
      <CalendarFeeds />
      {note && <NoteForm draft={note} onClose={() => setNote(null)} />}
    </>
  );
}

type Entries = Parameters<typeof sorted>[0];

function Agenda({ entries, now, edit }: { entries: Entries; now: Date; edit: (draft: NoteDraft) => void }) {
  if (entries.length === 0)
    return (
      <Blank icon="event" title={t('calendar.empty')}>
        <p>{t('today.addNote')}</p>
      </Blank>
    );
  const days = Map.groupBy(
    [...entries].sort((a, b) => a.date.localeCompare(b.date)),
    ({ date }) => dayOf(new Date(date)),
  );
  return [...days].map(([day, due]) => (
    <DaySection
      key={day}
      id={day}
      title={dayName(day, now)}
      aside={due.every(isDone) ? t('today.allDone') : undefined}
      tone={day === dayOf(now) ? 'now' : undefined}
      entries={due}
      edit={edit}
      now={now}
    />
  ));
}
