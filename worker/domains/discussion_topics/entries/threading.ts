// The position of replies in a discussion. Pure.

import type { TopicRow } from '../rights';
import type { EntryRow } from './json';

/** The parent of a new entry; null at the top level. */
export function parentEntryOf(
  type: TopicRow['discussion_type'],
  answered: Pick<EntryRow, 'id' | 'root_entry_id'> | undefined,
): number | null {
  if (!answered || type === 'flat') return null;
  return type === 'threaded' ? answered.id : (answered.root_entry_id ?? answered.id);
}

export interface Nested {
  readonly id: number;
  readonly parent_id: number | null;
  readonly rating_sum?: number | null;
  replies?: Nested[];
}

/** Nests entries, oldest first or by rating. Entries whose parent is missing are at the top level. */
export function nest<E extends Nested>(entries: readonly E[], byRating: boolean): E[] {
  const known = new Map(entries.map((entry) => [entry.id, entry]));
  const top: E[] = [];
  for (const entry of entries) {
    const parent = entry.parent_id === null ? undefined : known.get(entry.parent_id);
    if (!parent) top.push(entry);
    else parent.replies = [...(parent.replies ?? []), entry];
  }
  if (byRating) {
    const better = (a: Nested, b: Nested) => (b.rating_sum ?? 0) - (a.rating_sum ?? 0) || a.id - b.id;
    top.sort(better);
    for (const entry of entries) entry.replies?.sort(better);
  }
  return top;
}
