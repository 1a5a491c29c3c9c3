// One parameter for a value that a statement uses several times.

import { sql } from 'drizzle-orm';
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core';
import { expect, test } from 'vitest';
import { numberParameters, shared, sharedIds } from './shared';

const dialect = new SQLiteSyncDialect();
const built = (statement: ReturnType<typeof shared>) => {
  const { sql: text, params } = dialect.sqlToQuery(statement);
  return numberParameters(text, params);
};

test('a shared value is sent once, and other values each time', () => {
  const me = () => shared('user', 7);
  expect(built(sql`select ${me()}, ${'x'}, ${me()}, ${'x'}`)).toEqual({ text: 'select ?1, ?2, ?1, ?3', values: [7, 'x', 'x'] });
});

test('equal values of two kinds give the same text as different ones', () => {
  const pair = (user: number, course: number) => built(sql`select ${shared('user', user)}, ${shared('course', course)}`);
  expect(pair(5, 5)).toEqual({ text: 'select ?1, ?2', values: [5, 5] });
  expect(pair(5, 6).text).toBe(pair(5, 5).text);
});

test('two users are two parameters', () => {
  expect(built(sql`select ${shared('user', 1)}, ${shared('user', 2)}`).values).toEqual([1, 2]);
});

test('a question mark in a text or a name is none of the parameters', () => {
  expect(built(sql.join([sql.raw(`select 'it''s ?', "a?" where `), shared('user', 1), sql` = `, shared('user', 1)]))).toEqual({
    text: `select 'it''s ?', "a?" where ?1 = ?1`,
    values: [1],
  });
});

test('a statement without shared values stays as it is', () => {
  expect(built(sql`select ${1}, ${1}`)).toEqual({ text: 'select ?, ?', values: [1, 1] });
});

test('a list of ids is one parameter, and a single id is compared directly', () => {
  expect(built(sql`id in (${sharedIds('sections', [1, 2])})`)).toEqual({
    text: 'id in (select value from json_each(?1))',
    values: ['[1,2]'],
  });
  expect(built(sql`id in (${sharedIds('sections', [9])})`)).toEqual({ text: 'id in (?1)', values: [9] });
  expect(built(sql`id in (${sharedIds('sections', [])})`).values).toEqual(['[]']);
});
