// The cost of a sync does not grow with the size of the folder: measured at two sizes; and data updated by single changes equals
// data computed from scratch.

import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openCache } from '@carrel/desktop/engine/store/cache';
import { UserStore } from '@carrel/desktop/engine/store/user';
import { derive } from '@carrel/desktop/engine/sync/wanted/derive';
import { type WantedTree, wantedTree } from '@carrel/desktop/engine/sync/wanted/wanted';
import type { Change } from '@carrel/shared/sync/protocol';
import { expect, test } from 'vitest';
import { beginCounting, type DiskCounts, takeCounts } from '../support/counted';
import { aFakeCourse, setContent } from './support/course';
import { FakeServer } from './support/fake_server';
import { type Random, randomFrom } from './support/random';
import { Student } from './support/student';
import { takesFiles } from './support/takes_files';

interface Desk {
  readonly server: FakeServer;
  readonly student: Student;
  readonly ids: readonly number[];
  sync(): ReturnType<Student['sync']>;
}

const perFolder = 10;

/** A desk whose folder is in sync and watched. */
async function aDeskOf(files: number): Promise<Desk> {
  const server = await new FakeServer().start();
  const course = aFakeCourse(server);
  const student = await Student.at(server, { isWatching: true });
  const ids: number[] = [];
  let folder = 0;
  for (let nth = 0; nth < files; nth++) {
    const week = `Week ${Math.floor(nth / perFolder)}`;
    if (nth % perFolder === 0) folder = course.folder(week);
    if (nth % perFolder === 0) mkdirSync(student.path('Algebra', week), { recursive: true });
    ids.push(course.file(`${nth}.txt`, `file ${nth}`, folder));
    writeFileSync(student.path('Algebra', week, `${nth}.txt`), `file ${nth}`);
  }
  course.page('Welcome', `<p><a href="/courses/${course.id}/files/${ids[3]}">plan</a></p>`);
  const sync = () => student.study.sync({ isThorough: false });
  expect(await sync()).toMatchObject({ outcome: 'complete', downloaded: 0 });
  expect(await sync()).toMatchObject({ outcome: 'complete' });
  return { server, student, ids, sync };
}

/** The cost of each, one after the other. */
async function costsOf(files: number): Promise<Record<string, DiskCounts & { requests: number }>> {
  const { server, student, ids, sync } = await aDeskOf(files);
  const costs: Record<string, DiskCounts & { requests: number }> = {};
  const cost = async (what: string, outcome: object): Promise<void> => {
    takeCounts();
    const report = await sync();
    costs[what] = { ...takeCounts(), requests: report.requests };
    expect(report, what).toMatchObject({ outcome: 'complete', ...outcome });
  };
  try {
    await cost('nothing new', { downloaded: 0, unchanged: files + 1 });
    setContent(server, ids[17] ?? 0, 'another text');
    await cost('one file changed', { downloaded: 1, unchanged: files });
    expect(student.read('Algebra', 'Week 1', '17.txt')).toBe('another text');
    await cost('nothing after that change', { downloaded: 0 });
    const mine = takesFiles(server);
    mine.file('notes.txt', 'mine');
    // The next full scan includes the new folder.
    await sync();
    await sync();
    writeFileSync(join(student.folder, 'My files', 'notes.txt'), 'mine, edited here');
    await cost('one own file edited', { downloaded: 0 });
    expect(mine.tree()).toMatchObject({ 'notes.txt': 'mine, edited here' });
    await cost('the feed after the edit', { downloaded: 0, requests: 1 });
    await cost('nothing after the edit', { downloaded: 0, requests: 1 });
    const fresh = aFile(server, ids[17] ?? 0, 'a new file');
    await cost('one file added', { downloaded: 1 });
    expect(student.read('Algebra', 'Week 1', 'new.txt')).toBe('a new file');
    server.remove('file', fresh);
    await cost('one file withdrawn', { downloaded: 0 });
    server.change('file', ids[3] ?? 0, { display_name: 'agenda.txt' });
    await cost('one file renamed that a page links to', { downloaded: 0 });
    expect(student.read('Algebra', 'Pages', 'Welcome.html')).toContain('agenda.txt');
    expect(student.read('Algebra', 'Week 0', 'agenda.txt')).toBe('file 3');
    writeFileSync(student.path('Algebra', 'Week 1', '15.txt'), 'my own words');
    setContent(server, ids[15] ?? 0, 'the server’s words');
    await cost('one file changed on both sides', { downloaded: 1 });
    expect(Object.values(student.tree())).toEqual(expect.arrayContaining(['my own words', 'the server’s words']));
    const lost = aFile(server, ids[25] ?? 0, 'not to be had');
    server.bytes.delete(lost);
    const isLost = { outcome: 'complete with issues', issues: [{ what: 'download' }] };
    await cost('one file that cannot be downloaded', isLost);
    await cost('nothing but a file that cannot be downloaded', isLost);
    server.remove('file', lost);
    await cost('the file that cannot be downloaded removed', { downloaded: 0, issues: [] });
    await student.restart({ isWatching: true });
    const { study } = student;
    takeCounts();
    expect(study.status().last_complete_at).not.toBeNull();
    study.cache.all('course');
    costs['cold start'] = { ...takeCounts(), requests: 0 };
    return costs;
  } finally {
    await student.leave();
    await server.stop();
  }
}

/** Adds a file in the same folder as another. */
function aFile(server: FakeServer, beside: number, content: string): number {
  const { folder_id } = server.get('file', beside);
  const id = server.id();
  const course = Number(server.all('course')[0]?.id);
  // Like a server, also changes the folder and the course.
  server.change('folder', Number(folder_id), { files_count: 11 });
  server.change('course', course, { total_students: 3 });
  server.put('file', id, { id, folder_id, display_name: 'new.txt', filename: 'new.txt', 'content-type': 'text/plain' }, course);
  setContent(server, id, content);
  return id;
}

test('a sync costs the same with 600 files as with 60: requests, statements, rows, disk calls', { timeout: 60_000 }, async () => {
  beginCounting();
  const few = await costsOf(60);
  const many = await costsOf(600);
  expect(many).toEqual(few);
  expect(few['nothing new']).toMatchObject({ requests: 1, listings: 0 });
  expect(few['one file changed']).toMatchObject({ requests: 2 });
  // The one listing is that of the folder for downloads in progress.
  expect(few['nothing but a file that cannot be downloaded']).toMatchObject({ requests: 2, listings: 1 });
});

test('user changes in a watched folder are found: a deleted file, a moved file, and a file in a moved folder', async () => {
  const { server, student, sync } = await aDeskOf(30);
  try {
    rmSync(student.path('Algebra', 'Week 0', '1.txt'));
    expect(await sync()).toMatchObject({ outcome: 'complete', downloaded: 0 });
    expect([...student.study.user.unwanted()]).toHaveLength(1);
    renameSync(student.path('Algebra', 'Week 0', '2.txt'), student.path('Algebra', 'Week 1', 'mine.txt'));
    renameSync(student.path('Algebra', 'Week 2'), student.path('Algebra', 'Week two'));
    expect(await sync()).toMatchObject({ outcome: 'complete', downloaded: 0 });
    const lying = [...student.study.user.rows().values()].map(({ path }) => path);
    expect(lying.filter((path) => path.includes('Week two'))).toHaveLength(perFolder);
    expect(lying).toContain(join('Test University', 'Algebra', 'Week 1', 'mine.txt'));
    expect([...student.study.user.unwanted()]).toHaveLength(1);
  } finally {
    await student.leave();
    await server.stop();
  }
});

const seeds = Number(process.env.CARREL_SEEDS ?? 20);
const account = { base: 'http://127.0.0.1', user_id: 7, institution: 'Test University' };
const names = ['a.txt', 'A.txt', 'b.txt', 'Pages', 'CON', 'a (103).txt', '../b.txt'];

test('data updated by single changes equals data computed from scratch', () => {
  let steps = 0;
  for (let seed = 1; seed <= seeds; seed++) {
    const random = randomFrom(seed);
    const cache = openCache(':memory:');
    const user = new UserStore(':memory:', () => new Date());
    let cursor = 0;
    const tell = (...changes: Change[]) => cache.apply({ epoch: 'one', cursor: `${cursor++}`, has_more: false, changes });
    tell(...aBeginning());
    let { version } = derive(cache, user, account);
    for (let step = 0; step < 12; step++) {
      tell(...Array.from({ length: 1 + random.below(3) }, () => aChange(random)));
      const kept = derive(cache, user, account);
      if (kept.version > version) steps++;
      version = kept.version;
      const slices = wantedTree(cache, user, account);
      let anew = slices.next();
      while (!anew.done) anew = slices.next();
      expect(result(kept), `seed ${seed}, step ${step}`).toEqual(result(anew.value));
    }
    cache.close();
    user.close();
  }
  expect(steps).toBeGreaterThan(seeds * 5);
});

const result = ({ tree, nodes, paths, leaves, mine }: Pick<WantedTree, 'tree' | 'nodes' | 'paths' | 'leaves' | 'mine'>) => ({
  tree: new Map([...tree].sort()),
  nodes: new Map([...nodes].sort()),
  paths: new Map([...paths].sort()),
  leaves: new Map([...leaves].sort()),
  mine: [...mine].sort(),
});

const folders = [11, 12, 13];
const upsert = (kind: Change['kind'], id: number, resource: Record<string, unknown>, course_id?: number): Change => ({
  kind,
  id,
  op: 'upsert',
  resource,
  ...(course_id === undefined ? {} : { course_id }),
});

const aBeginning = (): Change[] => [
  upsert('course', 1, { id: 1, name: 'Algebra', course_code: 'ALG' }, 1),
  upsert('folder', 10, { id: 10, name: 'course files', parent_folder_id: null }, 1),
  ...folders.map((id) => upsert('folder', id, { id, name: `Week ${id}`, parent_folder_id: 10 }, 1)),
  upsert('folder', 20, { id: 20, name: 'my files', parent_folder_id: null }),
  upsert('folder', 21, { id: 21, name: 'handed in', parent_folder_id: 20, for_submissions: true }),
  upsert('page', 30, { page_id: 30, url: 'welcome', title: 'Welcome', body: '<a href="/courses/1/files/101">a</a>' }, 1),
  upsert('assignment', 40, { id: 40, name: 'Essay', description: '<a href="/courses/1/files/102">b</a>' }, 1),
];

function aChange(random: Random): Change {
  const what = random.below(12);
  if (what === 0)
    return upsert('page', 30, { page_id: 30, url: 'welcome', title: 'Welcome', body: `${random.below(9)} <a href="/files/103">` }, 1);
  if (what === 1) return upsert('assignment', 40, { id: 40, name: 'Essay', description: `${random.below(9)}` }, 1);
  if (what === 2) return upsert('submission', 50, { id: 50, assignment_id: 40, user_id: 7, grade: `${random.below(9)}` }, 1);
  const folder = random.pick(folders);
  if (what === 4 && random.chance(0.5)) return upsert('course', 1, { id: 1, name: 'Algebra', course_code: `${random.below(2)}` }, 1);
  if (what === 4)
    return upsert('folder', folder, { id: folder, name: `Week ${folder}`, parent_folder_id: 10, files_count: random.below(9) }, 1);
  if (what === 3) return upsert('folder', folder, { id: folder, name: `Week ${random.below(3)}`, parent_folder_id: 10 }, 1);
  if (what === 8) return upsert('planner_note', 60, { id: 60, title: `${random.below(9)}`, details: '', todo_date: null });
  const id = 101 + random.below(8);
  if (what < 7) return { kind: 'file', id, op: 'delete', course_id: 1 };
  if (what === 7) return { kind: 'file', id, op: 'delete', course_id: 1, withheld: 'locked' as never };
  const isMine = random.chance(0.2);
  const folder_id = isMine ? random.pick([20, 21]) : random.pick([10, ...folders, 99]);
  const content = { size: random.below(9), sha256: random.chance(0.1) ? null : `${random.below(9)}`, url: 'there' };
  return upsert(
    'file',
    id,
    { id, folder_id, display_name: random.pick(names), 'content-type': 'text/plain', ...content },
    isMine ? undefined : 1,
  );
}
