// Rank: whether the account roles of one person give every right that those of another give, wherever the other has it.

import { chainOf, linksHold, runsTheService, type Tree } from './institution';
import { forTheService, permissions, type RoleOverride } from './permissions';
import type { AdminLink } from './viewer';

/** The accounts of both people, those that change their roles, and what these change. */
export interface Ranking extends Tree {
  readonly root: { readonly id: number };
  readonly overrides: readonly RoleOverride[];
}

const all: readonly string[] = [...permissions.keys(), ...forTheService];

/** Stands for any account below the last of a chain. */
const below = 0;

/** Whether the first hold every permission that the others hold, at every account. Who runs the service is above everyone. */
export function covers(mine: readonly AdminLink[], theirs: readonly AdminLink[], ranking: Ranking): boolean {
  if (theirs.length === 0 || runsTheService({ adminLinks: mine }, ranking)) return true;
  const roleIds = new Set([...mine, ...theirs].map(({ role }) => role.id));
  const overrides = ranking.overrides.filter(({ role_id }) => roleIds.has(role_id));
  // Below the account of a role its rights change only where an account overrides them.
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
