// Places staged files together: while one batch is made durable the next gathers, so that a thousand small files
// cost few folder syncs and few transactions, and each still is on disk before it is noted.

import type { Note } from './commit';
import type { Disk, Ledger, Placement, Stamp } from './ports';

interface Waiting {
  readonly placement: Placement;
  readonly notes: (stamp: Stamp) => readonly Note<Stamp>[];
  readonly done: (stamp: Stamp) => void;
  readonly failed: (problem: unknown) => void;
}

export function together(disk: Disk, ledger: Ledger) {
  let waiting: Waiting[] = [];
  let isPlacing = false;

  const flush = async (): Promise<void> => {
    isPlacing = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        const results = await disk.place(batch.map(({ placement }) => placement));
        ledger.note(results.flatMap((result, at) => (result instanceof Error ? [] : (batch[at]?.notes(result) ?? []))));
        for (const [at, result] of results.entries()) {
          if (result instanceof Error) batch[at]?.failed(result);
          else batch[at]?.done(result);
        }
      } catch (problem) {
        for (const { failed } of batch) failed(problem);
      }
    }
    isPlacing = false;
  };

  return (placement: Placement, notes: Waiting['notes']): Promise<Stamp> => {
    const { promise, resolve, reject } = Promise.withResolvers<Stamp>();
    waiting.push({ placement, notes, done: resolve, failed: reject });
    if (!isPlacing) void flush();
    return promise;
  };
}
