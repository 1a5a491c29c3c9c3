// The planner: the next two weeks, what waits to be graded and answered by those who teach, then overdue, today and upcoming items.

import { wireTime } from '@carrel/shared/wire/clock';
import { useMemo, useState } from 'react';
import type { DatedEntry } from '../../contract/planner.ts';
import { addDays, dayOf, longDay } from '../../language/dates.ts';
import { t } from '../../language/texts.ts';
import { whereOf } from '../account/where.ts';
import { InstitutionNotices } from '../announcements/InstitutionNotices.tsx';
import { useLive } from '../live.ts';
import { NewsPage } from '../news/NewsPage.tsx';
import { StudentSwitch, useStudentName } from '../observing/StudentSwitch.tsx';
import { Loading } from '../parts/Blank.tsx';
import { Heading } from '../parts/Heading.tsx';
import { Icon } from '../parts/Icon.tsx';
import { Shown } from '../parts/Shown.tsx';
import { OpenPolls } from '../polls/OpenPolls.tsx';
import { hrefOf } from '../routes.ts';
import { Days } from './Days.tsx';
import { isPlanned } from './days.ts';
import { Fortnight } from './Fortnight.tsx';
import { type NoteDraft, NoteForm } from './NoteForm.tsx';
import { TeachingSections } from './TeachingSections.tsx';

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
  const student = useStudentName();
  return (
    <>
      <Heading title={t('today')} above={[longDay(today), student, where].filter(Boolean).join(' · ')}>
        <a className="button" href={hrefOf({ at: 'calendar', view: 'month', month: null })}>
          <Icon name="event" />
          {t('calendar.title')}
        </a>
        <button type="button" className="primary" data-key="n" onClick={() => setNote({ day: today })}>
          <Icon name="plus" />
          {t('note.add')}
        </button>
      </Heading>
      <StudentSwitch />
      <InstitutionNotices />
      <OpenPolls />
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
  const teaching = useLive('courses', 'today.teaching');
  const student = useStudentName();
  const now = new Date();
  const isUnknown = teaching.value === undefined && !teaching.failure;
  if (isUnknown || (entries.length === 0 && isFilling)) return <Loading />;
  const planned = entries.filter(isPlanned);
  const taught = teaching.value ?? null;
  const isMixed = taught !== null && taught.beside !== null;
  const days = { edit, now };
  return (
    <div className="plan">
      <Fortnight entries={planned} now={now} add={(day) => edit({ day })} />
      <NewsPage />
      {taught && !isMixed && (
        <>
          <TeachingSections of={taught} now={now} level={2} />
          <Days {...days} entries={planned} isTeaching />
        </>
      )}
      {taught && isMixed && (
        <>
          <section className="today-group" aria-labelledby="teaching">
            <h2 id="teaching">{t('teaching.group')}</h2>
            <TeachingSections of={taught} now={now} level={3} />
            <Days
              {...days}
              entries={planned.filter((entry) => entry.taught)}
              isTeaching
              isOptional
              level={3}
              group="taught-"
              within="teaching"
            />
          </section>
          <section className="today-group" aria-labelledby="studying">
            <h2 id="studying">
              {taught.beside === 'studies'
                ? t('studying.group')
                : student
                  ? t('observing.group', { name: student })
                  : t('observing.groupSomebody')}
            </h2>
            <Days {...days} entries={planned.filter((entry) => !entry.taught)} level={3} within="studying" />
          </section>
        </>
      )}
      {!taught && <Days {...days} entries={planned} />}
      <p className="more">
        <span>{t('today.shown', { count: weeks })}</span>
        <button type="button" className="quiet" onClick={showMore}>
          {t('today.further')}
        </button>
      </p>
    </div>
  );
}
