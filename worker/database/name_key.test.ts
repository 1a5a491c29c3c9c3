// Names in the order of the Unicode Collation Algorithm, by keys that SQLite compares.

import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { hasOtherLetters, nameKey, nameKeySql } from './name_key';

const names = [
  'Aalto, Aino',
  'Ångström, Anders',
  'Azoulay, Rita',
  'Đặng, Lan',
  'Dvořák, Antonín',
  'Eaton, Ann',
  'Émile, Zola',
  'Ezra, Abe',
  'Lopez, Ana',
  'Łukasz, Jan',
  'Lynn, Vera',
  "O'Neil, Tip",
  'Oakley, Annie',
  'Ólafur, Arnalds',
  'Østergaard, Bo',
  'Ozu, Yasujirō',
  'Straßer, Eva',
  'Strauss, Richard',
  'Zoe, Bell',
  'zoë, Bell',
  'Zorn, Anders',
  'Þórr, Jón',
  'Αθηνά, Μαρία',
  'Άννα, Μαρία',
  'Ёлкин, Пётр',
  'Жуков, Иван',
  '李, 明',
];

const database = new DatabaseSync(':memory:');
database.exec('create table people (name text not null, sort_name text collate nocase)');
for (const name of names.toReversed()) database.prepare('insert into people (name) values (?)').run(name);
database.exec(`update people set sort_name = iif(${hasOtherLetters('name')}, ${nameKeySql('name')}, name)`);

test('sorts names as the Unicode Collation Algorithm does', () => {
  const sorted = database.prepare('select name from people order by sort_name').all();
  expect(sorted.map(({ name }) => name)).toEqual(names.toSorted(new Intl.Collator('und').compare));
});

test('names in ASCII are their own key', () => {
  const row = database.prepare("select sort_name from people where name = 'Lopez, Ana'").get();
  expect(row).toEqual({ sort_name: 'Lopez, Ana' });
});

test.each([...names, 'A\u030angström', 'ǢǼǽ', 'Ὀδυσσεύς', '𝔘nicode, Ünal'])(
  'the key of %s begins with the key of each of its beginnings',
  (name) => {
    const row = database.prepare(`select ${nameKeySql('n')} as sort_name from (select ? as n)`).get(name) as { sort_name: string };
    const key = row.sort_name.split('\u0001', 1)[0]?.toLowerCase();
    expect(key).toBe(nameKey(name));
    const letters = [...name];
    for (const [at] of letters.entries()) expect(key?.startsWith(nameKey(letters.slice(0, at).join('')))).toBe(true);
  },
);
