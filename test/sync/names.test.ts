// Names: hostile ones are ordinary input; they never leave the root, never collide, and never change.

import { type LocalName, type Node, nameAll } from '@carrel/desktop/engine/model/local_paths';
import { localName, markedName, pathOf, uniqueName, yourCopy } from '@carrel/desktop/engine/model/names';
import { fold } from '@carrel/desktop/engine/model/trees';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.constantFrom(
    '../x',
    '..',
    '.',
    '',
    ' ',
    'CON',
    'con.txt',
    'COM0',
    'LPT¹.log',
    'aux .txt',
    'a/b',
    'a\\b',
    'caf\u00e9',
    'cafe\u0301',
    'name.',
    'name. . ',
    '\ud800',
    '\0',
    'ﬁ',
    'FI',
    'straße',
    'STRASSE',
    'gpj\u202eexe',
  ),
  fc.string({ maxLength: 6 }).map((text) => `${'é'.repeat(150)}${text}.tar.gz`),
);

const isSafe = (name: string): void => {
  expect(name).not.toBe('');
  expect(name.normalize('NFC')).toBe(name);
  expect(name.isWellFormed()).toBe(true);
  expect(name).not.toMatch(/[<>:"/\\|?*]|\p{Cc}/u);
  expect(name).not.toMatch(/[. ]$/);
  expect(name).not.toMatch(/^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])[. ]*(\.|$)/i);
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200);
};

describe('a local name', () => {
  test('is safe on every system', () =>
    fc.assert(
      fc.property(hostile, (name) => isSafe(localName(name))),
      { numRuns: 2000 },
    ));
  test('is unchanged if it was safe', () => expect(localName('Vorlesung 3 (Übung).pdf')).toBe('Vorlesung 3 (Übung).pdf'));
  test('keeps its extension when it is shortened', () => expect(localName(`${'界'.repeat(100)}.pdf`)).toMatch(/^界{65}\.pdf$/));
  test('is a fixed point', () => fc.assert(fc.property(hostile, (name) => void expect(localName(localName(name))).toBe(localName(name)))));

  test.each([
    ['../x', '.._x'],
    ['a/b', 'a_b'],
    ['CON', '_CON'],
    ['con.tar.gz', '_con.tar.gz'],
    ['LPT³', '_LPT³'],
    ['notes. ', 'notes'],
    ['..', '_'],
    ['cafe\u0301', 'caf\u00e9'],
    ['tab\there', 'tab_here'],
    ['annex\u202egpj.exe', 'annex_gpj.exe'],
    ['\u2067exe\u2069.pdf', '_exe_.pdf'],
    ['מבחן\u200f.docx', 'מבחן\u200f.docx'],
  ])('%j becomes %j', (server, local) => expect(localName(server)).toBe(local));
});

describe('neighbours', () => {
  const nodes = fc.array(fc.record({ name: hostile, isFolder: fc.boolean() }), { maxLength: 30 }).map((given): Node[] => [
    { key: 'institution:1', parent: null, name: 'Uni', kind: 'level' },
    { key: 'course:1', parent: 'institution:1', name: 'Course', kind: 'course' },
    ...given.map(
      ({ name, isFolder }, at): Node => ({
        key: `${isFolder ? 'folder' : 'file'}:${at + 2}`,
        parent: 'course:1',
        name,
        kind: isFolder ? 'folder' : 'leaf',
      }),
    ),
  ]);
  const store = (known: readonly LocalName[]) => new Map(known.map((row) => [row.key, row]));

  test('never differ in letter case or normalisation only, and stay below the root', () =>
    fc.assert(
      fc.property(nodes, (nodes) => {
        const { paths } = nameAll(nodes, new Map());
        expect(new Set([...paths.values()].map(fold)).size).toBe(nodes.length);
        for (const path of paths.values()) for (const name of path.split('/')) isSafe(name);
      }),
    ));

  test('keep their names when others are added or removed', () =>
    fc.assert(
      fc.property(nodes, fc.func(fc.boolean()), (nodes, stays) => {
        const few = nodes.filter((node) => node.kind === 'course' || node.kind === 'level' || stays(node.key));
        const first = nameAll(few, new Map());
        const second = nameAll(nodes, store(first.fresh));
        for (const [key, path] of first.paths) expect(second.paths.get(key)).toBe(path);
        expect(nameAll(nodes, store([...first.fresh, ...second.fresh])).fresh).toEqual([]);
      }),
    ));

  test('a server name that equals one of the program’s own folders gets another name', () => {
    const { paths } = nameAll(
      [
        { key: 'institution:1', parent: null, name: 'Uni', kind: 'level' },
        { key: 'course:1', parent: 'institution:1', name: 'Course', kind: 'course' },
        { key: 'folder:7', parent: 'course:1', name: 'pages', kind: 'folder' },
      ],
      new Map(),
    );
    expect(paths.get('folder:7')).toBe('Uni/Course/pages (7)');
  });
});

test('a suffix goes before the extension', () => {
  expect(markedName('report.tar.gz', '7')).toBe('report (7).tar.gz');
  expect(yourCopy('essay.docx', '2026-11-20')).toBe('essay (your copy 2026-11-20).docx');
  expect(uniqueName('A.txt', 9, new Set(['a.txt', 'a (9).txt']))).toBe('A (9 2).txt');
});

test('an invalid name below the root makes no path', () => {
  for (const name of ['..', '.', '', 'a/b', 'a\\b', 'a\0']) expect(() => pathOf('Uni', name)).toThrow(/not a name/);
});
