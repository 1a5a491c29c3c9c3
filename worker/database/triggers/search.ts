// The search index of users, courses and accounts, by trigrams, so that a search for any part of a word reads only matches.

import { lookUp } from '@carrel/shared/wire/look_up';

/** The columns of an FTS index, and for each the SQL of its text over `$`, the id of the row. */
type Words = Readonly<Record<string, string>>;

/** Two trailing spaces, so that the last two characters also begin a trigram. */
const padded = (text: string) => `${text} || '  '`;
/** Values of a one-to-many relation: only the first fifty, because each change writes them all. */
const each = (table: string, column: string, order = 'w.id') =>
  `coalesce((select group_concat(${padded('word')}, char(10)) from (select w.${column} as word from ${table} w where w.user_id = $ and w.workflow_state <> 'deleted' order by ${order} limit 50)), '')`;
const own = (table: string, column: string) => `(select coalesce(${padded(`w.${column}`)}, '') from ${table} w where w.id = $)`;

const names: Words = { name: own('users', 'name'), sortable_name: own('users', 'sortable_name'), short_name: own('users', 'short_name') };
const ofLogins: Words = {
  login: each('logins', 'unique_id'),
  sis_id: each('logins', 'sis_user_id'),
  integration_id: each('logins', 'integration_id'),
};
// In index order: only these addresses are read.
const addresses: Words = { address: each('communication_channels', 'address', 'w.position, w.id') };
const people: Words = { ...names, ...ofLogins, ...addresses };
const courses: Words = {
  name: own('courses', 'name'),
  course_code: own('courses', 'course_code'),
  sis_course_id: own('courses', 'sis_course_id'),
};

const accounts: Words = { name: own('accounts', 'name') };

const table = (index: string, words: Words): readonly string[] => [
  `create virtual table ${index}_search using fts5(${Object.keys(words).join(', ')}, tokenize = 'trigram');`,
  // Number of rows per trigram.
  `create virtual table ${index}_runs using fts5vocab('${index}_search', 'row');`,
];

const said = (words: Words, id: string) => Object.values(words).map((word) => word.replaceAll('$', id));
const add = (index: string, words: Words, from: string, id: string) =>
  `insert into ${index}_search (rowid, ${Object.keys(words).join(', ')}) select ${id}, ${said(words, id).join(', ')}${from};`;
const change = (index: string, words: Words, id: string) =>
  `update ${index}_search set ${Object.keys(words)
    .map((column, at) => `${column} = ${said(words, id)[at]}`)
    .join(', ')} where rowid = ${id};`;

function kept(index: string, base: string, all: Words, columns: readonly string[]): readonly string[] {
  const differs = columns.map((column) => `new.${column} is not old.${column}`).join(' or ');
  return [
    `create trigger search_${base}_insert after insert on ${base} begin\n  ${add(index, all, '', 'new.id')}\nend;`,
    `create trigger search_${base}_update after update of ${columns.join(', ')} on ${base} when ${differs} begin\n  ${change(index, Object.fromEntries(columns.map((column) => [column, lookUp(all, column) ?? ''])), 'new.id')}\nend;`,
    `create trigger search_${base}_delete after delete on ${base} begin\n  delete from ${index}_search where rowid = old.id;\nend;`,
  ];
}

const beside = (base: string, words: Words, columns: string) =>
  (['insert', `update of ${columns}`, 'delete'] as const).map(
    (event) =>
      `create trigger search_${base}_${event.split(' ')[0]} after ${event} on ${base} begin\n  ${change('people', words, `${event === 'delete' ? 'old' : 'new'}.user_id`)}\nend;`,
  );

export const searchTriggers: readonly string[] = [
  ...table('people', people),
  ...table('course', courses),
  ...table('account', accounts),
  ...kept('people', 'users', people, Object.keys(names)),
  ...beside('logins', ofLogins, 'unique_id, sis_user_id, integration_id, workflow_state'),
  ...beside('communication_channels', addresses, 'address, workflow_state'),
  ...kept('course', 'courses', courses, Object.keys(courses)),
  ...kept('account', 'accounts', accounts, Object.keys(accounts)),
];

/** Rebuilds the index after rows were written without triggers. */
export const searchAgain: readonly string[] = [
  'delete from people_search;',
  add('people', people, ' from users', 'users.id'),
  'delete from course_search;',
  add('course', courses, ' from courses', 'courses.id'),
  'delete from account_search;',
  add('account', accounts, ' from accounts', 'accounts.id'),
];
