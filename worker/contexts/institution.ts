// The accounts of the institution that a request touches, and what they change about permissions.

import type { accounts } from '../domains/accounts/table';
import type { RowOf } from '../http/listing';
import { forTheService, type Permission, permissions, type RoleOverride, roleHolds } from './permissions';
import type { AdminLink, Viewer } from './viewer';

export type AccountRow = RowOf<typeof accounts>;

export interface Institution {
  readonly root: AccountRow;
  /** Every account that was loaded, by id. */
  readonly accounts: ReadonlyMap<number, AccountRow>;
  readonly overrides: readonly RoleOverride[];
}

/** From the root down to the account. Empty for an account that was not loaded. */
export function chainOf(account_id: number, institution: Institution): readonly number[] {
  const chain: number[] = [];
  for (let at: number | null = account_id; at !== null && !chain.includes(at); ) {
    const account = institution.accounts.get(at);
    if (!account) break;
    chain.unshift(at);
    at = account.parent_account_id;
  }
  return chain;
}

/** The caller's account roles that reach the last account of a chain. */
export const linksOn = (me: Viewer, chain: readonly number[]): readonly AdminLink[] =>
  me.adminLinks.filter((link) => chain.includes(link.account_id));

/** Whether the caller runs the whole service: an institution has nobody above the account admins of its root account. */
export const runsTheService = (me: Viewer, { root }: Pick<Institution, 'root'>): boolean =>
  me.adminLinks.some((link) => link.account_id === root.id && link.role.workflow_state === 'built_in');

/** Letters to others are read only where the root account lets its administrators (reference 01 B2): else there is no such permission. */
export const isThere = (permission: string, { root }: Pick<Institution, 'root'>): boolean =>
  permission !== 'view_notifications' || root.settings.admins_can_view_notifications === true;

/** Whether an account role gives the caller the permission at the last account of a chain. */
export function adminMay(permission: string, me: Viewer, chain: readonly number[], institution: Institution): boolean {
  if (forTheService.has(permission)) return runsTheService(me, institution);
  if (!isThere(permission, institution)) return false;
  if (permissions.get(permission as Permission)?.isRootOnly && !linksOn(me, chain.slice(0, 1)).length) return false;
  return linksOn(me, chain).some((link) => roleHolds(permission, link.role, chain, institution.overrides));
}
