// Applied migrations are never edited, and triggers are updated to their current definition in a separate step.

import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { install, installation, nothing } from '@carrel/worker/database/install';
import { frequentlyNumbered } from '@carrel/worker/database/sequences';
import { triggers } from '@carrel/worker/database/triggers';
import { expect, test } from 'vitest';
import { unstable_splitSqlQuery } from 'wrangler';
import { triggersPage } from '../scripts/triggers_page';
import { fingerprints, listedMigrations, migrated, migrations, overSqlite } from './support/migrations';

/** Created by hand-written migrations, because drizzle-kit cannot write it. The shadow tables of virtual tables are left out. */
const byHand = [
  'account_runs',
  'account_search',
  'assignments_by_due_date',
  'calendar_events_in_context',
  'course_runs',
  'course_search',
  'course_words',
  'discussion_topics_by_plan',
  'discussion_topics_by_posting',
  'discussion_topics_by_reply',
  'discussion_topics_in_context',
  'external_feeds_once',
  'logins_by_unique_id',
  'people_runs',
  'people_search',
  'terms_in_account',
];

const namesIn = (database: DatabaseSync, type: string) =>
  database
    .prepare('select name from sqlite_master where type = ? order by name')
    .all(type)
    .map(({ name }) => String(name));

test('a listed migration is not edited, and every migration is listed', () => {
  expect(fingerprints(migrations), 'list a new migration with `npm run migrations`; never edit an old one, add a new one').toEqual(
    listedMigrations(),
  );
});

test('every change of the tables has a migration', { timeout: 60_000 }, async () => {
  const root = join(import.meta.dirname, '../worker');
  const out = mkdtempSync(join(tmpdir(), 'carrel-migrations-'));
  try {
    cpSync(migrations, out, { recursive: true });
    await promisify(execFile)(
      process.execPath,
      [join(root, 'node_modules/drizzle-kit/bin.cjs'), 'generate', '--config=drizzle.config.ts'],
      {
        cwd: root,
        env: { ...process.env, MIGRATIONS_OUT: relative(root, out) },
      },
    );
    const added = readdirSync(out).filter((name) => name.endsWith('.sql') && !(name in fingerprints(migrations)));
    expect(added.map((name) => readFileSync(join(out, name), 'utf8'))).toEqual([]);
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
});

test('a migrated database has the tables and indexes of the code, and the hand-written ones', () => {
  const last =
    readdirSync(join(migrations, 'meta'))
      .filter((name) => name.endsWith('_snapshot.json'))
      .sort()
      .at(-1) ?? '';
  const { tables } = JSON.parse(readFileSync(join(migrations, 'meta', last), 'utf8')) as {
    tables: Record<string, { name: string; indexes: Record<string, unknown> }>;
  };
  const wanted = Object.values(tables).flatMap(({ name, indexes }) => [name, ...Object.keys(indexes)]);
  const shadows = /^(?:\w+_search|course_words)_(?:data|idx|content|docsize|config)$/;
  const database = migrated();
  const found = [...namesIn(database, 'table'), ...namesIn(database, 'index')].filter(
    (name) => !name.startsWith('sqlite_') && !shadows.test(name),
  );
  expect(found.sort()).toEqual([...wanted, ...byHand].sort());
});

test('a trigger is named after its table and its purpose, without a number', () => {
  const names = triggers.map(({ name }) => name);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  expect(triggers.filter(({ name, on }) => !name.startsWith(`${on}__`) || /\d|__$/.test(name)).map(({ name }) => name)).toEqual([]);
});

test('only the triggers that have changed are dropped and created again', async () => {
  const database = migrated();
  const reached = overSqlite(database);
  const seen = () => database.prepare("select name, sql from sqlite_master where type = 'trigger' order by name").all();
  expect(await install(reached)).toBe(installation(nothing).length);
  const fresh = seen();
  expect(fresh).toHaveLength(triggers.length);
  expect(await install(reached), 'nothing to do').toBe(0);

  const [changed, lost] = triggers as unknown as { name: string; on: string }[];
  database.exec(`
    update trigger_hashes set hash = 'of another text' where name = '${changed?.name}';
    drop trigger ${lost?.name};
    create trigger courses__removed_since after insert on courses begin select 1; end;
    insert into trigger_hashes values ('courses__removed_since', 'of its text');
    create trigger of_another_tool after insert on courses begin select 1; end;`);
  // Drops: the changed one and the removed one. Creates: the changed one and the lost one. Two statements keep the hashes.
  expect(await install(reached)).toBe(6);
  expect(seen().filter(({ name }) => name !== 'of_another_tool')).toEqual(fresh);
  expect(seen()).toHaveLength(triggers.length + 1);
  expect(await install(reached)).toBe(0);
});

test('tables that triggers number are at the beginning of the sequences, with the ids that they have reached', async () => {
  const database = migrated();
  const reached = overSqlite(database);
  database.exec(`insert into sqlite_sequence (name, seq) values ('users', 7), ('webhook_deliveries', 41), ('grade_changes', 5)`);
  await install(reached);
  const seen = () => database.prepare('select name, seq from sqlite_sequence order by rowid').all() as { name: string; seq: number }[];
  expect(
    seen()
      .slice(0, frequentlyNumbered.length)
      .map(({ name }) => name),
  ).toEqual([...frequentlyNumbered]);
  expect(seen().filter(({ name }) => ['users', 'webhook_deliveries', 'grade_changes'].includes(name))).toEqual([
    { name: 'webhook_deliveries', seq: 41 },
    { name: 'grade_changes', seq: 5 },
    { name: 'users', seq: 7 },
  ]);
  // A rebuilt table loses its row.
  database.exec(
    "delete from sqlite_sequence where name = 'grade_changes'; insert into sqlite_sequence (name, seq) values ('grade_changes', 6)",
  );
  expect(await install(reached)).toBe(2);
  expect(seen().filter(({ name }) => name === 'grade_changes')).toEqual([{ name: 'grade_changes', seq: 6 }]);
  expect(await install(reached)).toBe(0);

  const numbered = database.prepare("select name from sqlite_master where type = 'table' and sql like '%autoincrement%'").all();
  const inserted = new Set(triggers.flatMap(({ sql }) => [...sql.matchAll(/insert (?:or \w+ )?into (\w+)/g)].map(([, table]) => table)));
  const byTriggers = numbered.map(({ name }) => String(name)).filter((name) => inserted.has(name));
  expect(byTriggers.filter((name) => !(frequentlyNumbered as readonly string[]).includes(name))).toEqual([]);
});

test('an empty database gets its first rows, and later installations do not overwrite changes of them', async () => {
  const database = migrated();
  await install(overSqlite(database));
  database.exec("update accounts set name = 'Whitmore University'; delete from trigger_hashes;");
  await install(overSqlite(database));
  expect(database.prepare('select id, name from accounts').all()).toEqual([{ id: 1, name: 'Whitmore University' }]);
  expect(database.prepare('select * from account_ancestors').all()).toEqual([{ ancestor_id: 1, account_id: 1 }]);
});

test('every statement of an installation is within the limits of D1', () => {
  expect(Math.max(...installation(nothing).map((statement) => Buffer.byteLength(statement)))).toBeLessThan(100_000);
});

test('wrangler splits an installation where statements end', () => {
  const statements = installation(nothing);
  expect(unstable_splitSqlQuery(statements.join('\n'))).toHaveLength(statements.length);
});

test('docs/triggers.md is up to date', () => {
  const page = readFileSync(join(import.meta.dirname, '../docs/triggers.md'), 'utf8');
  expect(page === triggersPage(), 'update docs/triggers.md with `npm run triggers`').toBe(true);
});

const at = '2026-01-01T00:00:00Z';
const made = { created_at: at, updated_at: at };

function insert(database: DatabaseSync, table: string, rows: readonly Record<string, string | number | null>[]): void {
  for (const row of rows) {
    const columns = Object.keys(row);
    database
      .prepare(`insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`)
      .run(...Object.values(row));
  }
}

/** A database before the migration with this name, and its text. */
function before(name: string) {
  const names = Object.keys(listedMigrations()).sort();
  const last = names.findIndex((one) => one.endsWith(`_${name}.sql`));
  return { database: migrated(names.slice(0, last)), migration: readFileSync(join(migrations, names[last] ?? ''), 'utf8') };
}

test('quizzes and attempts from before the triggers of the feed are logged once, and what is logged keeps its number', () => {
  const { database, migration } = before('log_quizzes');
  insert(database, 'quizzes', [
    { id: 1, course_id: 7, title: 'Old', workflow_state: 'available', due_at: '2098-01-01T00:00:00Z', ...made },
    { id: 2, course_id: 7, title: 'Logged', workflow_state: 'available', assignment_id: 5, lock_at: '2098-01-01T00:00:00Z', ...made },
    { id: 3, course_id: 7, title: 'Deleted', workflow_state: 'deleted', ...made },
  ]);
  insert(database, 'quiz_submissions', [
    {
      id: 4,
      quiz_id: 1,
      course_id: 7,
      user_id: 9,
      attempt: 1,
      validation_token: 't',
      workflow_state: 'untaken',
      end_at: '2098-01-01T01:00:00Z',
      ...made,
    },
  ]);
  insert(database, 'changes', [{ seq: 12, scope: 'course_7', kind: 'quiz', item_id: 2, op: 'upsert', changed_at: at }]);
  insert(database, 'facts', [{ name: 'oldest_seq', value: '20' }]);
  const rows = (table: string) => database.prepare(`select * from ${table} order by 1, 2, 3`).all();
  database.exec(migration);
  expect(rows('changes')).toMatchObject([
    { seq: 12, scope: 'course_7', kind: 'quiz', item_id: 2 },
    { seq: 21, scope: 'course_7', kind: 'quiz', item_id: 1, op: 'upsert' },
    { seq: 22, scope: 'user_9', kind: 'quiz_submission', item_id: 4, op: 'upsert' },
  ]);
  const scheduled = [
    { scope: 'course_7', kind: 'quiz', item_id: 1, field: 'due_at', at: '2098-01-01T00:00:00Z' },
    { scope: 'user_9', kind: 'quiz_submission', item_id: 4, field: 'end_at', at: '2098-01-01T01:00:00Z' },
  ];
  expect(rows('scheduled_changes')).toEqual(scheduled);
  const logged = rows('changes');
  database.exec(migration);
  expect([rows('changes'), rows('scheduled_changes')]).toEqual([logged, scheduled]);
});

test('attempts at New Quizzes from before the triggers of the feed are logged once', () => {
  const { database, migration } = before('log_new_quiz_sessions');
  const one = { course_id: 7, user_id: 9, attempt: 1, validation_token: 't', workflow_state: 'complete', ...made };
  insert(database, 'quiz_submissions', [
    { id: 4, quiz_id: -1, ...one },
    { id: 5, quiz_id: -2, ...one },
    { id: 6, quiz_id: 3, ...one },
  ]);
  insert(database, 'changes', [{ seq: 12, scope: 'user_9', kind: 'new_quiz_session', item_id: 4, op: 'upsert', changed_at: at }]);
  database.exec(migration);
  database.exec(migration);
  expect(database.prepare('select seq, scope, kind, item_id from changes order by seq').all()).toEqual([
    { seq: 12, scope: 'user_9', kind: 'new_quiz_session', item_id: 4 },
    { seq: 13, scope: 'user_9', kind: 'new_quiz_session', item_id: 5 },
  ]);
});

test('items of New Quizzes from before copies of items were recorded are linked with their copies, and changed in blueprints', () => {
  const { database, migration } = before('link_new_quiz_items');
  insert(database, 'copied_items', [
    { course_id: 8, kind: 'assignment', source_id: 1, item_id: 2, source_course_id: 7, copy_id: 5 },
    { course_id: 8, kind: 'assignment', source_id: 30, item_id: 31, source_course_id: 7, copy_id: 5 },
  ]);
  insert(database, 'new_quizzes', [
    { id: 1, course_id: 7, quiz_settings: '{}', ...made },
    { id: 2, course_id: 8, quiz_settings: '{}', ...made },
  ]);
  const item = (id: number, new_quiz_id: number, entry: string, more: object = {}) => ({
    id,
    new_quiz_id,
    position: id,
    entry_type: 'Item',
    entry,
    ...made,
    workflow_state: 'active',
    ...more,
  });
  insert(database, 'new_quiz_items', [
    item(10, 1, '{"title":"A"}'),
    item(11, 1, '{"title":"B"}'),
    item(12, 1, '{"title":"C"}', { workflow_state: 'deleted' }),
    item(20, 2, '{"title":"A"}'),
    item(21, 2, '{"title":"Other"}'),
    item(22, 2, '{"title":"C"}'),
  ]);
  insert(database, 'blueprint_templates', [{ id: 1, course_id: 7, ...made, workflow_state: 'active' }]);
  database.exec(migration);
  database.exec(migration);
  const links = "select course_id, source_id, item_id, source_course_id from copied_items where kind = 'new_quiz_item'";
  expect(database.prepare(links).all()).toEqual([{ course_id: 8, source_id: 10, item_id: 20, source_course_id: 7 }]);
  expect(database.prepare('select course_id, kind, item_id from blueprint_changes order by item_id').all()).toEqual([
    { course_id: 7, kind: 'new_quiz_item', item_id: 10 },
    { course_id: 7, kind: 'new_quiz_item', item_id: 11 },
  ]);
});

test('outcomes of courses, results and open polls from before the triggers of the feed are logged once', () => {
  const { database, migration } = before('log_outcomes_and_polls');
  const group = { title: 'Root', ...made };
  insert(database, 'learning_outcome_groups', [
    { id: 1, context_type: 'Course', context_id: 7, ...group },
    { id: 2, context_type: 'Account', context_id: 1, ...group },
  ]);
  const link = { learning_outcome_group_id: 1, learning_outcome_id: 3, title: 'Argues', ...made };
  insert(database, 'learning_outcome_links', [
    { id: 4, context_type: 'Course', context_id: 7, ...link },
    { id: 5, context_type: 'Account', context_id: 1, ...link, learning_outcome_group_id: 2 },
  ]);
  insert(database, 'outcome_results', [
    {
      id: 6,
      course_id: 7,
      user_id: 9,
      learning_outcome_id: 3,
      association_type: 'Assignment',
      association_id: 8,
      title: 'Essay',
      submitted_or_assessed_at: at,
      ...made,
    },
  ]);
  insert(database, 'poll_sessions', [
    { id: 10, poll_id: 1, course_id: 7, is_published: 1, ...made },
    { id: 11, poll_id: 1, course_id: 7, is_published: 0, ...made },
  ]);
  database.exec(migration);
  database.exec(migration);
  expect(database.prepare('select scope, kind, item_id from changes order by seq').all()).toEqual([
    { scope: 'course_7', kind: 'outcome_group', item_id: 1 },
    { scope: 'course_7', kind: 'outcome_link', item_id: 4 },
    { scope: 'user_9', kind: 'outcome_result', item_id: 6 },
    { scope: 'course_7', kind: 'poll_session', item_id: 10 },
  ]);
});
