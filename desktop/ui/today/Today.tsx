// The planner: the fortnight at a glance, then what is overdue, today, and coming.

import { useMemo, useState } from 'react';
import type { DatedEntry } from '../channels.ts';
import { useLive } from '../live.ts';
import { Blank } from '../parts/Blank.tsx';
import { Heading } from '../parts/Heading.tsx';
import { Icon } from '../parts/Icon.tsx';
import { Shown } from '../parts/Shown.tsx';
import { count } from '../words/amounts.ts';
import { addDays, dayName, dayOf, longDay, wireTime } from '../words/dates.ts';
import { DaySection } from './DaySection.tsx';
import { isDone, sorted, waitsForMe } from './days.ts';
import { Fortnight } from './Fortnight.tsx';
import { type Draft, NoteForm } from './NoteForm.tsx';

const startOf = (day: string) => new Date(`${day}T00:00:00`);

export function Today() {
  const [weeks, setWeeks] = useState(4);
  const today = dayOf(new Date());
  const window = useMemo(() => {
    const start = startOf(today);
    return { from: wireTime(addDays(start, -28)), to: wireTime(addDays(start, weeks * 7)) };
  }, [today, weeks]);
  const planner = useLive('planner', 'today.list', window);
  const [note, setNote] = useState<Draft | null>(null);
  return (
    <>
      <Heading title="Today" above={longDay(today)}>
        <button type="button" className="primary" data-key="n" onClick={() => setNote({ day: today })}>
          <Icon name="plus" />
          Add a note
        </button>
      </Heading>
      <Shown live={planner}>
        {(entries) => <Plan entries={entries} edit={(draft) => setNote(draft)} showMore={() => setWeeks(weeks + 4)} weeks={weeks} />}
      </Shown>
      {note && <NoteForm draft={note} onClose={() => setNote(null)} />}
    </>
  );
}

interface PlanProps {
  readonly entries: readonly DatedEntry[];
  readonly edit: (draft: Draft) => void;
  readonly showMore: () => void;
  readonly weeks: number;
}

function Plan({ entries, edit, showMore, weeks }: PlanProps) {
  const now = new Date();
  const { overdue, earlier, today, coming } = sorted(entries, now);
  const left = today.filter((entry) => waitsForMe(entry) && !isDone(entry)).length;
  return (
    <div className="plan">
      <Fortnight entries={entries} now={now} add={(day) => edit({ day })} />
      {overdue.length > 0 && (
        <DaySection
          id="overdue"
          title="Overdue"
          aside={count(overdue.length, 'thing')}
          entries={overdue}
          edit={edit}
          tone="bad"
          now={now}
        />
      )}
      {today.length > 0 ? (
        <DaySection
          id={dayOf(now)}
          title="Today"
          aside={left > 0 ? `${left} to do` : today.some(waitsForMe) ? 'all done' : undefined}
          entries={today}
          edit={edit}
          tone="now"
          now={now}
        />
      ) : (
        <section className="day" data-tone="now" aria-labelledby="nothing-today">
          <h2 id="nothing-today">Today</h2>
          <Blank icon="check" title="Nothing is due today.">
            <p>{coming.length > 0 ? 'What comes next is below.' : 'Add a note for whatever you want to remember.'}</p>
          </Blank>
        </section>
      )}
      {coming.map(({ day, entries: due }) => (
        <DaySection key={day} id={day} title={dayName(day, now)} entries={due} edit={edit} now={now} />
      ))}
      <p className="more">
        <span>Shown: the next {count(weeks, 'week')}.</span>
        <button type="button" className="quiet" onClick={showMore}>
          Look further ahead
        </button>
      </p>
      {earlier.length > 0 && (
        <details className="earlier">
          <summary>Earlier: {count(earlier.length, 'thing')} of the last four weeks</summary>
          <DaySection id="earlier" title="Earlier" entries={earlier} edit={edit} now={now} />
        </details>
      )}
    </div>
  );
}
