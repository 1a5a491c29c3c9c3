// In a nested query every column is qualified, so that none is taken from the wrong table.

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { triggers } from '@carrel/worker/database/triggers';
import { expect, test } from 'vitest';
import { migrations } from './support/migrations';
import { offencesIn, type Tables } from './support/sql_scopes';
import { tablesIn } from './support/sql_text';
import { templatesIn } from './support/templates';

const root = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const tables: Tables = tablesIn(
  readdirSync(migrations)
    .filter((name) => name.endsWith('.sql'))
    .map((name) => readFileSync(join(migrations, name), 'utf8'))
    .join('\n'),
);
const sources = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', 'worker'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file.endsWith('.ts') && !/\.(?:d|test)\.ts$/.test(file));

const offences = (statement: string) => offencesIn([{ text: statement, start: 0 }], tables).map(({ name, why }) => `${name} ${why}`);

test('columns in nested queries of the Worker are qualified or unambiguous', () => {
  const found = sources.flatMap((file) => {
    const source = read(file);
    const lineOf = (start: number) => source.slice(0, start).split('\n').length;
    return templatesIn(source)
      .filter(({ tag }) => tag === 'sql')
      .flatMap(({ pieces }) => offencesIn(pieces, tables))
      .map(({ name, why, start }) => `${file}:${lineOf(start)}: ${name} ${why}`);
  });
  expect(found).toEqual([]);
});

test('so is every column in a nested query of a trigger', () => {
  const found = triggers.flatMap(({ name, when = '', run }) =>
    [when, ...run].flatMap((statement) => offences(statement.replace(/;$/, '')).map((one) => `${name}: ${one}`)),
  );
  expect(found).toEqual([]);
});

test.each([
  ['exists (select 1 from account_ancestors tree where tree.account_id = account_id)', 'account_id is unqualified inside exists (…)'],
  [
    'select id from courses where id in (select course_id from enrollments e where user_id = 1)',
    'course_id could belong to several tables',
  ],
  [
    'select id from courses where id in (select course_id from enrollments where user_id = courses.id)',
    'is in a query that also uses courses',
  ],
  ['select id from courses where id in (select course_id from enrollments where course_id = id)', 'id is compared with a column'],
  ['select id from users where id in (select user_id from sections)', 'user_id is not a column of sections'],
  ['select (select max(position) from modules m join courses on true) from users', 'position could belong to several tables'],
  ['with few(n) as (select id from users, courses) select * from few', 'id could belong to several tables'],
])('refuses %s', (statement, why) => {
  expect(offences(statement).join('; ')).toContain(why);
});

test.each([
  'select id, name from courses where account_id = 1 order by name',
  'select id from courses where id in (select course_id from enrollments where user_id = ? and type in (?, ?) order by id limit 1)',
  'select id from courses where exists (select 1 from enrollments e where e.course_id = courses.id)',
  'select (select json_group_array(id) from (select m.id from modules m where m.course_id = c.id)) as modules from courses c',
  'insert into courses (id, name) select value, ? from json_each(?) where value in (select id from terms) on conflict (id) do update set name = excluded.name',
  'with recursive up(id) as (select 1 union select a.parent_account_id from accounts a join up on a.id = up.id) select id from up',
  'update courses set name = (select value from json_each(?) limit 1) where id = 1',
])('allows %s', (statement) => {
  expect(offences(statement)).toEqual([]);
});
