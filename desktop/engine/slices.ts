// Long work in slices, between which everything else goes on.

import { setImmediate } from 'node:timers/promises';

/** Of so many items a slice is made: some milliseconds. */
export const slice = 5000;

export function atOnce<T>(work: Generator<void, T>): T {
  for (let part = work.next(); ; part = work.next()) if (part.done) return part.value;
}

export async function inSlices<T>(work: Generator<void, T>): Promise<T> {
  for (let part = work.next(); ; part = work.next()) {
    if (part.done) return part.value;
    await setImmediate();
  }
}
