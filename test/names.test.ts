// One exported name has one meaning: two modules never declare the same name.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const files = globSync('{shared,worker,desktop,test,scripts}/**/*.{ts,tsx}', {
  cwd: root,
  exclude: ['**/node_modules/**', '**/dist/**', '**/*.d.ts'],
}).map((file) => file.replaceAll('\\', '/'));

/** Names that several modules declare with the same meaning, and the files that may. */
const conventions: Readonly<Record<string, { readonly because: string; readonly in: RegExp }>> = {
  dialog: {
    because: 'the double of Electron has the names of Electron',
    in: /^(desktop\/hosts\/electron\/double|worker\/site\/console\/parts)\.ts$/,
  },
  about: {
    because: 'title and description of a domain; the API reference collects them',
    in: /^(worker\/domains\/.+[/_]routes|scripts\/new_domain)\.ts$/,
  },
  ...Object.fromEntries(
    ['bool', 'int', 'json', 'number', 'time'].map((type) => [
      type,
      {
        because: 'a type of values: as a field of the API, and as a column of a table',
        in: /^(shared\/wire\/fields|worker\/database\/columns)\.ts$/,
      },
    ]),
  ),
};

const declaration = /^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|var|function\*?|class|interface|type|enum) (\w+)/gm;
const patterns = /^export const ([[{][^=]+[\]}]) =/gm;
const lists = /^export (?:type )?\{([^}]*)\};$/gm;
const imported = (text: string) =>
  [...text.matchAll(/^import\s([^'"]+?)\sfrom\s/gms)].flatMap(([, names = '']) => names.match(/\w+/g) ?? []);

/** The names that a module declares and exports. Those that it passes on from another module are not its own. */
function exportsOf(text: string): Set<string> {
  const found = new Set([...text.matchAll(declaration)].map(([, name = '']) => name));
  for (const [, pattern = ''] of text.matchAll(patterns))
    for (const part of pattern.slice(1, -1).split(',')) found.add(part.split(':').at(-1)?.trim() ?? '');
  const passedOn = new Set(imported(text));
  for (const [, names = ''] of text.matchAll(lists))
    for (const name of names.split(',')) {
      const [own = '', outside = own] = name
        .replace(/^\s*type /, '')
        .trim()
        .split(' as ');
      if (own && !passedOn.has(own)) found.add(outside);
    }
  found.delete('');
  return found;
}

const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
const declaredIn = new Map<string, string[]>();
for (const [file, text] of texts) for (const name of exportsOf(text)) declaredIn.set(name, [...(declaredIn.get(name) ?? []), file]);

test('an exported name is declared by one module', () => {
  const several = [...declaredIn].filter(
    ([name, places]) => places.length > 1 && !places.every((file) => conventions[name]?.in.test(file)),
  );
  expect(several.map(([name, places]) => `${name}: ${places.join(', ')}`)).toEqual([]);
});

test('every exception is needed', () => {
  expect(Object.keys(conventions).filter((name) => (declaredIn.get(name) ?? []).length < 2)).toEqual([]);
});

test('each predicate of statements has one declaration', () => {
  const predicates = ['isActiveStudent', 'isStaff', 'isAssigned', 'isVisibleTo'];
  const declarations = (name: string) =>
    [...texts].filter(
      ([file, text]) => file.startsWith('worker/') && new RegExp(`^(?:export )?(?:const|function) ${name}\\b`, 'm').test(text),
    );
  expect(predicates.filter((name) => declarations(name).length !== 1)).toEqual([]);
});
