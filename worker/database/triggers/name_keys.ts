// The sort keys of names beyond ASCII, for any writer.

import { hasOtherLetters, nameKeySql } from '../name_key.ts';
import { trigger } from './trigger.ts';

/** @param key of the name, as SQL */
function keysOf(table: 'users' | 'assignments', column: string, what: string, key: string) {
  const name = `new.${column}`;
  const run = [`update ${table} set name_key = iif(${hasOtherLetters(name)}, ${key}, null) where id = new.id;`];
  return [
    trigger({
      on: table,
      name: 'name_key_insert',
      event: 'insert',
      when: hasOtherLetters(name),
      run,
      purpose: `Give a new ${what} with letters beyond ASCII in the name a sort key.`,
    }),
    trigger({
      on: table,
      name: 'name_key_update',
      event: 'update',
      of: [column],
      when: `${name} is not old.${column} and (${hasOtherLetters(name)} or new.name_key is not null)`,
      run,
      purpose: `Change the sort key of the ${what} with the name.`,
    }),
  ];
}

export const nameKeyTriggers = [
  ...keysOf('users', 'sortable_name', 'user', nameKeySql('new.sortable_name')),
  // Lists of assignments compare bytes.
  ...keysOf('assignments', 'name', 'assignment', `lower(${nameKeySql('new.name')})`),
];
