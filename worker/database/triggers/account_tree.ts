// The pairs of accounts and their ancestors, and counters of the tree.

import { columnsDiffer, everyEvent, trigger } from './trigger.ts';

/** Pairs of an account and each of its ancestors. Deleted accounts have none. */
const linksOf = (account: string) =>
  `insert or ignore into account_ancestors (ancestor_id, account_id)
    select up.ancestor_id, down.account_id from account_ancestors up cross join account_ancestors down
    where up.account_id = ${account}.parent_account_id and down.ancestor_id = ${account}.id;`;
const itself = `insert or ignore into account_ancestors (ancestor_id, account_id) values (new.id, new.id);`;
const isThere = "new.workflow_state <> 'deleted'";

const below = 'Update the pairs of accounts and their ancestors';
const tree = [
  trigger({
    on: 'accounts',
    name: 'copy_tree_insert',
    event: 'insert',
    when: isThere,
    run: [itself, linksOf('new')],
    purpose: `${below}: a new account.`,
  }),
  trigger({
    on: 'accounts',
    name: 'copy_tree_move',
    event: 'update',
    of: ['parent_account_id'],
    when: columnsDiffer(['parent_account_id']),
    run: [
      `delete from account_ancestors where account_id in (select t.account_id from account_ancestors t where t.ancestor_id = new.id)
    and ancestor_id not in (select t.account_id from account_ancestors t where t.ancestor_id = new.id);`,
      linksOf('new'),
    ],
    purpose: `${below}: an account with another parent.`,
  }),
  trigger({
    on: 'accounts',
    name: 'copy_tree_restore',
    event: 'update',
    of: ['workflow_state'],
    when: `${isThere} and old.workflow_state = 'deleted'`,
    run: [itself, linksOf('new')],
    purpose: `${below}: a restored account.`,
  }),
  trigger({
    on: 'accounts',
    name: 'copy_tree_state',
    event: 'update',
    of: ['workflow_state'],
    when: "new.workflow_state = 'deleted' and old.workflow_state <> 'deleted'",
    run: ['delete from account_ancestors where account_id = new.id;'],
    purpose: `${below}: a deleted account.`,
  }),
  trigger({
    on: 'accounts',
    name: 'copy_tree_delete',
    event: 'delete',
    run: ['delete from account_ancestors where account_id = old.id;'],
    purpose: `${below}: an account whose row is deleted.`,
  }),
];

/** Count of the accounts directly below each. */
const childCounts = everyEvent.map((event) => {
  const add = (side: 'new' | 'old', sign: '+' | '-') =>
    `update accounts set sub_account_count = sub_account_count ${sign} 1 where id = ${side}.parent_account_id and ${side}.workflow_state <> 'deleted';`;
  return trigger({
    on: 'accounts',
    name: `copy_child_count_${event}`,
    event,
    ...(event === 'update' && { of: ['workflow_state', 'parent_account_id'] }),
    run: [...(event === 'insert' ? [] : [add('old', '-')]), ...(event === 'delete' ? [] : [add('new', '+')])],
    purpose: 'Count the direct sub-accounts of each account.',
  });
});

/** Count of the visible calendars in the tree below each account. */
const calendarCounts = [
  ...(['insert', 'delete'] as const).map((event) => {
    const [side, sign] = event === 'insert' ? ['new', '+'] : ['old', '-'];
    return trigger({
      on: 'account_ancestors',
      name: `copy_calendars_${event}`,
      event,
      when: `exists (select 1 from accounts a where a.id = ${side}.account_id and a.calendar_visible)`,
      run: [`update accounts set visible_calendar_count = visible_calendar_count ${sign} 1 where id = ${side}.ancestor_id;`],
      purpose: 'Count the visible calendars of each account and its sub-accounts.',
    });
  }),
  trigger({
    on: 'accounts',
    name: 'copy_calendars_shown',
    event: 'update',
    of: ['calendar_visible'],
    when: columnsDiffer(['calendar_visible']),
    run: [
      `update accounts set visible_calendar_count = visible_calendar_count + new.calendar_visible - old.calendar_visible
    where id in (select t.ancestor_id from account_ancestors t where t.account_id = new.id);`,
    ],
    purpose: 'Count the visible calendars of each account and its sub-accounts.',
  }),
];

export const accountTreeTriggers = [...tree, ...childCounts, ...calendarCounts];

/** Statements that calculate it again, for rows that were stored without their triggers. */
export const accountTreeAgain: readonly string[] = [
  `update accounts set sub_account_count = (select count(*) from accounts a where a.parent_account_id = accounts.id and a.workflow_state <> 'deleted');`,
  'delete from account_ancestors;',
  `insert into account_ancestors (ancestor_id, account_id) with recursive up(account_id, id) as
    (select id, id from accounts where workflow_state <> 'deleted' union select up.account_id, a.parent_account_id from up join accounts a on a.id = up.id where a.parent_account_id is not null)
    select id, account_id from up;`,
  `update accounts set visible_calendar_count = (select count(*) from account_ancestors tree join accounts a on a.id = tree.account_id where tree.ancestor_id = accounts.id and a.calendar_visible);`,
];
