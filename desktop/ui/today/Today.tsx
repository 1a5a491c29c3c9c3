// The planner: the next two weeks, then overdue, today and upcoming items.

import { wireTime } from '@carrel/shared/wire/clock';
import { useMemo, useState } from 'react';
import type { DatedEntry } from '../../contract/planner.ts';
import { addDays, dayName, dayOf, longDay } from '../../language/dates.ts';
import { t } from '../../language/texts.ts';
import { whereOf } from '../account/where.ts';
import { InstitutionNotices } from '../announcements/InstitutionNotices.tsx';
import { useLive } from '../live.ts';
import { NewsPage } from '../news/NewsPage.tsx';
import { Blank, Loading } from '../parts/Blank.tsx';
import { Heading } from '../parts/Heading.tsx';
import { Icon } from '../parts/Icon.tsx';
import { Shown } from '../parts/Shown.tsx';
import { hrefOf } from '../routes.ts';
import { DaySection } from './DaySection.tsx';
import { isDone, sorted, waitsForMe } from './days.ts';
import { Fortnight } from './Fortnight.tsx';
import { type NoteDraft, NoteForm } from './NoteForm.tsx';

const startOf = (day: string) => new Date(`${day}T00:00:00`);

export function Today() {
  const [weeks, setWeeks] = useState(4);
  const today = dayOf(new Date());
  const window = useMemo(() => {
    const start = startOf(today);
    return { from: wireTime(addDays(start, -28)), to: wireTime(addDays(start, weeks * 7)) };
  }, [today, weeks]);
  const planner = useLive('planner', 'today.list', window);
  const [note, setNote] = useState<NoteDraft | null>(null);
  const status = useLive('status', 'sync.status').value;
  // Before the first sync is complete an empty list does not mean that nothing is due.
  const isFilling = status?.phase === 'syncing' && status.last_complete_at === null;
  const accounts = useLive('account', 'accounts.list').value ?? [];
  // With several accounts the screen names the current one.
  const mine = accounts.find(({ shown }) => shown);
  const where = accounts.length > 1 && mine ? whereOf(mine, accounts) : undefined;
  return (
    <>
      <Heading title={t('today')} above={where === undefined ? longDay(today) : `${longDay(today)} · ${where}`}>
        <a className="button" href={hrefOf({ at: 'calendar', view: 'month', month: null })}>
          <Icon name="event" />
          {t('calendar.title')}
        </a>
        <button type="button" className="primary" data-key="n" onClick={() => setNote({ day: today })}>
          <Icon name="plus" />
          {t('note.add')}
        </button>
      </Heading>
      <InstitutionNotices />
      <Shown live={planner}>
        {(entries) => (
          <Plan
            entries={entries}
            edit={(draft) => setNote(draft)}
            showMore={() => setWeeks(weeks + 4)}
            weeks={weeks}
            isFilling={isFilling}
          />
        )}
      </Shown>
      {note && <NoteForm draft={note} onClose={() => setNote(null)} />}
    </>
  );
}

interface PlanProps {
  readonly entries: readonly DatedEntry[];
  readonly edit: (draft: NoteDraft) => void;
  readonly showMore: () => void;
  readonly weeks: number;
  readonly isFilling: boolean;
}

function Plan({ entries, edit, showMore, weeks, isFilling }: PlanProps) {
  const now = new Date();
  const { overdue, earlier, today, coming } = sorted(entries, now);
  if (entries.length === 0 && isFilling) return <Loading />;
  const left = today.filter((entry) => waitsForMe(entry) && !isDone(entry)).length;
  return (
    <div className="plan">
      <Fortnight entries={entries} now={now} add={(day) => edit({ day })} />
      <NewsPage />
      {overdue.length > 0 && (
        <DaySection
          id="overdue"
          title={t('overdue')}
          aside={t('things', { count: overdue.length })}
          entries={overdue}
          edit={edit}
          tone="bad"
          now={now}
        />
      )}
      {today.length > 0 ? (
        <DaySection
          id={dayOf(now)}
          title={t('today')}
          aside={left > 0 ? t('today.left', { count: left }) : today.some(waitsForMe) ? t('today.allDone') : undefined}
          entries={today}
          edit={edit}
          tone="now"
          now={now}
        />
      ) : (
        <section className="day" data-tone="now" aria-labelledby="nothing-today">
          <h2 id="nothing-today">{t('today')}</h2>
          <Blank icon="check" title={t('today.nothing')}>
            <p>{t(coming.length > 0 ? 'today.nextBelow' : 'today.addNote')}</p>
          </Blank>
        </section>
      )}
      {coming.map(({ day, entries: due }) => (
        <DaySection key={day} id={day} title={dayName(day, now)} entries={due} edit={edit} now={now} />
      ))}
      <p className="more">
        <span>{t('today.shown', { count: weeks })}</span>
        <button type="button" className="quiet" onClick={showMore}>
          {t('today.further')}
        </button>
      </p>
      {earlier.length > 0 && (
        <details className="earlier">
          <summary>{t('today.earlierOf', { count: earlier.length })}</summary>
          <DaySection id="earlier" title={t('today.earlier')} entries={earlier} edit={edit} now={now} />
        </details>
      )}
    </div>
  );
}
