// The permissions of a role in an account, and its overrides there. Pure.

import { lookUp } from '@carrel/shared/wire/look_up';
import { type Institution, isOffered } from '../../contexts/institution';
import {
  formerPermissions,
  holdsByDefault,
  type Permission,
  permissionGroups,
  permissions,
  type RoleOverride,
  roleHolds,
} from '../../contexts/permissions';
import { problem } from '../../http/problem';
import type { baseRoleTypes } from './table';

interface RoleFacts {
  readonly id: number;
  readonly base_role_type: (typeof baseRoleTypes)[number];
  readonly workflow_state: string;
}

export const labels: Readonly<Record<string, string>> = {
  AccountAdmin: 'Account Admin',
  AccountMembership: 'Account Membership',
  StudentEnrollment: 'Student',
  TeacherEnrollment: 'Teacher',
  TaEnrollment: 'TA',
  DesignerEnrollment: 'Designer',
  ObserverEnrollment: 'Observer',
};

const groupOf = new Map(Object.entries(permissionGroups).flatMap(([name, members]) => members.map((member) => [member as string, name])));
export const permissionGroup = (permission: string): string | undefined => groupOf.get(permission);

/** Turns `manage_wiki_create` into "Manage wiki: create" and `add_ta_to_course` into "Add TA to course". */
export const labelOf = (name: string): string => {
  const words = (name.charAt(0).toUpperCase() + name.slice(1))
    .replaceAll('_', ' ')
    .replace(/\b(ta|sis|lti)\b/gi, (word) => word.toUpperCase());
  return groupOf.has(name) ? words.replace(/ (\w+)$/, ': $1') : words;
};

const isAccountAdmin = (role: RoleFacts) => role.base_role_type === 'AccountMembership' && role.workflow_state === 'built_in';

/** Names of the permissions that apply to a role in the last account of a chain. */
const applicable = (role: RoleFacts, chain: readonly number[], institution: Pick<Institution, 'root'>): Permission[] =>
  [...permissions.values()]
    .filter(
      (facts) =>
        facts.availableTo.has(role.base_role_type) && (!facts.isRootOnly || chain.length === 1) && isOffered(facts.name, institution),
    )
    .map((facts) => facts.name);

const lockedAbove = (permission: string, role: RoleFacts, chain: readonly number[], overrides: readonly RoleOverride[]) =>
  overrides.some(
    (one) => one.role_id === role.id && one.permission === permission && one.locked && chain.slice(0, -1).includes(one.account_id),
  );

const isReadonly = (permission: string, role: RoleFacts, chain: readonly number[], overrides: readonly RoleOverride[]) =>
  (isAccountAdmin(role) && permission === 'manage_role_overrides') || lockedAbove(permission, role, chain, overrides);

/** Every permission that applies to a role in the last account of a chain (root first), as clients see it. */
export function rolePermissions(
  role: RoleFacts,
  chain: readonly number[],
  overrides: readonly RoleOverride[],
  institution: Pick<Institution, 'root'>,
) {
  const here = chain.at(-1);
  return Object.fromEntries(
    applicable(role, chain, institution).map((permission) => {
      const own = overrides.find((one) => one.account_id === here && one.role_id === role.id && one.permission === permission);
      const enabled = roleHolds(permission, role, chain, overrides);
      const isReadOnly = isReadonly(permission, role, chain, overrides);
      const explicit = own?.enabled !== undefined && own.enabled !== null;
      const upstream =
        chain.length > 1 ? inheritedBelow(permission, role, chain.slice(0, -1), overrides) : holdsByDefault(permission, role);
      const group = permissionGroup(permission);
      return [
        permission,
        {
          enabled,
          locked: (own?.locked ?? false) || lockedAbove(permission, role, chain, overrides),
          readonly: isReadOnly,
          explicit,
          ...(explicit && { prior_default: upstream }),
          ...(enabled && { applies_to_self: own?.applies_to_self ?? true, applies_to_descendants: own?.applies_to_descendants ?? true }),
          ...(group && { group }),
        },
      ];
    }),
  );
}

/** The values inherited by accounts below the chain. */
const inheritedBelow = (permission: string, role: RoleFacts, chain: readonly number[], overrides: readonly RoleOverride[]) =>
  roleHolds(permission, role, [...chain, 0], overrides);

export interface PermissionGiven {
  readonly explicit?: boolean;
  readonly enabled?: boolean;
  readonly locked?: boolean;
  readonly applies_to_self?: boolean;
  readonly applies_to_descendants?: boolean;
}

export type OverrideWanted = Omit<RoleOverride, 'account_id' | 'role_id'>;

/**
 * The permissions that a setting applies to: one, or all of a group.
 * @throws Problem 400 for a permission that would apply nowhere, or a lock on one of a group
 */
function permissionsNamed(name: string, { locked, applies_to_self, applies_to_descendants }: PermissionGiven): readonly string[] {
  if (applies_to_self === false && applies_to_descendants === false)
    throw problem(400, `${name} must apply to the account, to those below it, or to both`);
  const members = lookUp(permissionGroups, name) ?? lookUp(formerPermissions, name);
  if (!members && locked && permissionGroup(name)) throw problem(400, `${name} can only be locked with its group`);
  return members ?? [name];
}

/** The override of a setting; null for one that is neither explicit nor locked, which only repeats the inherited value. */
function overrideOf(permission: string, setting: PermissionGiven): OverrideWanted | null {
  const { locked = false, applies_to_self = true, applies_to_descendants = true } = setting;
  const enabled = setting.explicit ? (setting.enabled ?? null) : null;
  return enabled === null && !locked ? null : { permission, enabled, locked, applies_to_self, applies_to_descendants };
}

/**
 * The overrides of an account after these settings; `null` for those to delete. Settings that cannot be changed are ignored.
 * @throws Problem 400 for a permission that would apply nowhere, or a lock on one of a group
 */
export function overridesWanted(
  given: Readonly<Record<string, PermissionGiven>>,
  role: RoleFacts,
  chain: readonly number[],
  institution: Pick<Institution, 'root' | 'overrides'>,
): Map<string, OverrideWanted | null> {
  const { overrides } = institution;
  const known = new Set<string>(applicable(role, chain, institution));
  const isChangeable = (permission: string) => known.has(permission) && !isReadonly(permission, role, chain, overrides);
  return new Map(
    Object.entries(given).flatMap(([name, setting]) =>
      permissionsNamed(name, setting)
        .filter(isChangeable)
        .map((permission) => [permission, overrideOf(permission, setting)] as const),
    ),
  );
}
