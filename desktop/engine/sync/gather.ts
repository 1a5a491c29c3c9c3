// Places staged files in batches: while one batch is made durable, the next one is collected, so that a thousand small files need few
// folder syncs and few transactions, and each file is on disk before it is noted.

import type { Disk, Ledger, Placement, Stamp } from '../model/ports';
import type { Note } from '../planner/commit';

interface Waiting {
  readonly placement: Placement;
  readonly notes: (stamp: Stamp) => readonly Note<Stamp>[];
  readonly done: (stamp: Stamp) => void;
  readonly failed: (problem: unknown) => void;
}

/** A full batch. Smaller ones wait a short time for files that are still being downloaded. */
const enough = 32;
const patience = 100;

interface Together {
  place(placement: Placement, notes: Waiting['notes']): Promise<Stamp>;
  /** No other files are being downloaded, so the waiting ones are placed now. */
  hurry(): void;
}

export function batchPlacements(disk: Disk, ledger: Ledger): Together {
  let waiting: Waiting[] = [];
  let isPlacing = false;
  let isLast = false;
  let timer: NodeJS.Timeout | undefined;

  const flush = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    isPlacing = true;
    do {
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
    } while (isTime());
    isPlacing = false;
    if (waiting.length > 0) timer = setTimeout(flush, patience);
  };
  const isTime = () => waiting.length >= (isLast ? 1 : enough);

  return {
    place(placement, notes) {
      const { promise, resolve, reject } = Promise.withResolvers<Stamp>();
      waiting.push({ placement, notes, done: resolve, failed: reject });
      if (!isPlacing && isTime()) void flush();
      else if (!isPlacing) timer ??= setTimeout(flush, patience);
      return promise;
    },
    hurry() {
      isLast = true;
      if (!isPlacing && isTime()) void flush();
    },
  };
}
