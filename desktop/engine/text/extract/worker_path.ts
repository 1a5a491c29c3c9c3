// Where the thread that reads words is when the desk runs from its sources.

import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { ReaderOptions } from './reader';

export function usualReading(): ReaderOptions {
  const pdfjs = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
  return { program: new URL('./worker.ts', import.meta.url), data: join(pdfjs, 'cmaps') };
}
