// Which announcements of accounts are for a person: of their accounts, for one of their roles there, at the time, not closed.

import { type SQL, sql } from 'drizzle-orm';
import type { AccountContext } from '../../contexts/account';
import type { Call } from '../../http/call';

export interface Asked {
  readonly past: boolean;
  readonly closed: boolean;
  /** Only this one. */
  readonly id?: number;
}

/**
 * Ids of what an account, those above it and those below it announce to the caller. Each account's are walked no
 * further than the page, in the order of their end.
 */
export function addressed({ me, now, page }: Pick<Call, 'me' | 'now' | 'page'>, account: AccountContext, asked: Asked): SQL {
  const [end_at, id] = [String(page.after?.[0] ?? ''), Number(page.after?.[1] ?? 0)];
  const conditions = [
    sql`n.account_id = f.id`,
    ...(asked.past ? [] : [sql`n.end_at >= ${now}`, sql`n.start_at <= ${now}`]),
    ...(asked.closed
      ? []
      : [sql`not exists (select 1 from closed_account_notifications c where c.account_notification_id = n.id and c.user_id = ${me.id})`]),
    ...(asked.id === undefined ? [] : [sql`n.id = ${asked.id}`]),
    ...(page.after && asked.id === undefined ? [sql`n.end_at >= ${end_at} and (n.end_at, n.id) > (${end_at}, ${id})`] : []),
    sql`(n.role_ids = '[]' or exists (select 1 from json_each(n.role_ids) r join held h on h.role_id = r.value where h.account_id = n.account_id))`,
  ];
  return sql`with recursive
    held(account_id, role_id) as (
      select account_id, role_id from admins where user_id = ${me.id} and workflow_state = 'active'
      union select c.account_id, e.role_id from enrollments e join courses c on c.id = e.course_id
        where e.user_id = ${me.id} and e.enrollment_state in ('active', 'invited', 'completed') and c.workflow_state <> 'deleted'
      union select a.parent_account_id, held.role_id from held join accounts a on a.id = held.account_id where a.parent_account_id is not null),
    kin(id, parent_id) as (
      select a.id, a.parent_account_id from accounts a where a.workflow_state = 'active' and (a.parent_account_id is null or a.id in (select account_id from held))),
    down(id) as (select id from kin where id = ${account.id} union select kin.id from down join kin on kin.parent_id = down.id),
    family(id) as (select id from down union select id from kin where id in (select value from json_each(${JSON.stringify(account.chain)})))
    select found.value from family f, json_each((select json_group_array(x.id) from (
      select n.id from account_notifications n where ${sql.join(conditions, sql` and `)}
      order by n.end_at, n.id limit ${page.per_page * (page.number ?? 1) + 1}) x)) found`;
}
