// No statement contains a predicate, a column or a function that a plain template string has converted to text.

import { triggers } from '@carrel/worker/database/triggers';
import { eq, sql } from 'drizzle-orm';
import { integer, SQLiteSyncDialect, sqliteTable } from 'drizzle-orm/sqlite-core';
import { expect, test } from 'vitest';
import { conversionIn } from './support/statements';

const courses = sqliteTable('courses', { id: integer('id'), account_id: integer('account_id') });
const isInAccount = eq(courses.account_id, 1);
const isLive = (name: string) => sql.raw(`${name}.workflow_state = 'available'`);
const missing: Record<string, string> = {};

test.each([
  ['a predicate', sql.raw(`select id from courses where ${isInAccount}`), 'has [object Object] in its text'],
  ['a column in quotes', sql.raw(`select '${courses.id}' from courses`), 'has [object Object] in its text'],
  ['a function that was not called', sql.raw(`select id from courses where ${isLive}`), 'has => in its text'],
  ['a missing value', sql.raw(`select id from courses where id = ${missing.id}`), 'has undefined in its text'],
  ['a predicate in a parameter', sql`select id from courses where name like ${`%${isInAccount}%`}`, 'has [object …] in a parameter'],
])('a statement with %s in a plain template string is found', (_what, built, why) => {
  const { sql: statement, params } = new SQLiteSyncDialect().sqlToQuery(built);
  expect(conversionIn({ statement, params })).toBe(why);
});

test('statements built by sql and triggers have none', () => {
  const built = sql`select ${courses.id} from ${courses} where ${isInAccount} and ${isLive('courses')} and meta->>'$.a[0]' >= ${'[object Object]'}`;
  const { sql: statement, params } = new SQLiteSyncDialect().sqlToQuery(built);
  expect(conversionIn({ statement, params })).toBeUndefined();
  const statements = triggers.flatMap(({ when = '', run }) => [when, ...run]);
  expect(statements.flatMap((text) => conversionIn({ statement: text, params: [] }) ?? [])).toEqual([]);
});
