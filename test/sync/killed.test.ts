// The real program, killed again and again while it syncs a thousand files, both sides make changes, and work is
// submitted. `npm run nightly` does it a thousand times.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Desk, openDesk } from '@carrel/desktop/engine/desk';
import { expect, test } from 'vitest';
import { aFakeCourse, setContent } from './support/course';
import { FakeServer } from './support/fake_server';
import { carrel, runCarrel } from './support/program';
import { randomFrom } from './support/random';
import { filesBelow } from './support/student';
import { takesWork } from './support/takes_work';

const kills = Number(process.env.CARREL_KILLS ?? 50);
const files = 1000;

test(`${files} files arrive despite ${kills} kills, no edit is lost, and work arrives once`, { timeout: kills * 5000 }, async () => {
  const seed = Number(process.env.CARREL_SEED ?? Date.now() % 1_000_000);
  const random = randomFrom(seed);
  const server = await new FakeServer().start();
  const course = aFakeCourse(server);
  const folders = [course.root, course.folder('Week 1'), course.folder('Week 2')];
  const ids = Array.from({ length: files }, (_, nth) => {
    const content = random.chance(0.02) ? Buffer.alloc(300_000 + nth, `${nth} `) : `file ${nth}`;
    return course.file(`${nth}.txt`, content, random.pick(folders));
  });
  const takes = takesWork(server, course);
  const essays = Array.from({ length: kills / 5 }, (_, nth) =>
    course.assignment(`Essay ${nth}`, { submission_types: ['online_text_entry'] }),
  );
  const handedIn: { readonly id: number; readonly text: string }[] = [];
  for (let nth = 0; nth < 20; nth++) course.page(`Page ${nth}`, `<p><img src="/files/${ids[nth]}/preview"></p>`);
  const notice = course.page('Notice', '<p>First</p>');
  const noticesRead: string[] = [];

  const home = mkdtempSync(join(tmpdir(), 'carrel-killed-'));
  const store = join(home, 'desk');
  const workspace = join(home, 'Study');
  try {
    await runCarrel(['login', '--url', server.url, '--token', server.token, '--folder', workspace], { store });
    const mine = new Set<string>();
    let cut = 0;
    // A run is killed after a random number of requests below this limit: the number that the last completed run needed, so that most are
    // killed however little is left to do. It rises with each kill, so that some complete.
    let most = 40;
    for (let nth = 0; nth < kills; nth++) {
      // Some are killed while they download, others while they move files into place or clean up after the last response.
      const life = random.below(nth % 5 === 0 ? 2 : most);
      let asked = 0;
      const { child, ended } = carrel(['sync', '--json'], { store });
      server.onAsked = () => {
        if (asked++ >= life) setTimeout(() => child.kill('SIGKILL'), random.below(12));
      };
      const { status } = await ended;
      if (status === null) cut++;
      most = status === null ? Math.min(40, most + 2) : asked + 1;
      server.onAsked = () => {};
      meanwhile(nth);
      if (nth % 5 === 4) await handIn(nth);
    }
    const last = await runCarrel(['sync', '--json'], { store });
    expect(last, last.err).toMatchObject({ status: 0, json: { outcome: 'complete', issues: [] } });
    isAsItShouldBe(mine);
    expect(cut, 'killed runs').toBeGreaterThan(kills * 0.6);
    expect(noticesRead.length, 'texts read').toBeGreaterThan(Math.min(10, kills / 10));
    expect(handedIn.length, 'submitted works').toBeGreaterThan(kills / 10);
    for (const { id, text } of handedIn) expect(takes.arrivedAt(id), text).toMatchObject([{ body: expect.stringContaining(text) }]);
    expect(
      server.all('planner_note').map(({ title }) => title),
      'notes',
    ).toEqual(handedIn.map(({ text }) => text));
    expect((await runCarrel(['sync', '--json'], { store })).json).toMatchObject({ outcome: 'complete', requests: 1, downloaded: 0 });

    /** Written offline: the next run sends it, and may be killed while it does. */
    async function handIn(nth: number): Promise<void> {
      const id = essays.shift();
      const desk = await openDesk({ store, isManual: true });
      try {
        await read(desk, nth);
        // Nothing can be submitted until a run has survived long enough to receive the assignment.
        if (id === undefined || !(await desk['work.open']({ course_id: course.id, id }))) return;
        const text = `thought between two kills, ${nth}`;
        await desk['work.write']({ course_id: course.id, id, type: 'online_text_entry', text, url: '' });
        await desk['work.hand_in']({ course_id: course.id, id });
        await desk['note.create']({ title: text, details: null, todo_date: '2026-11-21T12:00:00Z', course_id: null });
        handedIn.push({ id, text });
      } finally {
        await desk.close();
      }
    }

    /** A text that was read on the desk and replaced since is kept exactly once, whenever the program was killed. */
    async function read(desk: Desk, nth: number): Promise<void> {
      const reference = { kind: 'page', course_id: course.id, id: notice } as const;
      const now = (await desk['reader.open'](reference))?.html;
      if (now === undefined) return;
      const earlier = (await desk['versions.list'](reference))?.earlier ?? [];
      const texts = await Promise.all(earlier.map(async ({ key }) => (await desk['versions.open']({ reference, key }))?.as_it_was.html));
      expect(new Set([now, ...texts]).size, 'each text once').toBe(texts.length + 1);
      // The desk keeps the last twenty versions.
      expect([now, ...texts]).toEqual(expect.arrayContaining(noticesRead.slice(-20)));
      if (!noticesRead.includes(now)) noticesRead.push(now);
      server.change('page', notice, { body: `<p>Changed after run ${nth}</p>` });
    }

    /** Between two runs the teacher changes, renames and replaces files, and the student edits. */
    function meanwhile(nth: number): void {
      for (let times = 3; times > 0; times--) {
        const id = random.pick(ids);
        const what = random.below(4);
        if (what === 0) setContent(server, id, `file ${id} in version ${nth}.${times}`);
        if (what === 1) server.change('file', id, { display_name: `${id} renamed ${nth}.txt` });
        if (what === 2) server.change('file', id, { folder_id: random.pick(folders) });
      }
      const there = filesBelow(workspace).filter((path) => path.includes('Algebra') && path.endsWith('.txt'));
      const path =
        there.length > 0 && random.chance(0.7) ? random.pick(there) : join(workspace, 'Test University', 'Algebra', `my own ${nth}.txt`);
      const text = `written by the student, ${nth}`;
      mkdirSync(dirname(path), { recursive: true });
      if (mine.has(readOr(path))) return;
      writeFileSync(path, text);
      mine.add(text);
    }

    function isAsItShouldBe(mine: ReadonlySet<string>): void {
      const all = filesBelow(workspace).map((path) => [path, readOr(path)] as const);
      const contents = new Set(all.map(([, text]) => text));
      expect(
        [...mine].filter((text) => !contents.has(text)),
        'edits that are lost',
      ).toEqual([]);
      expect(all.map(([path]) => path).filter((path) => path.endsWith('.part') || path.includes('parked'))).toEqual([]);
      const names = new Map(server.all('folder').map((folder) => [folder.id, folder.parent_folder_id === null ? '' : `${folder.name}/`]));
      for (const file of server.all('file')) {
        const path = join(workspace, 'Test University', 'Algebra', `${names.get(file.folder_id)}${file.display_name}`);
        const text = readOr(path);
        if (!mine.has(text)) expect(text, path).toBe(server.bytes.get(Number(file.id))?.toString());
      }
      const texts = all.filter(([path]) => path.includes('Pages'));
      expect(texts).toHaveLength(21);
      for (const [path, text] of texts) {
        if (path.includes('Notice')) continue;
        const image = /src="([^"]+)"/.exec(text)?.[1] ?? 'nothing';
        expect(readOr(join(dirname(path), decodeURIComponent(image))), `${path} shows ${image}`).not.toBe('');
      }
    }
  } catch (problem) {
    throw new Error(`seed ${seed}: ${(problem as Error).message}`, { cause: problem });
  } finally {
    rmSync(home, { recursive: true, force: true });
    await server.stop();
  }
});

function readOr(path: string, otherwise = ''): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return otherwise;
  }
}
