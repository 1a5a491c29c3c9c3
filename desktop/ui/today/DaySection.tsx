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
  /** Of the heading. */
  readonly level?: 2 | 3;
  /** The part of the screen, where two have the same days: before the ids of its days, and the id of its heading. */
  readonly group?: string;
  readonly within?: string | undefined;
}

export const DaySection = ({ id, title, aside, tone, entries, edit, now, level = 2, group = '', within }: Props) => (
  <section className="day" data-tone={tone} aria-labelledby={[within, `day-${group}${id}`].filter(Boolean).join(' ')}>
    <DayTitle id={`day-${group}${id}`} level={level} title={title} aside={aside} />
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

/** The strip of days moves the focus here. */
export function DayTitle({ id, level, title, aside }: { id: string; level: 2 | 3; title: string; aside?: string | undefined }) {
  const Title = level === 2 ? 'h2' : 'h3';
  return (
    <Title id={id} tabIndex={-1}>
      {title}
      {aside && <small>{aside}</small>}
    </Title>
  );
}
