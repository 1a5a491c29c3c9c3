// Long work in slices, so that other work can run in between.

import { setImmediate } from 'node:timers/promises';

export async function inSlices<T>(work: Generator<void, T>): Promise<T> {
  for (let part = work.next(); ; part = work.next()) {
    if (part.done) return part.value;
    await setImmediate();
  }
}
