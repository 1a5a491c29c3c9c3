// An account as a request stands in it.

import type { AccountRow, Institution } from './institution';
import { adminMay, chainOf, linksOn } from './institution';
import type { Viewer } from './viewer';

export interface AccountContext extends AccountRow {
  readonly chain: readonly number[];
  /** Whether the caller holds an active role here or above. */
  readonly isAdmin: boolean;
  can(permission: string): boolean;
}

export function accountContext(row: AccountRow, me: Viewer, institution: Institution): AccountContext {
  const chain = chainOf(row.id, institution);
  return { ...row, chain, isAdmin: linksOn(me, chain).length > 0, can: (permission) => adminMay(permission, me, chain, institution) };
}

/** What stands for an account that there is not: right below the root, so that those who manage all accounts learn that it is missing. */
export const accountOfNobody = (me: Viewer, institution: Institution): AccountContext => {
  const chain = [institution.root.id];
  return {
    ...institution.root,
    id: 0,
    parent_account_id: institution.root.id,
    chain,
    isAdmin: linksOn(me, chain).length > 0,
    can: (permission) => adminMay(permission, me, chain, institution),
  };
};
