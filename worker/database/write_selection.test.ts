// Our lists of columns are those of drizzle.

import { SQL, sql } from 'drizzle-orm';
import { alias, blob, integer, SQLiteSyncDialect, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { expect, test } from 'vitest';
import type { SelectedField } from './read_rows';
import { type PlainSelection, writeSelection } from './write_selection';

const dialect = new SQLiteSyncDialect();
const plain = (dialect as unknown as { buildSelection: PlainSelection }).buildSelection.bind(dialect);
const birds = sqliteTable('birds', { id: integer().primaryKey(), name: text('full "name"').notNull(), weight: blob({ mode: 'bigint' }) });
const nests = sqliteTable('nests', { id: integer().primaryKey(), bird_id: integer() });
const other = alias(birds, 'other');

const fieldsOf = (selected: Readonly<Record<string, unknown>>): SelectedField[] =>
  Object.entries(selected).map(([name, field]) => ({ path: [name], field }));

test.each<[what: string, selected: Readonly<Record<string, unknown>>]>([
  ['columns', { id: birds.id, name: birds.name, weight: birds.weight }],
  ['equally named columns of two tables', { id: birds.id, nest: nests.id }],
  ['columns of an alias', { id: other.id, name: other.name, bird: birds.id }],
  [
    'computed columns first, between and last',
    { one: sql`${1}`.as('one'), id: birds.id, two: sql`${birds.id} + ${2}`, nest: nests.id, three: sql`3` },
  ],
  ['nothing', {}],
])('%s', (_, selected) => {
  for (const isSingleTable of [true, false, true]) {
    const ours = writeSelection(fieldsOf(selected), { isSingleTable }, plain, (list) => dialect.sqlToQuery(list).sql);
    expect(ours).toBeInstanceOf(SQL);
    expect(dialect.sqlToQuery(ours)).toEqual(dialect.sqlToQuery(plain(fieldsOf(selected), { isSingleTable })));
  }
});
