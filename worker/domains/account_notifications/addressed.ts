// Account notifications for a user: of the user's accounts, addressed to a role held there, current, and not dismissed.

import { type SQL, sql } from 'drizzle-orm';
import type { AccountContext } from '../../contexts/account';
import { atMost } from '../../database/at_most';
import type { Call } from '../../http/call';

export interface AccountNotificationFilter {
  readonly past: boolean;
  readonly closed: boolean;
  /** Restrict the result to this notification. */
  readonly id?: number;
}

/**
 * Ids of the caller's notifications in an account, its ancestors and its descendants. Each account is walked in the order of end time, and only as
 * far as the page needs.
 */
export function addressed(
  { me, now, page }: Pick<Call, 'me' | 'now' | 'page'>,
  account: Pick<AccountContext, 'id' | 'chain'>,
  asked: AccountNotificationFilter,
): SQL {
  const [end_at, id] = [String(page.after?.[0] ?? ''), Number(page.after?.[1] ?? 0)];
  const isFurther = page.after !== undefined && asked.id === undefined;
  const conditions = [
    sql`n.account_id = f.id`,
    ...(asked.past ? [] : [sql`n.start_at <= ${now}`]),
    // Everything after the bookmark also ends later, so one bound is enough; the index can use only one.
    ...(asked.past || isFurther ? [] : [sql`n.end_at > ${now}`]),
    ...(asked.closed
      ? []
      : [sql`not exists (select 1 from closed_account_notifications c where c.account_notification_id = n.id and c.user_id = ${me.id})`]),
    ...(asked.id === undefined ? [] : [sql`n.id = ${asked.id}`]),
    ...(isFurther ? [sql`n.end_at >= ${end_at} and (n.end_at, n.id) > (${end_at}, ${id})`] : []),
    sql`(n.role_ids = '[]' or exists (select 1 from json_each(n.role_ids) r join held h on h.role_id = r.value where h.account_id = n.account_id))`,
  ];
  return sql`with links(account_id, role_id) as (
      select account_id, role_id from admins where user_id = ${me.id} and workflow_state = 'active'
      union select c.account_id, e.role_id from enrollments e join courses c on c.id = e.course_id
        where e.user_id = ${me.id} and e.enrollment_state in ('active', 'invited', 'completed') and c.workflow_state <> 'deleted'),
    held(account_id, role_id) as materialized (
      select distinct t.ancestor_id, l.role_id from links l join account_ancestors t on t.account_id = l.account_id),
    kin(id) as (select 1 union select account_id from held),
    family(id) as (select k.id from kin k where k.id in (select value from json_each(${JSON.stringify(account.chain)}))
      or exists (select 1 from account_ancestors t where t.account_id = k.id and t.ancestor_id = ${account.id}))
    select found.value from family f, json_each((select json_group_array(x.id) from (
      select n.id from account_notifications n where ${sql.join(conditions, sql` and `)}
      order by n.end_at, n.id limit ${atMost(page.per_page * (page.number ?? 1) + 1)}) x)) found`;
}
