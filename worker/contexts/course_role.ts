// The permissions of a role in a course, so that no one can take a role with more permissions than they have there.

import { adminMay, type Institution, runsTheService } from './institution';
import { type BaseRoleType, permissions, type RoleOverride, roleHolds } from './permissions';
import type { Viewer } from './viewer';

interface Role {
  readonly id: number;
  readonly base_role_type: BaseRoleType;
  readonly workflow_state: string;
}

/** Teachers and designers may edit a course without it; administrators need this permission. */
export const editing = 'manage_courses_admin';
export const editors: ReadonlySet<string> = new Set(['TeacherEnrollment', 'DesignerEnrollment']);

/** The permissions that a course role grants in the last account of a chain. */
export const givenBy = (role: Role, chain: readonly number[], overrides: readonly RoleOverride[]): string[] => [
  ...[...permissions.keys()].filter((permission) => roleHolds(permission, role, chain, overrides)),
  ...(editors.has(role.base_role_type) ? [editing] : []),
];

/** Whether a course role would grant the caller a permission that they do not have in the whole institution. */
export const gainsAtRoot = ({ me, institution }: { me: Viewer; institution: Institution }, role: Role | undefined): boolean =>
  role !== undefined &&
  !runsTheService(me, institution) &&
  givenBy(role, [institution.root.id], institution.overrides).some((right) => !adminMay(right, me, [institution.root.id], institution));
