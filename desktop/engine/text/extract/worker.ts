// A thread that reads the words of files. It can be terminated at any moment, and malicious files may crash it. It and its imports use only
// the syntax that Node runs without a build.

import { parentPort, workerData } from 'node:worker_threads';
import type { ExtractedText } from './result.ts';
import { extractText } from './words_of.ts';

export interface ExtractRequest {
  readonly path: string;
}

export type ExtractReply = ExtractedText | { readonly why: string };

const { data } = workerData as { data: string };

parentPort?.on('message', ({ path }: ExtractRequest) => {
  extractText(path, data).then(
    (read) => parentPort?.postMessage(read satisfies ExtractReply),
    (problem: unknown) =>
      parentPort?.postMessage({ why: problem instanceof Error ? problem.message : String(problem) } satisfies ExtractReply),
  );
});
