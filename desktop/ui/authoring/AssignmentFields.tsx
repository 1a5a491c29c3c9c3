// Points and dates of an assignment.

import { useId } from 'react';
import type { AssignedFacts } from '../../contract/authoring.ts';
import { dayOf } from '../../language/dates.ts';
import { type MessageKey, t } from '../../language/texts.ts';

/** Why the dates cannot be changed here. */
export type FieldsClosed = 'period' | 'other dates' | null;

const dates: readonly (readonly [keyof Omit<AssignedFacts, 'points'>, MessageKey])[] = [
  ['due_at', 'due'],
  ['unlock_at', 'facts.opens'],
  ['lock_at', 'facts.closes'],
];

const two = (value: number) => String(value).padStart(2, '0');

/** As a field shows a time, in the user's time zone. */
function localTime(utc: string | null): string {
  const at = utc === null ? undefined : new Date(utc);
  return at && !Number.isNaN(at.getTime()) ? `${dayOf(at)}T${two(at.getHours())}:${two(at.getMinutes())}` : '';
}
const utcOf = (local: string): string | null => (local === '' ? null : new Date(local).toISOString().replace(/\.\d+Z$/, 'Z'));

export function AssignmentFields({
  facts,
  closed,
  change,
}: {
  facts: AssignedFacts;
  closed: FieldsClosed;
  change: (part: Partial<AssignedFacts>) => void;
}) {
  const why = useId();
  const isDisorder =
    (facts.unlock_at && facts.due_at && facts.unlock_at > facts.due_at) || (facts.due_at && facts.lock_at && facts.due_at > facts.lock_at);
  return (
    <fieldset className="author-facts" aria-describedby={closed || isDisorder ? why : undefined}>
      <legend className="sr-only">{t('author.facts')}</legend>
      <label>
        <span>{t('facts.points')}</span>
        <input
          type="number"
          min={0}
          step="any"
          inputMode="decimal"
          disabled={closed === 'period'}
          value={facts.points ?? ''}
          onChange={({ target }) => change({ points: target.value === '' ? null : Math.max(0, target.valueAsNumber) })}
        />
      </label>
      {dates.map(([field, word]) => (
        <label key={field}>
          <span>{t(word)}</span>
          <input
            type="datetime-local"
            disabled={closed !== null}
            value={localTime(facts[field])}
            onChange={({ target }) => change({ [field]: utcOf(target.value) })}
          />
        </label>
      ))}
      {closed && (
        <p id={why} className="soft">
          <small>{t(closed === 'period' ? 'author.closedPeriod' : 'author.otherDates')}</small>
        </p>
      )}
      {!closed && isDisorder && (
        <p id={why} className="author-note" role="status">
          {t('author.disorder')}
        </p>
      )}
    </fieldset>
  );
}
