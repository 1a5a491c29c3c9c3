// The permissions of a role.

import { describe, expect, test } from 'vitest';
import { holdsByDefault, type RoleOverride, roleHolds } from './permissions';

describe('the permissions of a role', () => {
  const ta = { id: 5, base_role_type: 'TaEnrollment' as const, workflow_state: 'built_in' };
  const custom = { id: 20, base_role_type: 'AccountMembership' as const, workflow_state: 'active' };
  const admin = { id: 1, base_role_type: 'AccountMembership' as const, workflow_state: 'built_in' };
  const override = (account_id: number, enabled: boolean | null, rest: Partial<RoleOverride> = {}): RoleOverride => ({
    account_id,
    role_id: 5,
    permission: 'manage_grades',
    enabled,
    locked: false,
    applies_to_self: true,
    applies_to_descendants: true,
    ...rest,
  });
  const chain = [1, 2, 3];

  test('the defaults: a TA grades, an administrator has all but two, a custom account role none', () => {
    expect(holdsByDefault('manage_grades', ta)).toBe(true);
    expect(holdsByDefault('manage_courses_delete', ta)).toBe(false);
    expect(holdsByDefault('become_user', admin)).toBe(true);
    expect(holdsByDefault('proxy_assignment_submission', admin)).toBe(false);
    expect(holdsByDefault('read_roster', custom)).toBe(false);
  });

  test.each<[string, RoleOverride[], boolean]>([
    ['without overrides', [], true],
    ['the nearest override wins', [override(1, false), override(3, true)], true],
    ['an override applies in sub-accounts', [override(1, false)], false],
    ['a locked override cannot be overridden', [override(1, false, { locked: true }), override(3, true)], false],
    ['an override for its own account only does not apply below', [override(1, false, { applies_to_descendants: false })], true],
    ['an override for sub-accounts only does not apply in its own account', [override(3, false, { applies_to_self: false })], true],
  ])('%s', (_, overrides, expected) => {
    expect(roleHolds('manage_grades', ta, chain, overrides)).toBe(expected);
  });

  test('an override cannot grant what the role type cannot have', () => {
    expect(roleHolds('become_user', ta, [1], [override(1, true, { permission: 'become_user' })])).toBe(false);
  });
});
