// The account tree in SQL. The table of ancestors is kept by triggers, so no query walks the tree.

import { type Column, type SQL, sql } from 'drizzle-orm';
import { atMost } from '../database/at_most';
import { qualified } from '../database/qualified';
import { account_ancestors, accounts } from '../domains/accounts/table';
import type { Call } from '../http/call';
import { ascending, type Listing, rows } from '../http/listing';

/** Ids of the selected accounts and all their descendants. */
export const below = (roots: SQL): SQL => sql`select account_id from account_ancestors where ancestor_id in (${roots})`;

/**
 * Whether an account column is one of the selected accounts or a descendant. Takes a column, not text, because the nested query has its own
 * `account_id`.
 */
export const isBelow = (account: Column, roots: SQL): SQL =>
  sql`exists (select 1 from account_ancestors tree where tree.account_id = ${qualified(account)} and tree.ancestor_id in (${roots}))`;

/** Ids of the selected accounts and all their ancestors. */
export const above = (leaves: SQL): SQL =>
  sql`with recursive up(id) as (select * from (${leaves}) union select accounts.parent_account_id from accounts join up on accounts.id = up.id where accounts.parent_account_id is not null) select id from up`;

/** An account and all its descendants by id; `isWithout` excludes the account itself. */
export const accountTreeOf = (account_id: number, isWithout: boolean): Listing =>
  rows(accounts, {
    from: account_ancestors,
    join: (select) => select.crossJoin(accounts),
    where: sql`account_ancestors.ancestor_id = ${account_id} and accounts.id = account_ancestors.account_id${isWithout ? sql` and account_ancestors.account_id <> ${account_id}` : sql``}`,
    order: ascending(account_ancestors.account_id),
  });

/** Several accounts and their descendants by id; each subtree is walked only as far as the page needs. */
export function treesOf(ids: readonly number[], { per_page, number, after }: Call['page']): Listing {
  const [only, ...others] = ids;
  if (only !== undefined && others.length === 0) return accountTreeOf(only, false);
  const roots = sql`select value as id from json_each(${JSON.stringify([...new Set(ids)])})`;
  const highest = sql`select r.id from (${roots}) r where not exists (select 1 from account_ancestors up where up.account_id = r.id and up.ancestor_id <> r.id and up.ancestor_id in (${roots}))`;
  const first = sql`select account_id from account_ancestors where ancestor_id = root.id and account_id > ${after?.[0] ?? 0} order by account_id limit ${atMost(per_page * (number ?? 1) + 1)}`;
  return rows(accounts, {
    where: sql`accounts.id in (select j.value from (${highest}) root, json_each((select json_group_array(account_id) from (${first}))) j)`,
  });
}
