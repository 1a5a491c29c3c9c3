// Runs a scenario: changes on the server, the user's changes in the folder, and syncs between them, on a real disk.

import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { storeOf } from '@carrel/desktop/engine/accounts/account';
import { expect } from 'vitest';
import { aFakeCourse, setContent } from '../support/course';
import { FakeServer } from '../support/fake_server';
import { Student } from '../support/student';

/** Paths are relative to the course, with `/` between names, on both sides. */
type Deed =
  | readonly ['server puts', path: string, text: string]
  | readonly ['server moves', from: string, to: string]
  | readonly ['server deletes', path: string]
  | readonly ['server locks' | 'server opens', path: string]
  | readonly ['server makes folder', path: string]
  | readonly ['server starts over']
  | readonly ['here writes', path: string, text: string]
  /** As careful editors save: a temporary file replaces the old one. */
  | readonly ['here saves', path: string, text: string]
  | readonly ['here moves', from: string, to: string]
  | readonly ['here deletes', path: string]
  | readonly ['here touches', path: string]
  | readonly ['here links', path: string, to: string]
  | readonly ['here loses what it knows of the server']
  | readonly ['here starts anew'];

export type Act =
  | Deed
  /** What happens when the first file is requested. */
  | readonly ['while it comes', ...deeds: Deed[]]
  | readonly ['sync', expected?: Expected]
  | readonly ['sync confirmed', expected?: Expected];

interface Expected {
  readonly outcome?: string;
  readonly downloaded?: number;
  readonly requests?: number;
}

export interface Scenario {
  /** The number of the end-to-end case of the OneDrive client for Linux that asks the same, if there is one. */
  readonly like?: string;
  readonly says: string;
  readonly acts: readonly Act[];
  /** All files of the course at the end. The date in a copy's name is `…`. */
  readonly ends: Readonly<Record<string, string>>;
}

export async function play({ acts, ends }: Scenario): Promise<void> {
  const server = await new FakeServer().start();
  const course = aFakeCourse(server);
  const student = await Student.at(server);
  const folders = new Map([['', course.root]]);
  const files = new Map<string, number>();
  const here = (path: string) => student.path('Algebra', ...path.split('/'));

  const folderAt = (path: string): number => {
    const known = folders.get(path);
    if (known !== undefined) return known;
    const made = course.folder(nameOf(path), folderAt(above(path)));
    folders.set(path, made);
    return made;
  };
  const idOf = (map: Map<string, number>, path: string): number => {
    const id = map.get(path);
    if (id === undefined) throw new Error(`the server has no ${path}`);
    return id;
  };
  /** Gives everything at or below a path another path. */
  const rekey = (map: Map<string, number>, from: string, to: string) => {
    for (const [path, id] of [...map]) {
      if (path !== from && !path.startsWith(`${from}/`)) continue;
      map.delete(path);
      map.set(to + path.slice(from.length), id);
    }
  };

  const does: { readonly [Verb in Deed[0]]: (...given: string[]) => unknown } = {
    'server puts': (path = '', text = '') => {
      const known = files.get(path);
      if (known === undefined) files.set(path, course.file(nameOf(path), text, folderAt(above(path))));
      else setContent(server, known, text);
    },
    'server moves': (from = '', to = '') => {
      const parent = folderAt(above(to));
      const folder = folders.get(from);
      if (folder === undefined) server.change('file', idOf(files, from), { display_name: nameOf(to), folder_id: parent });
      else server.change('folder', folder, { name: nameOf(to), parent_folder_id: parent });
      rekey(folders, from, to);
      rekey(files, from, to);
    },
    'server deletes': (path = '') => {
      for (const [kind, map] of [
        ['file', files],
        ['folder', folders],
      ] as const) {
        for (const [one, id] of [...map]) {
          if (one !== path && !one.startsWith(`${path}/`)) continue;
          server.remove(kind, id);
          map.delete(one);
        }
      }
    },
    'server locks': (path = '') => server.change('file', idOf(files, path), { locked_for_user: true, url: '' }),
    'server opens': (path = '') => {
      const id = idOf(files, path);
      server.change('file', id, { locked_for_user: false });
      setContent(server, id, server.bytes.get(id) ?? '');
    },
    'server makes folder': folderAt,
    'server starts over': () => server.forgetHistory(),
    'here writes': (path = '', text = '') => {
      mkdirSync(dirname(here(path)), { recursive: true });
      writeFileSync(here(path), text);
    },
    'here saves': (path = '', text = '') => {
      writeFileSync(here(`${path}~`), text);
      renameSync(here(`${path}~`), here(path));
    },
    'here moves': (from = '', to = '') => {
      mkdirSync(dirname(here(to)), { recursive: true });
      renameSync(here(from), here(to));
    },
    'here deletes': (path = '') => rmSync(here(path), { recursive: true }),
    'here touches': (path = '') => utimesSync(here(path), new Date(), new Date('2030-01-01')),
    'here links': (path = '', to = '') => symlinkSync(to, here(path)),
    'here loses what it knows of the server': async () => {
      const { signedIn } = student.study;
      await student.study.close();
      rmSync(join(storeOf(student.store, signedIn), 'cache.db'));
      await student.restart();
    },
    'here starts anew': () => student.restart(),
  };
  const run = async (act: Act): Promise<void> => {
    if (act[0] === 'sync' || act[0] === 'sync confirmed')
      expect(await student.sync({ isConfirmed: act[0] === 'sync confirmed' })).toMatchObject({ outcome: 'complete', ...act[1] });
    else if (act[0] === 'while it comes') {
      const [, ...then] = act;
      server.onAsked = ({ path }) => {
        if (!path.startsWith('/files/')) return;
        server.onAsked = () => {};
        for (const [verb, ...given] of then) void does[verb](...given);
      };
    } else {
      const [verb, ...given] = act;
      await does[verb](...given);
    }
  };

  try {
    for (const act of acts) await run(act);
    const tree = Object.entries(existsSync(student.path()) ? student.tree() : {}).map(([path, text]) => [
      path.slice('Algebra/'.length).replace(/your copy \d{4}-\d\d-\d\d/, 'your copy …'),
      text,
    ]);
    expect(Object.fromEntries(tree)).toEqual(ends);
    // Afterwards nothing is left to do: one request, no downloads.
    expect(await student.sync()).toMatchObject({ outcome: 'complete', downloaded: 0, requests: 1 });
  } finally {
    await student.leave();
    await server.stop();
  }
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const above = (path: string): string => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '');
