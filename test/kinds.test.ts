// Each kind of the feed, and each kind that is copied, is declared by one domain, beside its table: how it is read or copied, and what changes it.

import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { kinds } from '@carrel/shared/sync/protocol';
import { expect, test } from 'vitest';
import { blueprintSources } from '../worker/database/triggers/blueprint_sources';
import { changeSources, scheduleSources } from '../worker/dist/change_sources';
import { declaredCopies } from '../worker/dist/copied_kinds';
import { syncedKinds } from '../worker/dist/synced_kinds';
import { copiedKinds } from '../worker/domains/course_copy/table';

const root = join(import.meta.dirname, '..');
const declarations = globSync('worker/domains/**/{synced,copied,change_sources}.ts', { cwd: root }).map((file) =>
  file.replaceAll('\\', '/'),
);
const kindsOf = (declared: readonly { readonly kind: string }[]) => declared.map(({ kind }) => kind).sort();

test('each kind of the feed is declared once, with the writes that change it', () => {
  expect(kindsOf(syncedKinds)).toEqual([...kinds].sort());
  expect([...new Set(kindsOf(changeSources))]).toEqual([...kinds].sort());
  expect(scheduleSources.filter(({ kind }) => !kinds.includes(kind))).toEqual([]);
});

test('each kind that is copied is declared once, with what a blueprint records of it', () => {
  expect(kindsOf(declaredCopies)).toEqual([...copiedKinds].sort());
  expect(kindsOf(blueprintSources)).toEqual([...copiedKinds].sort());
});

test('a kind is declared beside its table', () => {
  const missing = declarations.flatMap((file) =>
    ['table.ts', 'change_sources.ts'].map((name) => `${dirname(file)}/${name}`).filter((path) => !existsSync(join(root, path))),
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
