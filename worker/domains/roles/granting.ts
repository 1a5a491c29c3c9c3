// Who may change a role: no one can grant, remove or lock a permission that they do not have, or change a role above their own.

import type { AccountContext } from '../../contexts/account';
import { type Institution, runsTheService } from '../../contexts/institution';
import { offForAdmins, permissions, type RoleOverride, roleHolds } from '../../contexts/permissions';
import { coversRights, type Ranking } from '../../contexts/rank';
import type { Viewer } from '../../contexts/viewer';
import { unauthorized } from '../../http/problem';
import type { OverrideWanted } from './role_permissions';
import type { roles } from './table';

interface Granting {
  readonly account: AccountContext;
  readonly me: Viewer;
  readonly institution: Pick<Institution, 'root' | 'overrides'>;
}
type Role = Pick<typeof roles.$inferSelect, 'id' | 'base_role_type' | 'workflow_state'>;

/** An account admin may enable permissions that are off by default in that role, unless an ancestor account has disabled them. */
const isOpenToAdmins = (permission: string, { account, me, institution }: Granting): boolean =>
  offForAdmins.has(permission) &&
  me.adminLinks.some(
    ({ account_id, role }) =>
      account.chain.includes(account_id) &&
      role.workflow_state === 'built_in' &&
      !institution.overrides.some((one) => one.role_id === role.id && one.permission === permission && one.enabled === false),
  );

const mayGrant = (permission: string, granting: Granting): boolean =>
  runsTheService(granting.me, granting.institution) || granting.account.can(permission) || isOpenToAdmins(permission, granting);

const isSame = (own: RoleOverride | undefined, wanted: OverrideWanted | null): boolean =>
  own === undefined || wanted === null
    ? own === undefined && wanted === null
    : (['enabled', 'locked', 'applies_to_self', 'applies_to_descendants'] as const).every((field) => own[field] === wanted[field]);

/** @throws Problem 401 when an override would change a permission that the caller does not have in the account */
export function checkRoleOverrides(wanted: ReadonlyMap<string, OverrideWanted | null>, role_id: number, granting: Granting): void {
  const { account, institution } = granting;
  for (const [permission, override] of wanted) {
    const own = institution.overrides.find(
      (one) => one.account_id === account.id && one.role_id === role_id && one.permission === permission,
    );
    if (!isSame(own, override) && !mayGrant(permission, granting)) throw unauthorized();
  }
}

/**
 * The caller must have every permission that the role grants beyond its base type, and an account role must not outrank the caller's.
 * @throws Problem 401
 */
export function checkRole(role: Role, granting: Granting, ranking: Ranking): void {
  const { account, me } = granting;
  if (role.base_role_type === 'AccountMembership') {
    if (!coversRights(me.adminLinks, [{ account_id: account.id, role }], ranking)) throw unauthorized();
    return;
  }
  const given = [...permissions.values()].filter(
    ({ name, trueFor }) => !trueFor.has(role.base_role_type) && roleHolds(name, role, account.chain, ranking.overrides),
  );
  if (given.some(({ name }) => !mayGrant(name, granting))) throw unauthorized();
}
