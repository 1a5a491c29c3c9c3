// A thread that does nothing but read the words out of files. It may be ended at any moment, and hostile files may kill it.
// It and what it imports is written so that Node runs it as it stands.

import { parentPort, workerData } from 'node:worker_threads';
import type { Read } from './read.ts';
import { wordsOf } from './words_of.ts';

export interface Asked {
  readonly path: string;
}

export type Told = Read | { readonly why: string };

const { data } = workerData as { data: string };

parentPort?.on('message', ({ path }: Asked) => {
  wordsOf(path, data).then(
    (read) => parentPort?.postMessage(read satisfies Told),
    (problem: unknown) => parentPort?.postMessage({ why: problem instanceof Error ? problem.message : String(problem) } satisfies Told),
  );
});
