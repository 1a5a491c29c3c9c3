// Cursors after a server was restored from a backup: changes that a client has seen and the log has lost are detected.

import { env } from 'cloudflare:test';
import type { ChangesPage } from '@carrel/shared/sync/protocol';
import { forgetMarks } from '@carrel/worker/database/forget';
import { log_marks } from '@carrel/worker/database/housekeeping';
import { newMeter, open } from '@carrel/worker/database/open';
import { expect, test } from 'vitest';
import { as, ground, many, n, nth, ok, within } from '../support/api';
import { misreading } from '../support/between';
import { aCourse, type Person } from '../support/ground';

const ask = async (person: Person, cursor?: string, limit = 1000) =>
  within(await as(person).get('/api/sync/v1/changes', { ...(cursor && { cursor }), limit }), 3);

async function settled(person: Person, from?: string): Promise<string> {
  let page: ChangesPage | undefined;
  while (page?.has_more !== false) page = ok(await ask(person, page?.cursor ?? from));
  return page.cursor;
}

const run = (...statements: string[]) => env.DB.batch(statements.map((one) => env.DB.prepare(one)));

/** Puts the next change into another second without waiting. */
const secondPasses = () => run("update log_marks set changed_at = changed_at || 'x'");

/** Saves the log as a backup would. */
const backUp = () =>
  run(
    'drop table if exists kept_changes',
    'drop table if exists kept_marks',
    'create table kept_changes as select * from changes',
    'create table kept_marks as select * from log_marks',
  );

const restore = () =>
  run(
    'delete from changes',
    'delete from log_marks',
    'insert into log_marks select * from kept_marks',
    'insert into changes select * from kept_changes',
  );

const newestSeq = async () => ((await env.DB.prepare('select max(seq) as seq from changes').first()) as { seq: number }).seq;
const forked = { error: 'must_refetch', reason: 'forked' };

test('a cursor from after the backup is forked, even when the log has grown past it; older cursors continue', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const write = (title: string) => as(teacher).post(`/courses/${course.id}/pages`, { wiki_page: { title, body: 'x', published: true } });
  const groups = (name: string) => as(teacher).post(`/courses/${course.id}/assignment_groups`, { name });
  ok(await write('Before'));
  const early = await settled(student);
  const halfway = (ok(await ask(student, undefined, 2)) as ChangesPage).cursor;
  ok(await write('Last of the backup'));
  await backUp();
  const atBackup = await settled(student);

  // The lost changes begin in the second of the backup and continue in another.
  const lost: string[] = [];
  ok(await write('Lost at once'));
  lost.push(await settled(student), (ok(await ask(student, undefined, 2)) as ChangesPage).cursor);
  await secondPasses();
  for (const name of ['Lost', 'Lost, too']) ok(await groups(name));
  lost.push(await settled(student, lost[0]), await settled(student, early), (ok(await ask(student, halfway, 2)) as ChangesPage).cursor);
  const far = await newestSeq();

  await restore();
  for (const cursor of lost) expect(ok(await ask(student, cursor), 409)).toEqual(forked);
  await secondPasses();
  for (let turn = 0; (await newestSeq()) <= far + 5; turn += 1) ok(await write(`Another ${turn}`));
  for (const cursor of lost) expect(ok(await ask(student, cursor), 409)).toEqual(forked);
  for (const cursor of [early, halfway, atBackup]) {
    const page = ok(await ask(student, cursor)) as ChangesPage;
    expect(page.changes).toContainEqual(
      expect.objectContaining({ kind: 'page', resource: expect.objectContaining({ title: 'Another 0' }) }),
    );
    expect(ok(within(await ask(student, await settled(student, page.cursor)), 2))).toMatchObject({ changes: [], has_more: false });
  }
  // Restored once more, to the same state.
  const second = await settled(student);
  await restore();
  await secondPasses();
  while ((await newestSeq()) <= far + 20) ok(await write('Third'));
  expect(ok(await ask(student, second), 409)).toEqual(forked);
  ok(await ask(student, atBackup));
});

test('a replaced log is forked for everyone; a cursor of an older format is unreadable', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const cursor = await settled(student);
  const sent = JSON.parse(atob(cursor.replaceAll('-', '+').replaceAll('_', '/'))) as unknown[];
  const written = (parts: unknown[]) => btoa(JSON.stringify(parts));
  expect(ok(await ask(student, written([2, ...sent.slice(1, 6)])), 409)).toEqual({ error: 'must_refetch', reason: 'unreadable' });
  for (const parts of [[...sent.slice(0, 6)], [...sent.slice(0, 6), 'x', sent[7]], [...sent.slice(0, 7), null]])
    expect(ok(await ask(student, written(parts)), 409)).toEqual({ error: 'must_refetch', reason: 'unreadable' });
  expect(ok(await ask(student, written([...sent.slice(0, 7), 'another'])), 409)).toEqual(forked);
  ok(await ask(student, cursor));
  await run('delete from log_marks');
  expect(ok(await ask(student, cursor), 409)).toEqual(forked);
  ok(await as(teacher).post(`/courses/${course.id}/assignment_groups`, { name: 'After' }));
  expect(ok(await ask(student, cursor), 409)).toEqual(forked);
  ok(await ask(student, await settled(student)));
});

test('log marks are deleted with the tombstones, a thousand at a time; cursors older than that have expired, newer ones continue', async () => {
  const { student } = await aCourse(ground);
  const cursor = await settled(student);
  const sent = JSON.parse(atob(cursor.replaceAll('-', '+').replaceAll('_', '/'))) as unknown[];
  const db = open(env.DB, newMeter(), 'first-primary');
  const count = async () => ((await env.DB.prepare('select count(*) as n from log_marks').first()) as { n: number }).n;
  // A mark for each of the first changes and for many that have been replaced since, all long past.
  await run('delete from log_marks');
  await many(2500, log_marks, { changed_at: nth('2020-01-01 '), nonce: nth('nonce '), first_seq: n });
  expect(await forgetMarks(db, '2026-01-01T00:00:00Z')).toBe(1499);
  expect(await count()).toBe(1500);
  for (const _ of [1, 2, 3]) await forgetMarks(db, '2026-01-01T00:00:00Z');
  expect(await count()).toBe(1);
  const at = (time: string, newest: number, mark: string) =>
    btoa(JSON.stringify([sent[0], sent[1], newest, time, sent[4], sent[5], newest, mark]));
  const newest = await newestSeq();
  expect(newest).toBeLessThan(2500);
  expect(ok(await ask(student, at('2020-01-01T00:00:00Z', newest, `nonce ${newest}`)), 409)).toEqual({
    error: 'must_refetch',
    reason: 'expired',
  });
  expect(ok(await ask(student, at(sent[3] as string, newest, `nonce ${newest}`)), 409)).toEqual(forked);
});

test('a lagging replica, or one with another epoch, rejects no cursor: the primary is asked', async () => {
  const { student } = await aCourse(ground);
  const cursor = await settled(student);
  for (const behind of [{ newest_seq: 1 }, { seen_mark: 'older' }, { seen_mark: null }, { epoch: 'former' }, { oldest_seq: 1e9 }]) {
    const answer = await misreading(() => ask(student, cursor), /newest_seq/, behind);
    expect(ok(within(answer, 3))).toMatchObject({ changes: [], has_more: false });
  }
});
