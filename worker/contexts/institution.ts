// The accounts that a request involves, and their permission overrides.

import type { accounts } from '../domains/accounts/table';
import type { RowOf } from '../http/listing';
import { forTheService, type Permission, permissions, type RoleOverride, roleHolds } from './permissions';
import type { AdminLink, Viewer } from './viewer';

export type AccountRow = RowOf<typeof accounts>;

export interface Institution {
  readonly root: AccountRow;
  /** Every loaded account, by id. */
  readonly accounts: ReadonlyMap<number, AccountRow>;
  readonly overrides: readonly RoleOverride[];
}

/** Accounts by id, with as many ancestors as needed. */
export interface AccountTree {
  readonly accounts: ReadonlyMap<number, { readonly parent_account_id: number | null }>;
}

/** The ancestors of an account and itself, root first. Empty for an account that is not loaded. */
export function chainOf(account_id: number, institution: AccountTree): readonly number[] {
  const chain: number[] = [];
  for (let at: number | null = account_id; at !== null && !chain.includes(at); ) {
    const account: { readonly parent_account_id: number | null } | undefined = institution.accounts.get(at);
    if (!account) break;
    chain.unshift(at);
    at = account.parent_account_id;
  }
  return chain;
}

/** The caller's account roles that apply to the last account of a chain. */
export const linksOn = (me: Viewer, chain: readonly number[]): readonly AdminLink[] =>
  me.adminLinks.filter((link) => chain.includes(link.account_id));

const runsIt = (links: readonly AdminLink[], root_id: number): boolean =>
  links.some((link) => link.account_id === root_id && link.role.workflow_state === 'built_in');

/** Whether the caller runs the whole service, as the account admins of the root account do. */
export const runsTheService = (me: Pick<Viewer, 'adminLinks'>, { root }: { readonly root: { readonly id: number } }): boolean =>
  runsIt(me.adminLinks, root.id);

/** The permission to read messages to other users exists only if the root account enables it (reference 01 B2). */
export const isOffered = (permission: string, { root }: Pick<Institution, 'root'>): boolean =>
  permission !== 'view_notifications' || root.settings.admins_can_view_notifications === true;

/** Whether account roles grant a permission in the last account of a chain. */
export function linksHold(
  permission: string,
  links: readonly AdminLink[],
  chain: readonly number[],
  { root, overrides }: { readonly root: { readonly id: number }; readonly overrides: readonly RoleOverride[] },
): boolean {
  if (forTheService.has(permission)) return runsIt(links, root.id);
  const isRootOnly = permissions.get(permission as Permission)?.isRootOnly ?? false;
  return links.some(
    (link) =>
      (isRootOnly ? link.account_id === root.id : chain.includes(link.account_id)) && roleHolds(permission, link.role, chain, overrides),
  );
}

/** Whether the caller's account roles grant a permission in the last account of a chain. */
export const adminMay = (permission: string, me: Viewer, chain: readonly number[], institution: Institution): boolean =>
  isOffered(permission, institution) && linksHold(permission, me.adminLinks, chain, institution);
