// Nobody reaches through somebody who holds more rights than they do themselves: by another address, another password, or a merge.

import { and, eq, type SQL, sql } from 'drizzle-orm';
import { permissions, roleHolds } from '../../contexts/permissions';
import { within } from '../../database/ids';
import type { Database, ResultsOf } from '../../database/open';
import type { Call } from '../../http/call';
import { above } from '../accounts/tree';
import { admins } from '../admins/table';
import { role_overrides, roles } from '../roles/table';

/**
 * What some people may do as administrators, in statements.
 * @param people a select of their ids
 */
export const standing = (db: Database, people: SQL) => {
  const links = and(within(admins.user_id, people), eq(admins.workflow_state, 'active'));
  const theirs = sql`select account_id from admins where user_id in (${people}) and workflow_state = 'active'`;
  return [
    db.build.select().from(admins).where(links),
    db.build.select().from(roles).where(sql`${roles.id} in (select role_id from admins where user_id in (${people}))`),
    db.build.select().from(role_overrides),
    db.build.all<{ id: number; parent_account_id: number | null }>(
      sql`select id, parent_account_id from accounts where id in (${above(theirs)})`,
    ),
  ] as const;
};
export type Standing = ResultsOf<ReturnType<typeof standing>>;

/** Whether the caller holds every permission that they hold, wherever they hold it. */
export function outranks({ me }: Pick<Call, 'me'>, [links, roleRows, overrides, tree]: Standing): boolean {
  const parents = new Map(tree.map((one) => [one.id, one.parent_account_id]));
  const chainTo = (account_id: number): number[] => {
    const parent = parents.get(account_id);
    return parent === undefined ? [] : parent === null ? [account_id] : [...chainTo(parent), account_id];
  };
  return links.every((link) => {
    const role = roleRows.find((one) => one.id === link.role_id && one.workflow_state !== 'inactive');
    const chain = chainTo(link.account_id);
    const mine = me.adminLinks.filter((one) => chain.includes(one.account_id));
    return (
      !role ||
      [...permissions.keys()].every(
        (permission) =>
          !roleHolds(permission, role, chain, overrides) || mine.some((one) => roleHolds(permission, one.role, chain, overrides)),
      )
    );
  });
}
