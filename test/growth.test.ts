// Every table of the database says what makes it grow, how long its rows are kept, and how they leave.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newMeter, open } from '@carrel/worker/database/open';
import type { Platform } from '@carrel/worker/platform';
import { scheduledChores } from '@carrel/worker/schedule';
import { beforeAll, expect, test } from 'vitest';
import { type Growth, growth } from './support/growth';
import { withGrowth } from './support/growth_page';
import { migrated } from './support/migrations';

const database = migrated();
const tables = (
  database.prepare("select name, sql from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name").all() as {
    name: string;
    sql: string;
  }[]
).filter(({ name }, _, all) => !all.some((other) => /^create virtual/i.test(other.sql) && name.startsWith(`${other.name}_`)));

const listed = Object.entries(growth);
const chores = new Map(scheduledChores.map((chore) => [chore.name, chore]));
const lastOf = ({ leaves }: Growth) => (leaves === undefined || leaves === 'jobs' ? undefined : leaves);

/** The statements that each chore sends to a database without old rows. */
const sent = new Map<string, string[]>();

beforeAll(async () => {
  for (const { name, run } of scheduledChores) {
    const texts: string[] = [];
    const d1 = {
      withSession: () => ({
        prepare: (text: string) => ({ text, bind: () => ({ text }) }),
        batch: async (statements: readonly { text: string }[]) => {
          texts.push(...statements.map(({ text }) => text));
          return statements.map(() => ({ results: [], meta: {} }));
        },
      }),
    };
    const FILES = { list: async () => ({ objects: [], truncated: false }), delete: async () => {} };
    const env = { FILES, WORK: { send: async () => {} } } as unknown as Platform;
    await run({ env, db: open(d1 as unknown as D1Database, newMeter(), 'first-primary'), now: '2026-11-23T00:00:00Z' });
    sent.set(name, texts);
  }
});

test('every table is listed with its growth, and no table that does not exist', () => {
  expect(listed.map(([table]) => table).sort()).toEqual(tables.map(({ name }) => name));
});

test('what grows with writes, jobs, sign-ins and messages is deleted or archived, and the few rows that stay say so', () => {
  const staying = listed.filter(
    ([, { per, leaves }]) => ['write', 'job', 'sign-in', 'message', 'second', 'hour'].includes(per) && leaves === undefined,
  );
  // A row for each time that an administrator starts one, and for each object of the archive: some thousands a year.
  expect(staying.map(([table]) => table)).toEqual([
    'outcome_imports',
    'account_reports',
    'blueprint_imports',
    'blueprint_migrations',
    'content_migrations',
    'course_copies',
    'rubric_imports',
    'migration_issues',
    'sis_import_files',
    'sis_imports',
    'archived_logs',
  ]);
});

test('every chore that is named exists, and writes to the tables that it clears', () => {
  const missing = listed.filter(([, one]) => lastOf(one) !== undefined && !chores.has(lastOf(one) as string));
  expect(missing).toEqual([]);
  const idle = listed.filter(([table, one]) => {
    const chore = lastOf(one);
    // The archive reads rows before it deletes them; test/api/audit_archive.test.ts runs it.
    if (chore === undefined || one.to === 'R2') return false;
    return !sent.get(chore)?.some((text) => new RegExp(`\\b${table}\\b`).test(text));
  });
  expect(idle.map(([table]) => table)).toEqual([]);
});

/** Why a deletion reads or deletes more than some old rows. */
function faultsOf(text: string): string[] {
  const plan = database.prepare(`explain query plan ${text}`).all() as { detail: string }[];
  // These read the oldest rows by id, up to a limit.
  const isByAge = ({ detail }: { detail: string }) =>
    /^SCAN (comm_messages|error_reports|content_export(s|_pieces)|content_shares|page_views|webhook_deliveries|sis_import_(errors|changes)|gradebook_(csv_pieces|uploads|upload_rows))$/.test(
      detail,
    );
  const scans = plan.filter((step) => /^SCAN (?!CONSTANT|json_each|\()/.test(step.detail) && !isByAge(step));
  // Ids that were read with a limit; rows of one import that was aborted.
  const isLimited =
    /\blimit \d+| in \(select value from json_each\(\?\)\)/.test(text) || /^delete from sis_import_(seen|passages|stage)\b/.test(text);
  return [...(isLimited ? [] : ['no limit']), ...scans.map(({ detail }) => detail)];
}

test('a deletion finds old rows by an index, and deletes a limited number', () => {
  const deletions = [...sent].flatMap(([chore, texts]) =>
    texts.filter((text) => /^\s*delete/i.test(text)).map((text) => ({ chore, text })),
  );
  expect(deletions.length).toBeGreaterThan(15);
  expect(deletions.map((one) => ({ ...one, faults: faultsOf(one.text) })).filter(({ faults }) => faults.length > 0)).toEqual([]);
  expect(faultsOf("delete from sessions where expires_at < ''")).toEqual(['no limit']);
  expect(faultsOf("delete from sessions where rowid in (select rowid from sessions where address < '' limit 10)")).toEqual([
    'SCAN sessions',
  ]);
});

test('docs/scale.md shows the list and the measured sizes; `npm run growth` writes them', () => {
  const document = readFileSync(join(import.meta.dirname, '../docs/scale.md'), 'utf8');
  expect(withGrowth(document) === document, 'run `npm run growth`').toBe(true);
});
