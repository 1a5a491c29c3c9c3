import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { settingsFor, sourceKey } from './built_worker';

let root: string;
const write = (path: string, text: string) => writeFileSync(join(root, path), text);

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'carrel-sources-'));
  for (const folder of ['worker/dist', 'worker/domains', 'shared']) mkdirSync(join(root, folder), { recursive: true });
  for (const file of ['wrangler.toml', 'pnpm-lock.yaml', 'tsconfig.base.json', 'worker/domains/pages.ts']) write(file, file);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('the Worker is built again when a source changes, is renamed or is added', () => {
  const keys = [sourceKey(root)];
  const noted = (path: string, text: string) => {
    write(path, text);
    keys.push(sourceKey(root));
  };
  noted('worker/domains/pages.ts', 'changed');
  noted('shared/wire.ts', '');
  noted('wrangler.toml', 'changed');
  rmSync(join(root, 'shared/wire.ts'));
  noted('shared/line.ts', '');
  expect(new Set(keys).size).toBe(5);
});

test('tests and written files do not change the Worker', () => {
  const before = sourceKey(root);
  write('worker/domains/pages.test.ts', '');
  write('worker/dist/endpoints.ts', '');
  expect(sourceKey(root)).toBe(before);
});

test('the settings of a built Worker name its script and build nothing', () => {
  const given =
    'name = "carrel"\nmain = "worker/index.ts"\nminify = true\n\n[assets]\ndirectory = "a"\n\n[build]\ncommand = "x"\nwatch_dir = "y"\n\n[[d1_databases]]\n';
  const settings = settingsFor('/built/index.js', given);
  expect(settings).toMatch(
    /^name = "carrel"\nmain = "\/built\/index.js"\nminify = false\n\n\[assets\]\ndirectory = ".+a"\n\n\n\[\[d1_databases\]\]\n$/,
  );
});
