// Before these tests: bundles the program into one file, which starts in a third of the time that its sources take. It is started and
// killed a hundred times here; test/e2e runs it as a user starts it.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { TestProject } from 'vitest/node';

const desktop = join(import.meta.dirname, '../../desktop');
const main = join(desktop, 'cli/main.ts');
/** Finds its worker thread by a relative path. */
const usual = join(desktop, 'engine/text/extract/worker_path.ts');

export default async function build({ provide }: TestProject) {
  const { build } = (await import(pathToFileURL(createRequire(join(desktop, 'package.json')).resolve('vite')).href)) as {
    build(options: object): Promise<unknown>;
  };
  // Below the desk's packages, so that it finds the modules that are not bundled.
  const cache = join(desktop, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const outDir = mkdtempSync(join(cache, 'carrel-'));
  await build({
    configFile: false,
    root: desktop,
    logLevel: 'error',
    plugins: [
      {
        name: 'stays-where-it-is',
        transform: (code: string, id: string) =>
          id === usual ? code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(usual).href)) : undefined,
      },
    ],
    build: { ssr: main, outDir, target: 'node24', minify: false, rollupOptions: { output: { entryFileNames: 'carrel.mjs' } } },
  });
  provide('carrel', join(outDir, 'carrel.mjs'));
  return () => rmSync(outDir, { recursive: true, force: true });
}
