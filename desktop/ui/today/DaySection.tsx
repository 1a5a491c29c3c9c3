// One day of the planner.

import type { PlannerEntry } from '../../contract/planner.ts';
import { entryKeyOf } from './days.ts';
import type { NoteDraft } from './NoteForm.tsx';
import { PlannerRow } from './PlannerRow.tsx';

interface Props {
  readonly id: string;
  readonly title: string;
  readonly aside?: string;
  readonly tone?: 'bad' | 'now';
  readonly entries: readonly PlannerEntry[];
  readonly edit: (draft: NoteDraft) => void;
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
        <PlannerRow
          key={entryKeyOf(entry)}
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
