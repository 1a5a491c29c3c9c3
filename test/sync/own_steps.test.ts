// One computer alone, whose user continues working while its own steps are in progress: it never takes them for changes of another device.

import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type FakeRequest, FakeServer } from './support/fake_server';
import { hurriedClock, Student } from './support/student';
import { takesFiles } from './support/takes_files';

let server: FakeServer;
let mine: ReturnType<typeof takesFiles>;
let student: Student;

beforeEach(async () => {
  server = await new FakeServer().start();
  mine = takesFiles(server);
  student = await Student.at(server);
});
afterEach(async () => {
  await student.leave();
  await server.stop();
});

const my = (path: string) => join(student.folder, 'My files', ...path.split('/'));
const write = (path: string, text: string) => {
  mkdirSync(dirname(my(path)), { recursive: true });
  writeFileSync(my(path), text);
};
const move = (from: string, to: string) => {
  mkdirSync(dirname(my(to)), { recursive: true });
  renameSync(my(from), my(to));
};
const remove = (path: string) => rmSync(my(path), { recursive: true });

const listed = (folder = ''): [string, string][] =>
  readdirSync(join(student.folder, 'My files', folder), { withFileTypes: true }).flatMap((entry): [string, string][] => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    return entry.isDirectory() ? [[`${path}/`, ''], ...listed(path)] : [[path, readFileSync(my(path), 'utf8')]];
  });
const here = () => (existsSync(my('.')) ? Object.fromEntries(listed()) : {});
const there = () => ({ ...mine.tree(), ...Object.fromEntries(mine.all('folder').map(([path]) => [`${path}/`, ''])) });

interface Case {
  /** What the step does, and whether a request belongs to it. */
  readonly step: string;
  readonly isStep: (asked: FakeRequest) => boolean;
  readonly begin: () => void;
  /** What the user does in the meantime, and what both sides have in the end. */
  readonly meanwhile: Readonly<Record<string, readonly [act: () => void, ends: Readonly<Record<string, string>>]>>;
}

const isBytes = ({ path }: FakeRequest) => path === '/bytes';
const isCall =
  (method: string, what: 'files' | 'folders') =>
  (asked: FakeRequest): boolean =>
    asked.method === method && asked.path.startsWith(`/api/v1/${what}/`) && !asked.path.endsWith('/files');

const toA: Case['meanwhile'] = {
  'edited again': [() => write('a.txt', 'third'), { 'a.txt': 'third' }],
  'replaced by an editor': [() => [write('a.txt~', 'third'), move('a.txt~', 'a.txt')], { 'a.txt': 'third' }],
  appended: [() => appendFileSync(my('a.txt'), '+'), { 'a.txt': 'second+' }],
  renamed: [() => move('a.txt', 'b.txt'), { 'b.txt': 'second' }],
  'moved into a new folder': [() => move('a.txt', 'new/a.txt'), { 'new/': '', 'new/a.txt': 'second' }],
  'edited and renamed': [() => [write('a.txt', 'third'), move('a.txt', 'b.txt')], { 'b.txt': 'third' }],
  'renamed, and another file written at its path': [
    () => [move('a.txt', 'b.txt'), write('a.txt', 'another')],
    { 'a.txt': 'another', 'b.txt': 'second' },
  ],
  deleted: [() => remove('a.txt'), {}],
  'deleted and written again': [() => [remove('a.txt'), write('a.txt', 'again')], { 'a.txt': 'again' }],
};

const cases: readonly Case[] = [
  { step: 'a new file', isStep: isBytes, begin: () => write('a.txt', 'second'), meanwhile: toA },
  {
    step: 'an edited file',
    isStep: isBytes,
    begin: () => write('old.txt', 'second'),
    meanwhile: Object.fromEntries(
      Object.entries({
        'edited again': [() => write('old.txt', 'third'), { 'old.txt': 'third' }],
        appended: [() => appendFileSync(my('old.txt'), '+'), { 'old.txt': 'second+' }],
        renamed: [() => move('old.txt', 'b.txt'), { 'b.txt': 'second' }],
        deleted: [() => remove('old.txt'), {}],
        'deleted and written again': [() => [remove('old.txt'), write('old.txt', 'again')], { 'old.txt': 'again' }],
      } satisfies Case['meanwhile']),
    ),
  },
  {
    step: 'an edited and renamed file',
    isStep: isBytes,
    begin: () => [write('old.txt', 'second'), move('old.txt', 'a.txt')],
    meanwhile: { 'edited again': toA['edited again'] as never, renamed: toA.renamed as never, deleted: toA.deleted as never },
  },
  {
    step: 'a renamed file',
    isStep: isCall('PUT', 'files'),
    begin: () => move('old.txt', 'a.txt'),
    meanwhile: {
      'edited again': [() => write('a.txt', 'third'), { 'a.txt': 'third' }],
      'renamed again': [() => move('a.txt', 'b.txt'), { 'b.txt': 'first' }],
      'renamed back': [() => move('a.txt', 'old.txt'), { 'old.txt': 'first' }],
      deleted: [() => remove('a.txt'), {}],
      'deleted and written again': [() => [remove('a.txt'), write('a.txt', 'again')], { 'a.txt': 'again' }],
    },
  },
  {
    step: 'a deleted file',
    isStep: isCall('DELETE', 'files'),
    begin: () => remove('old.txt'),
    meanwhile: {
      'written again': [() => write('old.txt', 'again'), { 'old.txt': 'again' }],
      'another renamed to it': [() => [write('x.txt', 'x'), move('x.txt', 'old.txt')], { 'old.txt': 'x' }],
    },
  },
  {
    step: 'a new folder',
    isStep: ({ method, path }) => method === 'POST' && path.endsWith('/self/folders'),
    begin: () => write('new/a.txt', 'second'),
    meanwhile: {
      renamed: [() => move('new', 'newer'), { 'newer/': '', 'newer/a.txt': 'second' }],
      deleted: [() => remove('new'), {}],
    },
  },
  {
    step: 'a renamed folder',
    isStep: isCall('PUT', 'folders'),
    begin: () => move('kept', 'moved'),
    meanwhile: {
      'renamed again': [
        () => move('moved', 'again'),
        { 'again/': '', 'again/k.txt': 'kept', 'again/deep/': '', 'again/deep/d.txt': 'deep' },
      ],
      'with a new file in it': [
        () => write('moved/n.txt', 'new'),
        { 'moved/': '', 'moved/k.txt': 'kept', 'moved/deep/': '', 'moved/deep/d.txt': 'deep', 'moved/n.txt': 'new' },
      ],
    },
  },
  {
    step: 'a deleted folder',
    isStep: isCall('DELETE', 'folders'),
    begin: () => remove('empty'),
    meanwhile: { 'made again': [() => mkdirSync(my('empty')), { 'empty/': '' }] },
  },
];

/** What the server has before, without the files of the case. */
const before = { 'old.txt': 'first', 'kept/k.txt': 'kept', 'kept/deep/d.txt': 'deep', 'empty/': '' } as const;
const about: Readonly<Record<string, readonly string[]>> = {
  'a new file': [],
  'an edited file': ['old.txt'],
  'an edited and renamed file': ['old.txt'],
  'a renamed file': ['old.txt'],
  'a deleted file': ['old.txt'],
  'a new folder': [],
  'a renamed folder': ['kept/k.txt', 'kept/deep/d.txt'],
  'a deleted folder': ['empty/'],
};

type When = 'before it is done' | 'before its response' | 'its response lost' | 'the program killed';

function meanwhile(when: When, isStep: Case['isStep'], act: () => void): { readonly done: () => boolean; readonly killed: Promise<void> } {
  let isOnce = true;
  const killed = Promise.withResolvers<void>();
  const once = async (asked: FakeRequest): Promise<void> => {
    if (!isOnce || !isStep(asked)) return;
    isOnce = false;
    act();
    killed.resolve();
    // Its response never arrives.
    if (when === 'the program killed') await new Promise(() => {});
  };
  if (when === 'before it is done') server.hold = once;
  else server.linger = once;
  let isLost = false;
  if (when === 'its response lost')
    server.fault = (asked) => {
      if (isLost || !isStep(asked)) return undefined;
      isLost = true;
      return 'unanswered';
    };
  return { done: () => !isOnce, killed: killed.promise };
}

for (const when of ['before it is done', 'before its response', 'its response lost', 'the program killed'] as const)
  describe(`changed ${when}:`, () => {
    for (const { step, isStep, begin, meanwhile: acts } of cases)
      for (const [how, [act, ends]] of Object.entries(acts).slice(0, when === 'before its response' ? 2 : undefined))
        test(`${step}, ${how}`, async () => {
          for (const [path, text] of Object.entries(before).filter(([path]) => about[step]?.includes(path))) {
            const folder = path.split('/').slice(0, -1);
            const parent = folder.reduce<number | undefined>(
              (up, name, nth) => mine.find('folder', folder.slice(0, nth + 1).join('/')) ?? mine.folder(name, up),
              undefined,
            );
            if (!path.endsWith('/')) mine.file(path.slice(path.lastIndexOf('/') + 1), text, parent);
          }
          mkdirSync(my('.'), { recursive: true });
          await student.sync();
          begin();
          const under = meanwhile(when, isStep, act);
          const syncing = student.sync();
          if (when === 'the program killed') {
            await under.killed;
            await student.restart();
          }
          await syncing;
          expect(under.done(), 'the step was in progress').toBe(true);
          for (let nth = 0; nth < 2; nth++) await student.sync({ isConfirmed: true });
          expect(there(), 'there').toEqual(ends);
          expect(here(), 'here').toEqual(ends);
          expect(await student.sync()).toMatchObject({ outcome: 'complete', issues: [], downloaded: 0, requests: 1 });
        });
  });

test('on a desk that watches its folder, steps in progress are recognised, too', async () => {
  mine.file('old.txt', 'first');
  await student.restart({ isWatching: true });
  await student.sync();
  const sync = async () => {
    // File system events arrive with a delay.
    await new Promise((resolve) => setTimeout(resolve, 60));
    return student.study.sync({ isThorough: false });
  };
  await sync();
  write('old.txt', 'second');
  meanwhile('before its response', isBytes, () => write('old.txt', 'third'));
  await sync();
  await sync();
  write('old.txt', 'fourth');
  meanwhile('its response lost', isBytes, () => move('old.txt', 'new.txt'));
  await sync();
  await sync();
  expect(here()).toEqual({ 'new.txt': 'fourth' });
  expect(there()).toEqual(here());
});

test('a log that grows every few milliseconds gets no conflict copies', async () => {
  write('log.txt', 'begun\n');
  const timer = setInterval(() => appendFileSync(my('log.txt'), 'one more line\n'), 15);
  try {
    for (let nth = 0; nth < 6; nth++) await student.sync();
  } finally {
    clearInterval(timer);
  }
  await student.sync();
  expect(Object.keys(here())).toEqual(['log.txt']);
  expect(mine.tree()).toEqual(here());
});

describe('names that the user gives to their files', () => {
  /** By content, the file on the server: it keeps its id when it is renamed. */
  const numbers = () => Object.fromEntries(server.all('file').map(({ id, display_name }) => [display_name, id]));
  const swap = (one: string, other: string) => {
    move(one, 'aside');
    move(other, one);
    move('aside', other);
  };
  const goesUp = async (ends: Readonly<Record<string, string>>) => {
    expect(await student.sync()).toMatchObject({ outcome: 'complete', issues: [] });
    expect(here()).toMatchObject(ends);
    expect(there()).toEqual(here());
    expect(await student.sync()).toMatchObject({ outcome: 'complete', downloaded: 0, requests: 1 });
  };

  test('swapped, they are swapped on the server without an upload', async () => {
    mine.file('a.txt', 'A');
    mine.file('b.txt', 'B', mine.folder('x'));
    await student.sync();
    const before = numbers();
    swap('a.txt', 'x/b.txt');
    await goesUp({ 'a.txt': 'B', 'x/b.txt': 'A' });
    expect(numbers()).toEqual({ 'a.txt': before['b.txt'], 'b.txt': before['a.txt'] });
    expect(server.asked.some(isBytes)).toBe(false);
  });

  test('swapped, and one of them edited', async () => {
    for (const name of ['a', 'b']) mine.file(`${name}.txt`, name);
    await student.sync();
    swap('a.txt', 'b.txt');
    write('a.txt', 'b, edited');
    await goesUp({ 'a.txt': 'b, edited', 'b.txt': 'a' });
  });

  test('rotated among three files', async () => {
    for (const name of ['a', 'b', 'c']) mine.file(`${name}.txt`, name);
    await student.sync();
    swap('a.txt', 'b.txt');
    swap('b.txt', 'c.txt');
    await goesUp({ 'a.txt': 'b', 'b.txt': 'c', 'c.txt': 'a' });
  });

  test('when one file replaces another, it keeps that name', async () => {
    for (const name of ['a', 'b', 'c']) mine.file(`${name}.txt`, name);
    await student.sync();
    move('a.txt', 'b.txt');
    move('c.txt', 'a.txt');
    await goesUp({ 'a.txt': 'c', 'b.txt': 'a' });
  });

  test('swapped, and edited while one of them has its temporary name', async () => {
    for (const name of ['a', 'b']) mine.file(`${name}.txt`, name);
    await student.sync();
    swap('a.txt', 'b.txt');
    meanwhile('before its response', isCall('PUT', 'files'), () => write('b.txt', 'a, edited'));
    await student.sync();
    await goesUp({ 'a.txt': 'b', 'b.txt': 'a, edited' });
  });

  test('of a folder, and of a file in it that is uploaded by the same sync and moved in the meantime', async () => {
    mine.file('b.txt', 'b', mine.folder('x'));
    await student.sync();
    move('x', 'y');
    write('y/b.txt', 'edited');
    meanwhile('before its response', isBytes, () => move('y/b.txt', 'moved.txt'));
    await student.sync();
    await student.sync();
    await goesUp({ 'moved.txt': 'edited', 'y/': '' });
  });
});

test('an upload that was cut off continues the next day with its key, and with another once the ticket has expired', async () => {
  const keys = new Set<unknown>();
  server.onAsked = ({ method, path, headers }) =>
    void (method === 'POST' && path.endsWith('/files') && keys.add(headers['idempotency-key']));
  const nextDay = { clock: { ...hurriedClock, now: () => new Date(Date.now() + 86_400_000) } };
  for (const [name, isExpired] of Object.entries({ 'a.txt': false, 'b.txt': true })) {
    keys.clear();
    server.fault = (asked) => (isBytes(asked) ? 'cut' : undefined);
    write(name, 'first');
    await student.restart();
    await student.sync().catch(() => {});
    await student.restart(nextDay);
    let isRefused = !isExpired;
    server.fault = (asked) => {
      if (isRefused || !isBytes(asked)) return undefined;
      isRefused = true;
      return { status: 400, body: '' };
    };
    expect(await student.sync(), name).toMatchObject({ outcome: 'complete', issues: [] });
    expect(keys.size, name).toBe(isExpired ? 2 : 1);
  }
  expect(there()).toEqual({ 'a.txt': 'first', 'b.txt': 'first' });
});
