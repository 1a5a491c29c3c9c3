// The two databases: what they refuse, what they survive, and what they store together.

import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { storeOf } from '@carrel/desktop/engine/accounts/account';
import { Outbox } from '@carrel/desktop/engine/outbox/outbox';
import { draftAt, keepDraft } from '@carrel/desktop/engine/outbox/work_drafts';
import { Cache, openCache } from '@carrel/desktop/engine/store/cache';
import { openDatabase } from '@carrel/desktop/engine/store/driver';
import { openUser, saveUser, UserStore } from '@carrel/desktop/engine/store/user';
import type { Change } from '@carrel/shared/sync/protocol';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { links } from '../support/systems';
import { aFakeCourse } from './support/course';
import { FakeServer } from './support/fake_server';
import { Student } from './support/student';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'carrel-store-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

describe('a database', () => {
  test('of a newer program is refused, not damaged', () => {
    const path = join(home, 'user.db');
    new UserStore(path, () => new Date()).close();
    const database = new DatabaseSync(path);
    database.exec('PRAGMA user_version = 99; CREATE TABLE tomorrow (a)');
    database.close();
    const before = readFileSync(path);
    expect(() => new UserStore(path, () => new Date())).toThrow(/newer version of Carrel/);
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test('is migrated forward, with a copy of its earlier state', () => {
    const path = join(home, 'a.db');
    const first = openDatabase({ path, migrations: ['CREATE TABLE a (x)'] });
    first.exec('INSERT INTO a VALUES (1)');
    first.close();
    const second = openDatabase({ path, migrations: ['CREATE TABLE a (x)', 'ALTER TABLE a ADD COLUMN y'] });
    expect(second.prepare('SELECT x, y FROM a').get()).toMatchObject({ x: 1, y: null });
    second.close();
    expect(existsSync(`${path}.schema-1`)).toBe(true);
  });

  test('whose migration fails stays as it was', () => {
    const path = join(home, 'a.db');
    openDatabase({ path, migrations: ['CREATE TABLE a (x)'] }).close();
    expect(() => openDatabase({ path, migrations: ['CREATE TABLE a (x)', 'CREATE TABLE b (x); nonsense'] })).toThrow();
    const database = openDatabase({ path, migrations: ['CREATE TABLE a (x)'] });
    expect(database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()).toHaveLength(1);
    database.close();
  });
});

describe('the cache', () => {
  const page = (cursor: string, ids: number[]) => ({
    epoch: 'one',
    cursor,
    has_more: false,
    changes: ids.map((id) => ({ kind: 'file' as const, id, op: 'upsert' as const, course_id: 1, resource: { id } })),
  });

  test('stores a page and its cursor together', () => {
    const cache = new Cache(join(home, 'cache.db'));
    cache.apply(page('1', [1, 2]));
    const broken = page('2', [3]);
    // A change that cannot be stored rolls back its whole page.
    expect(() => cache.apply({ ...broken, changes: [...broken.changes, { ...broken.changes[0], id: 1.5 } as never] })).toThrow();
    expect(cache.cursor()).toBe('1');
    expect(cache.get('file', 3)).toBeUndefined();
    cache.close();
  });

  test('keeps items of kinds that it does not know, and goes on', () => {
    const cache = new Cache(join(home, 'cache.db'));
    const change = { kind: 'unheard_of' as never, course_id: 1 };
    const next = (cursor: string, changes: Change[]) => cache.apply({ epoch: 'one', cursor, has_more: false, changes });
    next('a', [{ ...change, id: 1, op: 'upsert', resource: { id: 1, title: 'Later', description: '<p>x</p>' } }]);
    next('b', [
      { ...change, id: 1, op: 'upsert', resource: { id: 1, title: 'Changed' } },
      { ...change, id: 2, op: 'delete' },
      { kind: 'quiz', id: 3, op: 'upsert', course_id: 1, resource: { id: 3, title: 'Cells' } },
      { kind: 'quiz_submission', id: 4, op: 'upsert', course_id: 1, resource: { id: 4, quiz_id: 3, score: 2 } },
    ]);
    expect([cache.cursor(), cache.get('unheard_of' as never, 1), cache.get('quiz', 3)]).toEqual([
      'b',
      { id: 1, title: 'Changed' },
      { id: 3, title: 'Cells' },
    ]);
    next('c', [{ kind: 'course', id: 1, course_id: 1, op: 'delete' }]);
    expect([cache.get('unheard_of' as never, 1), cache.get('quiz', 3), cache.get('quiz_submission', 4)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    cache.close();
  });

  test('remembers tombstones until it starts over', () => {
    const cache = new Cache(join(home, 'cache.db'));
    cache.apply(page('1', [1, 2]));
    cache.apply({ ...page('2', []), changes: [{ kind: 'course', id: 1, op: 'delete' }] });
    const gone = () => ['file:1', 'file:2', 'file:3'].filter((key) => cache.gone.has(key));
    expect(gone()).toEqual(['file:1', 'file:2']);
    cache.apply(page('3', [2]));
    expect(gone()).toEqual(['file:1']);
    cache.reset();
    expect(gone()).toEqual([]);
    expect(cache.cursor()).toBeUndefined();
    cache.close();
  });

  test('keeps replaced texts once, with the page that replaces them, or not at all', () => {
    const cache = new Cache(join(home, 'cache.db'));
    const result = (cursor: string, more: Record<string, unknown>, extra: unknown[] = []) => ({
      ...page(cursor, []),
      changes: [
        { kind: 'page' as const, id: 9, op: 'upsert' as const, course_id: 1, resource: { page_id: 9, title: 'Tides', ...more } },
        ...(extra as []),
      ],
    });
    const kept = () => cache.versions.of('page', 9).map(({ html }) => html);
    cache.apply(result('1', { body: 'one' }));
    // If the program is killed in between, neither the page nor the texts are stored: the feed sends both again.
    expect(() => cache.apply(result('2', { body: 'two' }, [{ kind: 'file', id: 1.5, op: 'upsert', resource: {} }]))).toThrow();
    expect(kept()).toEqual([]);
    for (const cursor of ['2', '2', '3']) cache.apply(result(cursor, { body: 'two' }));
    expect(kept()).toEqual(['one']);
    // A new key to its files does not make another text; neither does a temporary lock.
    cache.apply(result('4', { body: 'three <img src="/files/5/preview?verifier=a">' }));
    cache.apply(result('5', { body: 'three <img src="/files/5/preview?verifier=b">' }));
    cache.apply(result('6', { locked_for_user: true }));
    cache.apply(result('7', { body: 'three <img src="/files/5/preview?verifier=b">' }));
    expect(kept()).toEqual(['two', 'one']);
    // A text that comes back is not an earlier one.
    cache.apply(result('8', { body: 'one' }));
    expect(kept()).toEqual([expect.stringContaining('three'), 'two']);
    // The server has another history: what had changed by then shows when everything is fetched again.
    cache.reset();
    cache.apply(result('9', { body: 'four' }));
    expect(kept()).toEqual(['one', expect.stringContaining('three'), 'two']);
    for (let nth = 0; nth < 30; nth++) cache.apply(result(`10 ${nth}`, { body: `edit ${nth}` }));
    expect(kept()).toEqual(Array.from({ length: 20 }, (_, nth) => `edit ${28 - nth}`));
    // A text may be unpublished for editing, and come back; one that does not is eventually forgotten.
    const gone = (cursor: string) => ({ ...page(cursor, []), changes: [{ kind: 'page' as const, id: 9, op: 'delete' as const }] });
    cache.apply(gone('11'));
    cache.apply(result('12', { body: 'rewritten' }));
    expect(kept().slice(0, 2)).toEqual(['edit 29', 'edit 28']);
    cache.apply(gone('13'));
    cache.apply(gone('14'), new Date(Date.now() + 91 * 86_400_000));
    expect(kept()).toEqual([]);
    cache.close();
  });

  test('that is damaged is created again', () => {
    const path = join(home, 'cache.db');
    writeFileSync(path, 'this is no database, however long it is made to look like one'.repeat(100));
    const cache = openCache(path);
    expect(cache.cursor()).toBeUndefined();
    cache.close();
  });
});

describe('a study whose cache is missing', () => {
  test('fetches the feed again, and no file', async () => {
    const server = await new FakeServer().start();
    const course = aFakeCourse(server);
    for (let nth = 0; nth < 5; nth++) course.file(`${nth}.txt`, `${nth}`);
    const student = await Student.at(server);
    await student.sync();
    const before = student.stamps();
    const { signedIn } = student.study;
    await student.study.close();
    rmSync(join(storeOf(student.store, signedIn), 'cache.db'));
    await student.restart();
    expect(await student.sync()).toMatchObject({ outcome: 'complete', requests: 1, downloaded: 0, unchanged: 5 });
    expect(student.stamps()).toEqual(before);
    await student.leave();
    await server.stop();
  });
});

describe('a disk with bit errors', () => {
  test('in any one page loses only the user’s data on that page', () => {
    const path = join(home, 'user.db');
    const now = () => new Date();
    const whole = new UserStore(path, now);
    keepDraft(whole, { course_id: 1, assignment_id: 2, type: 'online_text_entry', text: 'half an essay', url: '', files: [] }, now());
    new Outbox(whole, now).createNote({ title: 'Read', details: null, todo_date: '2026-11-22T00:00:00Z', course_id: null });
    whole.set('folder', home);
    whole.close();
    const bytes = readFileSync(path);
    const size = 4096;
    for (let at = size; at < bytes.length; at += size) {
      rmSync(home, { recursive: true });
      mkdirSync(home);
      writeFileSync(path, Buffer.from(bytes).fill(0xff, at, at + size));
      let user = openUser(path, now);
      if (!user.isSound()) {
        user.close();
        user = saveUser(path, now);
        // The damaged file is still there, unchanged.
        expect(readdirSync(home).filter((name) => name.includes('.damaged-')).length).toBeGreaterThan(0);
      }
      const left = [draftAt(user, 2)?.text, new Outbox(user, now).pending()[0]?.verb, user.setting('folder')];
      expect(left.filter((one) => one === undefined).length).toBeLessThanOrEqual(1);
      user.close();
    }
  });

  test('is noticed during a sync: the cache is fetched again, the user’s own data is saved, and no file on the disk changes', async () => {
    const server = await new FakeServer().start();
    aFakeCourse(server).file('a.txt', 'A');
    const student = await Student.at(server);
    await student.sync();
    const { signedIn, outbox } = student.study;
    outbox.createNote({ title: 'Read', details: null, todo_date: '2026-11-22T00:00:00Z', course_id: null });
    const damage = (name: string, sql: string) => {
      const database = new DatabaseSync(join(storeOf(student.store, signedIn), name));
      database.exec(sql);
      database.close();
    };
    await student.study.close();
    damage('cache.db', "UPDATE resources SET json = 'x' || json");
    damage('user.db', "UPDATE settings SET value = '{' || value WHERE name = 'homes'");
    await student.restart();
    expect(await student.sync()).toMatchObject({
      outcome: 'complete with issues',
      downloaded: 0,
      issues: [{ what: 'damaged', where: expect.stringContaining('user.db.damaged-') }],
    });
    expect(server.all('planner_note')).toMatchObject([{ title: 'Read' }]);
    expect(student.tree()).toEqual({ 'Algebra/a.txt': 'A' });
    await student.leave();
    await server.stop();
  });
});

test('a folder that cannot be read changes nothing about its files', async (context) => {
  links(context);
  const server = await new FakeServer().start();
  const course = aFakeCourse(server);
  const week = course.folder('Week 1');
  course.file('a.txt', 'A', week);
  const student = await Student.at(server);
  await student.sync();
  // The student moved the folder to a larger disk and left a link.
  renameSync(student.path('Algebra', 'Week 1'), join(home, 'Week 1'));
  symlinkSync(join(home, 'Week 1'), student.path('Algebra', 'Week 1'));
  expect(await student.sync()).toMatchObject({ outcome: 'complete with issues', issues: [{ what: 'folder' }] });
  expect(student.study.user.unwanted().size).toBe(0);
  await student.leave();
  await server.stop();
});
