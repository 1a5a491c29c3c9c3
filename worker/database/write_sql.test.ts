// Our writer writes what drizzle writes.

import { and, desc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { alias, integer, SQLiteSyncDialect, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { expect, test } from 'vitest';
import { shared } from './shared';
import { writeSql } from './write_sql';

const dialect = new SQLiteSyncDialect();
const plain = (query: SQL) => dialect.sqlToQuery(query);
const birds = sqliteTable('birds', {
  id: integer().primaryKey(),
  name: text().notNull(),
  seen: integer({ mode: 'boolean' }),
  tags: text({ mode: 'json' }).$type<string[]>(),
});
const other = alias(birds, 'other "birds"');

test.each<[what: string, query: SQL]>([
  ['texts, columns and values', sql`select ${birds.id}, ${birds.name} from ${birds} where ${birds.name} = ${'a "b"'} and ${null} is null`],
  ['values in the type of a column', sql`${eq(birds.seen, true)} and ${eq(birds.tags, ['a', 'b'])} and ${inArray(birds.id, [1, 2, 3])}`],
  ['tables and columns with an alias', sql`select ${other.id} from ${other}, ${birds} order by ${desc(other.name)}`],
  ['names and aliases', sql`select ${sql`1 + ${2}`.as('three "3"')}, ${sql.identifier('four')}`],
  [
    'nested, empty and missing parts',
    sql`${and(eq(birds.id, 1), undefined, and())} ${sql.empty()} ${undefined} ${sql.join([sql.raw('a'), sql`${1}`], sql`, `)}`,
  ],
  ['lists', sql`${birds.id} in ${[1, 2]} or ${birds.name} in ${['x']}`],
  ['values in the text', sql`select ${sql`${'it’s'}`.inlineParams()}, ${7}`],
  ['placeholders', sql`select ${sql.placeholder('which')} = ${sql.param(sql.placeholder('that'), birds.name)}`],
  ['shared values', sql`select ${shared('user', 7)}, ${shared('user', 7)}`],
])('%s', (_, query) => {
  const { sql: text, params } = plain(query);
  expect(writeSql(query, plain)).toEqual({ sql: text, params });
});

test('line breaks and indents of a template are one blank', () => {
  const query = sql`select 1
    from ${birds}
      where ${birds.name} = ${'a\n  b'}`;
  expect(writeSql(query, plain)).toEqual({ sql: 'select 1 from "birds" where "birds"."name" = ?', params: ['a\n  b'] });
});
