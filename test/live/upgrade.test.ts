// A stored baseline database with data is brought up to date at a start. It is the demo institution of `npm start`, with one more row in
// each table that the demo leaves empty; the tables that only a running batch fills stay empty.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { clientOf } from '../support/client';
import { listedMigrations } from '../support/migrations';
import { migrate, type Server, startServer } from '../support/server';

const folder = mkdtempSync(join(tmpdir(), 'carrel-upgrade-'));
let server: Server | undefined;
afterAll(async () => {
  await server?.kill();
  rmSync(folder, { recursive: true, force: true });
});

/** The token of a student in the stored database. */
const token = 'a-student-of-the-stored-baseline';

/** Tables that a migration has renamed since. */
const renamed: Readonly<Record<string, string>> = {
  happenings: 'notification_queue',
  moments: 'scheduled_changes',
  sign_in_brakes: 'login_throttles',
};

/** The path of the local database, in the runtime's state folder. */
function fileOf(persist: string): string {
  const at = 'v3/d1/miniflare-D1DatabaseObject';
  const name = readdirSync(join(persist, at)).find((one) => one.endsWith('.sqlite') && one !== 'metadata.sqlite');
  return join(at, name ?? '');
}

function reading<T>(file: string, read: (all: (query: string) => Record<string, unknown>[]) => T): T {
  const database = new DatabaseSync(file);
  try {
    return read((query) => database.prepare(query).all());
  } finally {
    database.close();
  }
}

/** Without the table in which wrangler, or who applies them in its place, notes the migrations. */
const schemaOf = (file: string) =>
  reading(file, (all) =>
    all(
      "select type, name, tbl_name, sql from sqlite_master where name not like '\\_cf%' escape '\\' and name not like 'sqlite%' and name <> 'd1_migrations' order by type, name",
    ),
  );

const rowsOf = (file: string, tables: readonly string[]) =>
  reading(file, (all) => Object.fromEntries(tables.map((table) => [table, all(`select count(*) as n from "${table}"`)[0]?.n])));

test('a stored baseline database is upgraded to equal a new one, keeps its data, and the service works with it', async () => {
  const [fresh, old] = [join(folder, 'fresh'), join(folder, 'old')];
  await migrate(fresh);
  const file = fileOf(fresh);
  const [wanted, stored] = [join(fresh, file), join(old, file)];
  mkdirSync(dirname(stored), { recursive: true });
  writeFileSync(stored, gunzipSync(readFileSync(join(import.meta.dirname, '../support/baseline.sqlite.gz'))));
  const applied = reading(stored, (all) => all('select name from d1_migrations').map(({ name }) => String(name)));
  const hashes = listedMigrations();
  const mark = { migrations: Object.fromEntries(applied.map((name) => [name, hashes[name]])), triggers: 'of the baseline' };
  writeFileSync(join(old, 'migrated'), JSON.stringify(mark));
  const tables = reading(stored, (all) =>
    all("select name from sqlite_master where type = 'table' and sql not like 'create virtual%' and name not like '\\_cf%' escape '\\'"),
  ).map(({ name }) => String(name));
  const before = rowsOf(stored, tables);
  const empty = tables.filter((name) => before[name] === 0);
  expect(empty.length, `tables without a row: ${empty.join(', ')}`).toBeLessThan(tables.length / 10);

  await migrate(old);
  expect(schemaOf(stored)).toEqual(schemaOf(wanted));
  const changed = new Set(['trigger_hashes', 'd1_migrations', 'sqlite_sequence']);
  const kept = tables.filter((name) => !changed.has(name));
  const after = rowsOf(
    stored,
    kept.map((name) => renamed[name] ?? name),
  );
  expect(Object.fromEntries(kept.map((name) => [name, after[renamed[name] ?? name]]))).toEqual(
    Object.fromEntries(kept.map((name) => [name, before[name]])),
  );

  const students = "from enrollments where type = 'StudentEnrollment' and enrollment_state in ('active', 'completed')";
  expect(reading(stored, (all) => all('select course_id, user_id from course_students where is_student = 1 order by 1, 2'))).toEqual(
    reading(stored, (all) => all(`select distinct course_id, user_id ${students} order by 1, 2`)),
  );

  server = await startServer({ persist: old });
  const student = clientOf((to, init) => fetch(to, init), server.url, token);
  const courses = (await student.get('/courses')).body as { id: number; name: string }[];
  expect(courses.map(({ name }) => name)).toContain('A History of Libraries');
  const course = courses.find(({ name }) => name === 'A History of Libraries')?.id;
  expect((await student.get(`/courses/${course}/assignments`)).body).not.toEqual([]);
  const found = (await student.get(`/courses/${course}/smartsearch`, { q: 'library' })).body as { results: unknown[] };
  expect(found.results, 'the search index').not.toEqual([]);
  const note = await student.post('/planner_notes', { title: 'Written after the upgrade', todo_date: '2026-12-01' });
  expect(note.status).toBe(201);
  const logged = reading(stored, (all) => all("select count(*) as n from changes where kind = 'planner_note'"));
  expect(logged[0]?.n, 'the change log grows').toBeGreaterThan(Number(before.planner_notes));
});
