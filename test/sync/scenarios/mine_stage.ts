// Runs a scenario of “My files”: the user at this desk, another device through the server, and syncs between them, on a real disk.

import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { setContent } from '../support/course';
import { FakeServer } from '../support/fake_server';
import { Student } from '../support/student';
import { takesFiles } from '../support/takes_files';

/** Paths below “My files”. */
type Deed =
  | readonly ['here writes' | 'there puts', path: string, text: string]
  | readonly ['here makes' | 'there makes', folder: string]
  | readonly ['here moves' | 'there moves', from: string, to: string]
  | readonly ['here deletes' | 'there deletes', path: string]
  /** The user deselects a folder on this computer, or selects it again. */
  | readonly ['here leaves out' | 'here wants', folder: string]
  | readonly ['server starts over']
  | readonly ['here starts anew'];

export interface MineScenario {
  readonly says: string;
  readonly acts: readonly (Deed | readonly ['sync' | 'sync confirmed', expected?: Readonly<Record<string, unknown>>])[];
  /** Writes that the last sync before the end sent to the server, without uploads. */
  readonly asks?: readonly string[];
  /** Both sides: files with their text, folders with a slash and an empty text. */
  readonly ends: Readonly<Record<string, string>>;
  /** Where this disk differs. */
  readonly here?: Readonly<Record<string, string>>;
}

export async function playMine({ acts, asks, ends, here: endsHere = ends }: MineScenario): Promise<void> {
  const server = await new FakeServer().start();
  const mine = takesFiles(server);
  const student = await Student.at(server);
  const at = (path: string) => join(student.folder, 'My files', ...path.split('/'));
  const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
  const above = (path: string) => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '');
  const folderAt = (path: string): number =>
    path === '' ? mine.root() : (mine.find('folder', path) ?? mine.folder(nameOf(path), folderAt(above(path))));
  const choose = (path: string, wanted: boolean) =>
    student.study.user.set('choices', JSON.stringify({ marks: { [`folder:${mine.find('folder', path)}`]: wanted } }));
  const does: { readonly [Verb in Deed[0]]: (...given: string[]) => unknown } = {
    'here writes': (path = '', text = '') => {
      mkdirSync(dirname(at(path)), { recursive: true });
      writeFileSync(at(path), text);
    },
    'here makes': (path = '') => mkdirSync(at(path), { recursive: true }),
    'here moves': (from = '', to = '') => {
      mkdirSync(dirname(at(to)), { recursive: true });
      renameSync(at(from), at(to));
    },
    'here deletes': (path = '') => rmSync(at(path), { recursive: true }),
    'here leaves out': (path = '') => choose(path, false),
    'here wants': (path = '') => choose(path, true),
    'here starts anew': () => student.restart(),
    'there puts': (path = '', text = '') => {
      const known = mine.find('file', path);
      if (known === undefined) mine.file(nameOf(path), text, folderAt(above(path)));
      else setContent(server, known, text);
    },
    'there makes': folderAt,
    'there moves': (from = '', to = '') => {
      const parent = folderAt(above(to));
      const folder = mine.find('folder', from);
      if (folder !== undefined) server.change('folder', folder, { name: nameOf(to), parent_folder_id: parent });
      else server.change('file', mine.find('file', from) ?? 0, { display_name: nameOf(to), folder_id: parent });
    },
    'there deletes': (path = '') => {
      for (const kind of ['file', 'folder'] as const)
        for (const [one, id] of mine.all(kind)) if (one === path || one.startsWith(`${path}/`)) server.remove(kind, id);
    },
    'server starts over': () => server.forgetHistory(),
  };
  const listed = (folder = ''): [string, string][] =>
    existsSync(at(folder))
      ? readdirSync(at(folder), { withFileTypes: true }).flatMap((entry): [string, string][] => {
          const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
          return entry.isDirectory() ? [[`${path}/`, ''], ...listed(path)] : [[path, readFileSync(at(path), 'utf8')]];
        })
      : [];
  try {
    for (const act of acts) {
      if (act[0] === 'sync' || act[0] === 'sync confirmed') {
        server.count();
        expect(await student.sync({ isConfirmed: act[0] === 'sync confirmed' })).toMatchObject({ outcome: 'complete', ...act[1] });
      } else {
        const [verb, ...given] = act as Deed;
        await does[verb](...given);
      }
    }
    const writes = server.asked.filter(({ method, path }) => method !== 'GET' && path !== '/bytes' && !/\/folders\/\d+\/files$/.test(path));
    if (asks) expect(writes.map(({ method, path }) => `${method} ${path.replace('/api/v1/', '').replace(/\/\d+$/, '')}`)).toEqual(asks);
    const there = { ...mine.tree(), ...Object.fromEntries(mine.all('folder').map(([path]) => [`${path}/`, ''])) };
    expect(there, 'there').toEqual(ends);
    expect(Object.fromEntries(listed()), 'here').toEqual(endsHere);
    server.count();
    const last = await student.sync();
    expect(last, 'at rest').toMatchObject({ downloaded: 0, requests: 1 });
  } finally {
    await student.leave();
    await server.stop();
  }
}
