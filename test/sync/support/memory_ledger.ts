// The agreed tree, in memory: notes are applied as the store applies them.

import { asNoted, type LedgerRow, type Stamp } from '@carrel/desktop/engine/model/ports';
import type { Key } from '@carrel/desktop/engine/model/trees';
import type { Note } from '@carrel/desktop/engine/planner/commit';

export interface Remembered {
  readonly rows: Map<Key, LedgerRow>;
  readonly unwanted: Set<Key>;
}

export function noteIn({ rows, unwanted }: Remembered, note: Note<Stamp>, now: Date): void {
  if ('put' in note) {
    const stamp = asNoted(note.seen.stamp, now);
    rows.set(note.put, { ...note.agreed, seen: { ...note.seen, stamp } });
  } else if ('going' in note) {
    const row = rows.get(note.going);
    if (row) rows.set(note.going, { ...row, path: note.from, going: note.to });
  } else if ('drop' in note) rows.delete(note.drop);
  else unwanted.add(note.unwant);
}
