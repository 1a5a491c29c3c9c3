// The tree of accounts, in SQL.

import { type SQL, sql } from 'drizzle-orm';

/** Ids of the accounts that a select names, and of all below them. */
export const below = (roots: SQL): SQL =>
  sql`with recursive down(id) as (select * from (${roots}) union select accounts.id from accounts join down on accounts.parent_account_id = down.id where accounts.workflow_state <> 'deleted') select id from down`;

/** Ids of the accounts that a select names, and of all above them. */
export const above = (leaves: SQL): SQL =>
  sql`with recursive up(id) as (select * from (${leaves}) union select accounts.parent_account_id from accounts join up on accounts.id = up.id where accounts.parent_account_id is not null) select id from up`;
