// A thread that reads the words of files. It can be terminated at any moment, and malicious files may crash it. It and its imports use only
// the syntax that Node runs without a build.

import { parentPort, workerData } from 'node:worker_threads';
import type { Read } from './result.ts';
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
