// Each kind of the feed is declared by one domain, beside its table: how it is read, and which writes change it.

import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { kinds } from '@carrel/shared/sync/protocol';
import { expect, test } from 'vitest';
import { changeSources, momentSources } from '../worker/dist/change_sources';
import { syncedKinds } from '../worker/dist/synced_kinds';

const root = join(import.meta.dirname, '..');
const declarations = globSync('worker/domains/**/{synced,change_sources}.ts', { cwd: root }).map((file) => file.replaceAll('\\', '/'));

test('each kind of the feed is declared once, with the writes that change it', () => {
  expect(syncedKinds.map(({ kind }) => kind).sort()).toEqual([...kinds].sort());
  expect([...new Set(changeSources.map(({ kind }) => kind))].sort()).toEqual([...kinds].sort());
  expect(momentSources.map(({ kind }) => kind).filter((kind) => !kinds.includes(kind))).toEqual([]);
});

test('a kind is declared beside its table, in both files', () => {
  const missing = declarations.flatMap((file) =>
    ['table.ts', 'synced.ts', 'change_sources.ts']
      .map((name) => `${dirname(file)}/${name}`)
      .filter((path) => !existsSync(join(root, path))),
  );
  expect(missing).toEqual([]);
});

test('scripts load change sources without serializers: they import only what triggers are made of', () => {
  const isPlain = (target: string) => /\/(database\/triggers\/(source|trigger)|change_sources)\.ts$/.test(target);
  const wrong = declarations
    .filter((file) => file.endsWith('change_sources.ts'))
    .flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/\sfrom '([^']+)'/g)].map(([, target = '']) => ({ file, target })),
    )
    .filter(({ target }) => !isPlain(target));
  expect(wrong).toEqual([]);
});
