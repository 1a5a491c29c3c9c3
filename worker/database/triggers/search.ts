// The search index of users, courses and accounts, by trigrams, so that a search for any part of a word reads only matches.

import { lookUp } from '@carrel/shared/wire/look_up';
import { columnsDiffer, everyEvent, trigger } from './trigger.ts';

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

const said = (words: Words, id: string) => Object.values(words).map((word) => word.replaceAll('$', id));
const add = (index: string, words: Words, from: string, id: string) =>
  `insert into ${index}_search (rowid, ${Object.keys(words).join(', ')}) select ${id}, ${said(words, id).join(', ')}${from};`;
const change = (index: string, words: Words, id: string) =>
  `update ${index}_search set ${Object.keys(words)
    .map((column, at) => `${column} = ${said(words, id)[at]}`)
    .join(', ')} where rowid = ${id};`;

const purpose = 'Update the trigrams by which the row is found.';

function kept(index: string, base: string, all: Words, columns: readonly string[]) {
  const changed = Object.fromEntries(columns.map((column) => [column, lookUp(all, column) ?? '']));
  const facts = { on: base, purpose };
  return [
    trigger({ ...facts, name: 'search_insert', event: 'insert', run: [add(index, all, '', 'new.id')] }),
    trigger({
      ...facts,
      name: 'search_update',
      event: 'update',
      of: columns,
      when: columnsDiffer(columns),
      run: [change(index, changed, 'new.id')],
    }),
    trigger({ ...facts, name: 'search_delete', event: 'delete', run: [`delete from ${index}_search where rowid = old.id;`] }),
  ];
}

const beside = (base: string, words: Words, columns: readonly string[]) =>
  everyEvent.map((event) =>
    trigger({
      on: base,
      name: `search_${event}`,
      event,
      ...(event === 'update' && { of: columns }),
      run: [change('people', words, `${event === 'delete' ? 'old' : 'new'}.user_id`)],
      purpose: 'Update the trigrams by which the user is found.',
    }),
  );

export const searchTriggers = [
  ...kept('people', 'users', people, Object.keys(names)),
  ...beside('logins', ofLogins, ['unique_id', 'sis_user_id', 'integration_id', 'workflow_state']),
  ...beside('communication_channels', addresses, ['address', 'workflow_state']),
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
