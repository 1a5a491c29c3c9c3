// Builds the administrators' console, scripts and styles, into one file that the Worker serves. `--check` fails if the committed file differs.

import './usage.ts';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

interface Builder {
  build(
    options: object,
  ): Promise<{ output: readonly { type: string; code?: string }[] }[] | { output: readonly { type: string; code?: string }[] }>;
}

const root = join(import.meta.dirname, '..');
const sources = join(root, 'worker/site/console');
// Uses the bundler of the desk.
const { build } = (await import(pathToFileURL(createRequire(join(root, 'desktop/package.json')).resolve('vite')).href)) as Builder;
process.env.NODE_ENV = 'production';
const built = await build({
  configFile: false,
  root: sources,
  logLevel: 'error',
  build: { write: false, target: 'es2022', minify: true, lib: { entry: join(sources, 'main.ts'), formats: ['es'], fileName: 'console' } },
});
const script = [built].flat()[0]?.output.find(({ type }) => type === 'chunk')?.code ?? '';
const style = readFileSync(join(sources, 'console.css'), 'utf8').replace(/\n\s*/g, '\n');

const file = join(root, 'worker/site/console.json');
const written = `${JSON.stringify({ script, style }, null, 2)}\n`;
if (process.argv.includes('--check')) {
  if (readFileSync(file, 'utf8') !== written) {
    console.error('worker/site/console.json is out of date; run: npm run console');
    process.exit(1);
  }
} else {
  writeFileSync(file, written);
  console.log(`wrote worker/site/console.json (${Math.round(written.length / 1024)} kB)`);
}
