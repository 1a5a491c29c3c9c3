// Examines the statements of the suite beside the tests: SQLite compiles each without a pause, and the runner would wait for minutes at its end.

import { parentPort } from 'node:worker_threads';
import { Examination } from './statement_limits.ts';

const examination = new Examination();

/** Texts, or nothing after the last ones. */
parentPort?.on('message', (texts: readonly string[] | undefined) => {
  for (const text of texts ?? []) examination.add(text);
  if (texts === undefined) parentPort?.postMessage(examination.end());
});
