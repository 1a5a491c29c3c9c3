// The account of a request.

import type { AccountRow, Institution } from './institution';
import { adminMay, chainOf, linksOn } from './institution';
import type { Viewer } from './viewer';

export interface AccountContext extends AccountRow {
  readonly chain: readonly number[];
  /** Whether the caller has an active role here or in an ancestor. */
  readonly isAdmin: boolean;
  can(permission: string): boolean;
}

export function accountContext(row: AccountRow, me: Viewer, institution: Institution): AccountContext {
  const chain = chainOf(row.id, institution);
  return { ...row, chain, isAdmin: linksOn(me, chain).length > 0, can: (permission) => adminMay(permission, me, chain, institution) };
}

/** Placeholder for a missing account, directly below the root, so that users who manage all accounts get a 404 and others a 401. */
export const anonymousAccount = (me: Viewer, institution: Institution): AccountContext => {
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
