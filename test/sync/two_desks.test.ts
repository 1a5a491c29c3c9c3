// Two desks and one server, with one desk's request held while the other completes a sync: both versions are there afterwards.

import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type FakeRequest, FakeServer } from './support/fake_server';
import { withoutFeed } from './support/lists';
import { filesBelow, Student } from './support/student';
import { takesFiles } from './support/takes_files';

let server: FakeServer;
let mine: ReturnType<typeof takesFiles>;
const desks: Student[] = [];

afterEach(async () => {
  for (const desk of desks.splice(0)) await desk.leave();
  await server.stop();
});

async function begin(isChecking: boolean): Promise<[Student, Student]> {
  server = await new FakeServer().start();
  mine = takesFiles(server, undefined, isChecking);
  if (!isChecking) withoutFeed(server);
  mine.file('a.txt', 'first');
  for (let nth = 0; nth < 2; nth++) desks.push(await Student.at(server));
  for (const desk of desks) expect(await desk.sync()).toMatchObject({ outcome: 'complete' });
  return desks as [Student, Student];
}

const my = (desk: Student, path: string) => join(desk.folder, 'My files', path);
const write = (desk: Student, path: string, text: string) => {
  mkdirSync(dirname(my(desk, path)), { recursive: true });
  writeFileSync(my(desk, path), text);
};
const here = (desk: Student) =>
  Object.fromEntries(filesBelow(my(desk, '')).map((path) => [path.slice(my(desk, '').length + 1), readFileSync(path, 'utf8')]));

/** The first request of that kind waits until the act is done; requests of the act itself do not. */
function holdOnce(isIt: (asked: FakeRequest) => boolean, act: () => Promise<unknown>): { readonly wasHeld: () => boolean } {
  let isOnce = true;
  server.hold = async (asked) => {
    if (!isOnce || !isIt(asked)) return;
    isOnce = false;
    await act();
  };
  return { wasHeld: () => !isOnce };
}

const moments: Readonly<Record<string, (asked: FakeRequest) => boolean>> = {
  'the upload request': ({ method, path }) => method === 'POST' && /\/folders\/\d+\/files$/.test(path),
  'the transfer of the bytes': ({ path }) => path === '/bytes',
};

async function rest(): Promise<void> {
  for (let nth = 0; nth < 3; nth++) for (const desk of desks) await desk.sync();
  for (const desk of desks) expect(here(desk)).toEqual(mine.tree());
}

for (const isChecking of [true, false])
  describe(isChecking ? 'a server that checks versions' : 'a server that does not', () => {
    for (const [what, isIt] of Object.entries(moments))
      test(`both edit one file, and ${what} of one desk waits until the other has synced: both versions are kept`, async () => {
        const [a, b] = await begin(isChecking);
        write(a, 'a.txt', 'of A');
        write(b, 'a.txt', 'of B');
        const { wasHeld } = holdOnce(isIt, () => a.sync());
        await b.sync();
        expect(wasHeld()).toBe(true);
        await rest();
        expect(mine.tree()['a.txt']).toBe('of A');
        expect(Object.values(mine.tree()).sort()).toEqual(['of A', 'of B']);
        expect(Object.keys(mine.tree()).some((name) => name.startsWith('a (your copy '))).toBe(true);
      });
  });

describe('a server that checks versions', () => {
  test('bytes that were refused are not sent again', async () => {
    const [a, b] = await begin(true);
    write(a, 'a.txt', 'of A');
    write(b, 'a.txt', 'of B');
    holdOnce(moments['the transfer of the bytes'] as never, () => a.sync());
    await b.sync();
    await rest();
    expect(server.asked.filter(({ path }) => path === '/bytes')).toHaveLength(2);
  });

  test('both add a file of the same name: both are kept, the later as a copy', async () => {
    const [a, b] = await begin(true);
    write(a, 'new.txt', 'of A');
    write(b, 'new.txt', 'of B');
    holdOnce(moments['the transfer of the bytes'] as never, () => a.sync());
    await b.sync();
    await rest();
    expect(mine.tree()['new.txt']).toBe('of A');
    expect(Object.values(mine.tree()).sort()).toEqual(['first', 'of A', 'of B']);
    expect(Object.keys(mine.tree()).some((name) => name.startsWith('new (your copy '))).toBe(true);
  });

  test('a conflict copy gets a name that differs in more than letter case from the other names', async () => {
    const [a, b] = await begin(true);
    const today = new Date().toLocaleDateString('sv');
    write(b, `A (YOUR COPY ${today}).TXT`, 'an older copy');
    await b.sync();
    await a.sync();
    write(b, 'a.txt', 'of B');
    write(a, 'a.txt', 'of A');
    await a.sync();
    await rest();
    expect(Object.values(mine.tree()).sort()).toEqual(['an older copy', 'of A', 'of B']);
    expect(new Set(Object.keys(mine.tree()).map((name) => name.toLowerCase())).size).toBe(3);
  });

  const others = {
    renames: (desk: Student) => renameSync(my(desk, 'a.txt'), my(desk, 'b.txt')),
    'renames in letter case only': (desk: Student) => renameSync(my(desk, 'a.txt'), my(desk, 'A.txt')),
    moves: (desk: Student) => {
      mkdirSync(my(desk, 'x'));
      renameSync(my(desk, 'a.txt'), my(desk, 'x/a.txt'));
    },
    deletes: (desk: Student) => rmSync(my(desk, 'a.txt')),
  };
  const after = { renames: 'b.txt', 'renames in letter case only': 'A.txt', moves: 'x/a.txt', deletes: 'a.txt' };
  for (const [what, act] of Object.entries(others))
    test(`one edits a file, the other ${what} it while the edit is uploaded: the edit keeps the name, and there is no copy`, async () => {
      const [a, b] = await begin(true);
      act(a);
      write(b, 'a.txt', 'edited');
      const { wasHeld } = holdOnce(moments['the transfer of the bytes'] as never, () => a.sync());
      await b.sync();
      expect(wasHeld()).toBe(true);
      await rest();
      expect(mine.tree()).toEqual({ [after[what as keyof typeof after]]: 'edited' });
    });

  test('both add the same bytes under the same name: there is one file', async () => {
    const [a, b] = await begin(true);
    for (const desk of [a, b]) write(desk, 'new.txt', 'the same');
    holdOnce(moments['the transfer of the bytes'] as never, () => a.sync());
    await b.sync();
    await rest();
    expect(mine.tree()).toEqual({ 'a.txt': 'first', 'new.txt': 'the same' });
  });

  test('one edits, the other deletes or renames: no edit is lost, whichever comes first', async () => {
    for (const act of ['deletes', 'renames'] as const) {
      const [a, b] = await begin(true);
      write(a, 'a.txt', 'of A');
      if (act === 'deletes') rmSync(my(b, 'a.txt'));
      else renameSync(my(b, 'a.txt'), my(b, 'b.txt'));
      const { wasHeld } = holdOnce(
        ({ method, path }) => /DELETE|PUT/.test(method) && path.startsWith('/api/v1/files/'),
        () => a.sync(),
      );
      await b.sync();
      expect(wasHeld()).toBe(true);
      await rest();
      expect(Object.values(mine.tree())).toEqual(['of A']);
      for (const desk of desks.splice(0)) await desk.leave();
      await server.stop();
    }
    server = await new FakeServer().start();
  });
});
