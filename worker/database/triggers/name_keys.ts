// The sort keys of names with letters beyond ASCII, for any writer.

import { hasOtherLetters, nameKeySql } from '../name_key.ts';
import { trigger } from './trigger.ts';

const key = `iif(${hasOtherLetters('new.sortable_name')}, ${nameKeySql('new.sortable_name')}, null)`;
const run = [`update users set name_key = ${key} where id = new.id;`];

export const nameKeyTriggers = [
  trigger({
    on: 'users',
    name: 'name_key_insert',
    event: 'insert',
    when: hasOtherLetters('new.sortable_name'),
    run,
    purpose: 'Give a new user with letters beyond ASCII in the name a sort key.',
  }),
  trigger({
    on: 'users',
    name: 'name_key_update',
    event: 'update',
    of: ['sortable_name'],
    when: `new.sortable_name is not old.sortable_name and (${hasOtherLetters('new.sortable_name')} or new.name_key is not null)`,
    run,
    purpose: 'Change the sort key of a user with the name.',
  }),
];
