// A snapshot and later changes, in pages of any size: nothing is repeated in full, nothing is lost.

import { env } from 'cloudflare:test';
import { type Branch, branchesOf, type ProofLeaf, type ProofPage } from '@carrel/shared/sync/proof';
import type { Change, ChangesPage } from '@carrel/shared/sync/protocol';
import { forgetTombstones } from '@carrel/worker/database/forget';
import { newMeter, open } from '@carrel/worker/database/open';
import { files } from '@carrel/worker/domains/files/table';
import { sha256 } from '@carrel/worker/http/idempotency';
import { sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { expect, test } from 'vitest';
import { as, ground, many, nth, ok, within } from '../support/api';
import type { Answer } from '../support/client';
import { follow } from '../support/feed';
import { aCourse, type Person } from '../support/ground';
import { apply, differences, type MirrorView, restView } from '../support/mirror';
import { upload } from '../support/upload';
import { wrote } from '../support/watched_course';

async function aScene() {
  const scene = await aCourse(ground);
  const { course, teacher, student } = scene;
  const at = `/courses/${course.id}`;
  for (const name of ['One', 'Two', 'Three', 'Four']) {
    wrote(await as(teacher).post(`${at}/assignments`, { assignment: { name, published: name !== 'Two' } }));
    wrote(await as(teacher).post(`${at}/pages`, { wiki_page: { title: name, body: name, published: true } }));
    wrote(await as(student).post('/planner_notes', { title: name, todo_date: '2026-11-21T12:00:00Z' }));
  }
  const file = await upload(teacher, `${at}/files`, { name: 'notes.txt' }, 'Notes');
  return { ...scene, at, file };
}

const ask = (person: Person, cursor: string | undefined, limit: number): Promise<Answer> =>
  as(person).get('/api/sync/v1/changes', { ...(cursor !== undefined && { cursor }), limit });

const viewOf = (changes: readonly Change[]): MirrorView => {
  const view: MirrorView = new Map();
  apply(view, changes);
  return view;
};

test('pages of any size add up to the same snapshot', async () => {
  const { student } = await aScene();
  const whole = await follow(as(student), 1000).catchUp();
  for (const limit of [1, 2, 3, 5, 7]) {
    const pages = await follow(as(student), limit).catchUp();
    expect(new Set(pages.map((change) => JSON.stringify(change))), `pages of ${limit}`).toEqual(
      new Set(whole.map((change) => JSON.stringify(change))),
    );
    expect(pages.length, `pages of ${limit}`).toBe(whole.length);
  }
});

test('a page is filled course by course, up to the limit of one request', async () => {
  const { student } = await aScene();
  for (let n = 0; n < 5; n++) {
    const { course, teacher } = await aCourse(ground);
    wrote(await as(teacher).post(`/courses/${course.id}/assignments`, { assignment: { name: `Essay ${n}`, published: true } }));
    await ground.enroll({ ...course, name: '' }, student, 'student');
  }
  const first = ok(within(await ask(student, undefined, 1000), 3)) as ChangesPage;
  expect(first.has_more).toBe(false);
  expect(new Set(first.changes.map(({ course_id }) => course_id)).size).toBe(7);
  const pages = await follow(as(student), 4).catchUp();
  expect(pages.length).toBe(first.changes.length);
  for (let n = 0; n < 4; n++) {
    const { course } = await aCourse(ground);
    await ground.enroll({ ...course, name: '' }, student, 'student');
  }
  const many = ok(within(await ask(student, undefined, 1000), 3)) as ChangesPage;
  expect(many.has_more).toBe(true);
  const rest = ok(within(await ask(student, many.cursor, 1000), 3)) as ChangesPage;
  expect(rest.has_more).toBe(false);
  const result = [...many.changes, ...rest.changes].map(({ kind, id }) => `${kind} ${id}`);
  expect(new Set(result).size).toBe(result.length);
  expect(result.filter((key) => key.startsWith('course ')).length).toBe(10);
});

test('writes during a paged snapshot are not lost', async () => {
  for (const limit of [1, 4]) {
    const { at, course, teacher, student, file } = await aScene();
    const assignments = wrote(await as(teacher).get(`${at}/assignments`)) as { id: number }[];
    const [first, second, third] = assignments.map(({ id }) => `${at}/assignments/${id}`) as [string, string, string];
    const writes: (() => Promise<Answer>)[] = [
      () => as(teacher).put(first, { assignment: { name: 'Renamed' } }),
      () => as(teacher).put(second, { assignment: { published: true } }),
      () => as(teacher).del(third),
      () => as(teacher).put(`${at}/tabs/pages`, { hidden: true }),
      () => as(teacher).post(`${at}/pages`, { wiki_page: { title: 'Late', body: 'x', published: true } }),
      () => as(teacher).put(`/files/${file.id}`, { hidden: true }),
      () => as(student).post('/planner_notes', { title: 'Late', todo_date: '2026-11-21T12:00:00Z' }),
      () => as(teacher).put(`${at}/tabs/pages`, { hidden: false }),
      () => as(teacher).put(`${at}/settings`, { allow_student_forum_attachments: false }),
    ];
    const view: MirrorView = new Map();
    let cursor: string | undefined;
    for (let more = true; more; ) {
      const page = ok(await ask(student, cursor, limit)) as ChangesPage;
      apply(view, page.changes);
      cursor = page.cursor;
      const write = writes.shift();
      if (write) wrote(await write());
      more = page.has_more || write !== undefined;
    }
    const rest = await restView(as(student), student, [course]);
    // The first read of personal files creates their root folder.
    apply(view, (ok(await ask(student, cursor, 1000)) as ChangesPage).changes);
    expect(differences(view, rest), `pages of ${limit}`).toEqual([]);
  }
});

test('when tombstones expire, only clients that have not seen them have to start again', async () => {
  const { at, teacher, student } = await aScene();
  const early = ok(await ask(student, undefined, 1000)) as ChangesPage;
  const settled = ok(await ask(student, early.cursor, 1000)) as ChangesPage;
  const [note] = wrote(await as(student).get('/planner_notes')) as { id: number }[];
  await env.DB.prepare('delete from planner_notes where id = ?').bind(note?.id).run();
  wrote(await as(teacher).post(`${at}/pages`, { wiki_page: { title: 'Late', body: 'x', published: true } }));
  const heard = ok(await ask(student, settled.cursor, 1000)) as ChangesPage;
  expect(heard.changes).toContainEqual({ kind: 'planner_note', id: note?.id, op: 'delete' });
  const db = open(env.DB, newMeter(), 'first-primary');
  await forgetTombstones(db, '2099-01-01T00:00:00Z');
  expect(ok(await ask(student, settled.cursor, 1000), 409)).toEqual({ error: 'must_refetch', reason: 'expired' });
  expect((ok(await ask(student, heard.cursor, 1000)) as ChangesPage).changes).toEqual([]);
  expect(viewOf(await follow(as(student)).catchUp()).has(`planner_note ${note?.id}`)).toBe(false);
});

test('a folder that lost a file is still in a first sync when tombstones have expired', async () => {
  const { at, course, teacher, student } = await aScene();
  const folder = wrote(await as(teacher).post(`${at}/folders`, { name: 'Week 1', parent_folder_path: '/' }));
  const file = await upload(teacher, `${at}/files`, { name: 'old.txt', parent_folder_id: folder.id } as never, 'Old');
  await env.DB.prepare('delete from files where id = ?').bind(file.id).run();
  const db = open(env.DB, newMeter(), 'first-primary');
  await forgetTombstones(db, '2099-01-01T00:00:00Z');
  const rest = await restView(as(student), student, [course]);
  expect([...rest.keys()]).toContain(`folder ${folder.id}`);
  expect(differences(viewOf(await follow(as(student)).catchUp()), rest)).toEqual([]);
});

test('10,000 files: a snapshot reads each once, an idle client none of them', async () => {
  const { student, file, course } = await aScene();
  const idle = async () => {
    let page: ChangesPage | undefined;
    const cost = { rows: 0, trips: 0, files: 0 };
    const leaves: ProofLeaf[] = [];
    while (page?.has_more !== false) {
      const answer = within(await ask(student, page?.cursor, 1000), 3);
      const told = ok(answer) as ChangesPage;
      cost.rows += answer.cost.rows_read;
      const files = told.changes.flatMap((change) => (change.kind === 'file' && change.op === 'upsert' ? [change.resource] : []));
      leaves.push(...(files as unknown as ProofLeaf[]));
      cost.files += files.length;
      page = told;
    }
    const last = within(await ask(student, page.cursor, 1000), 2);
    expect(ok(last)).toMatchObject({ changes: [], has_more: false });
    return { ...cost, leaves, idle: last.cost.rows_read };
  };
  const small = await idle();
  const same = (column: SQLiteColumn) => sql`(select ${column} from files where id = ${file.id})`;
  await many(10_000, files, {
    uuid: nth('uuid-'),
    display_name: nth('file '),
    context_type: same(files.context_type),
    context_id: same(files.context_id),
    folder_id: same(files.folder_id),
    filename: same(files.filename),
    content_type: same(files.content_type),
    size: same(files.size),
    blob_id: same(files.blob_id),
    user_id: same(files.user_id),
    workflow_state: same(files.workflow_state),
    created_at: same(files.created_at),
    updated_at: same(files.updated_at),
  });
  const large = await idle();
  expect(large.files).toBe(small.files + 10_000);
  // Per file: its log entry, and the file with its stored object and folder.
  expect(large.rows - small.rows).toBeLessThan(10_000 * 10);
  expect(large.idle).toBeLessThanOrEqual(small.idle + 5);

  // Its proof takes two pages, reads each file with its stored object once, and hashes what was sent.
  const proven: Branch[] = [];
  for (let after: string | undefined = ''; after !== undefined; ) {
    const answer = within(await as(student).get(`/api/sync/v1/courses/${course.id}/proof`, { after }), 2);
    const page = ok(answer) as ProofPage;
    expect(answer.cost.rows_read).toBeLessThan(10_001 * 3 + 200);
    proven.push(...page.branches);
    after = page.next;
  }
  expect(proven).toEqual(await branchesOf(large.leaves, sha256));
});
