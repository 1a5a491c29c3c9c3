// Whether one user's account roles grant every permission that another's grant, in every account where the other has them.

import { type AccountTree, chainOf, linksHold, runsTheService } from './institution';
import { forTheService, permissions, type RoleOverride } from './permissions';
import type { AdminLink } from './viewer';

/** The accounts of both users and of role overrides, and the overrides. */
export interface Ranking extends AccountTree {
  readonly root: { readonly id: number };
  readonly overrides: readonly RoleOverride[];
}

const all: readonly string[] = [...permissions.keys(), ...forTheService];

/** Represents every account below the last of a chain. */
const below = 0;

/** Whether the first have every permission that the others have, in every account. Callers who run the service outrank everyone. */
export function coversRights(mine: readonly AdminLink[], theirs: readonly AdminLink[], ranking: Ranking): boolean {
  if (theirs.length === 0 || runsTheService({ adminLinks: mine }, ranking)) return true;
  const roleIds = new Set([...mine, ...theirs].map(({ role }) => role.id));
  const overrides = ranking.overrides.filter(({ role_id }) => roleIds.has(role_id));
  // Below a role's account, its permissions change only in accounts with overrides.
  const places = new Set([...theirs, ...overrides].map(({ account_id }) => account_id));
  return [...places].every((account_id) => {
    const chain = chainOf(account_id, ranking);
    if (!theirs.some((link) => chain.includes(link.account_id))) return true;
    const here = { root: ranking.root, overrides: overrides.filter((one) => chain.includes(one.account_id)) };
    return [chain, [...chain, below]].every((at) =>
      all.every((permission) => !linksHold(permission, theirs, at, here) || linksHold(permission, mine, at, here)),
    );
  });
}
