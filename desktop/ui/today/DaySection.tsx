// One day of the planner.

import type { PlannerEntry } from '../../contract/planner.ts';
import { keyOf } from './days.ts';
import { Entry } from './Entry.tsx';
import type { Draft } from './NoteForm.tsx';

interface Props {
  readonly id: string;
  readonly title: string;
  readonly aside?: string;
  readonly tone?: 'bad' | 'now';
  readonly entries: readonly PlannerEntry[];
  readonly edit: (draft: Draft) => void;
  readonly now: Date;
}

export const DaySection = ({ id, title, aside, tone, entries, edit, now }: Props) => (
  <section className="day" data-tone={tone} aria-labelledby={`day-${id}`}>
    <h2 id={`day-${id}`} tabIndex={-1}>
      {title}
      {aside && <small>{aside}</small>}
    </h2>
    <ul className="entries">
      {entries.map((entry) => (
        <Entry
          key={keyOf(entry)}
          entry={entry}
          edit={edit}
          now={now}
          withDay={id === 'overdue' || id === 'earlier'}
          known={id === 'overdue' ? id : undefined}
        />
      ))}
    </ul>
  </section>
);
