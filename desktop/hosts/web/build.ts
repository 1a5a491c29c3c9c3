// Finds the built UI, and builds it when it is missing or older than its sources.

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
export const builtUi = here('../../dist/ui');
const sources = [
  here('../../ui'),
  here('../../contract'),
  here('../../language'),
  here('../../vite.config.ts'),
  here('../../package.json'),
];

/** Tests beside the sources are not part of the build. */
const namesIn = (folder: string) => readdirSync(folder).filter((name) => !name.endsWith('.test.ts'));

const changedAt = (path: string): number => {
  const seen = statSync(path, { throwIfNoEntry: false });
  if (!seen) return 0;
  if (!seen.isDirectory()) return seen.mtimeMs;
  return Math.max(seen.mtimeMs, ...namesIn(path).map((name) => changedAt(join(path, name))));
};

export const uiIsStale = () => Math.max(...sources.map(changedAt)) > changedAt(join(builtUi, 'index.html'));

/** Builds the UI if it is stale, which takes about a second; returns whether it did. */
export async function buildUi(): Promise<boolean> {
  if (!uiIsStale()) return false;
  const { build } = await import('vite');
  // Always a production build, even when a test calls this.
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = 'production';
  try {
    await build({ configFile: here('../../vite.config.ts'), logLevel: 'warn' });
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
  }
  return true;
}
