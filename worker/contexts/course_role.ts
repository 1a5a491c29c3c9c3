// What a role gives in a course, so that no one takes one that gives more than they hold there.

import { adminMay, type Institution, runsTheService } from './institution';
import { type BaseRoleType, permissions, type RoleOverride, roleHolds } from './permissions';
import type { Viewer } from './viewer';

interface Role {
  readonly id: number;
  readonly base_role_type: BaseRoleType;
  readonly workflow_state: string;
}

/** Teachers and designers edit a course by being there; administrators need this permission for it. */
export const editing = 'manage_courses_admin';
export const editors: ReadonlySet<string> = new Set(['TeacherEnrollment', 'DesignerEnrollment']);

/** The rights that a course role gives at the last account of a chain. */
export const givenBy = (role: Role, chain: readonly number[], overrides: readonly RoleOverride[]): string[] => [
  ...[...permissions.keys()].filter((permission) => roleHolds(permission, role, chain, overrides)),
  ...(editors.has(role.base_role_type) ? [editing] : []),
];

/** Whether a course role, of any course, would give the caller a right that they do not hold in the whole institution. */
export const gainsAtRoot = ({ me, institution }: { me: Viewer; institution: Institution }, role: Role | undefined): boolean =>
  role !== undefined &&
  !runsTheService(me, institution) &&
  givenBy(role, [institution.root.id], institution.overrides).some((right) => !adminMay(right, me, [institution.root.id], institution));
