// What a change to an account may be: each field with the right it needs, its value checked.

import { bool, group, int, json, mapOf, maybe, optional, text } from '@carrel/shared/wire/fields';
import type { AccountContext } from '../../contexts/account';
import { invalid, Problem } from '../../http/problem';
import { passwordPolicyFields } from '../users/password_policy';
import { timeZone } from '../users/time_zones';

const setting = optional(group({ value: optional(bool), locked: optional(bool) }));

export const settingNames = [
  'restrict_student_past_view',
  'restrict_student_future_view',
  'restrict_student_future_listing',
  'lock_all_announcements',
  'usage_rights_required',
  'conditional_release',
  'enable_course_paces',
  'enable_as_k5_account',
  'use_classic_font_in_k5',
  'horizon_account',
] as const;

export const changeable = {
  name: optional(text),
  sis_account_id: optional(maybe(text)),
  default_time_zone: optional(text),
  default_storage_quota_mb: optional(maybe(int)),
  default_user_storage_quota_mb: optional(maybe(int)),
  default_group_storage_quota_mb: optional(maybe(int)),
  parent_account_id: optional(text),
  settings: optional(
    group({
      ...(Object.fromEntries(settingNames.map((name) => [name, setting])) as Record<(typeof settingNames)[number], typeof setting>),
      admins_can_change_passwords: optional(bool),
      password_policy: passwordPolicyFields,
    }),
  ),
  services: optional(mapOf(json)),
};

export interface AccountChange {
  readonly name?: string;
  readonly sis_account_id?: string | null;
  readonly default_time_zone?: string;
  readonly default_storage_quota_mb?: number | null;
  readonly default_user_storage_quota_mb?: number | null;
  readonly default_group_storage_quota_mb?: number | null;
  readonly settings?: object;
  readonly services?: object;
}

const rights: Record<keyof AccountChange, string> = {
  name: 'manage_account_settings',
  sis_account_id: 'manage_sis',
  default_time_zone: 'manage_account_settings',
  default_storage_quota_mb: 'manage_storage_quotas',
  default_user_storage_quota_mb: 'manage_storage_quotas',
  default_group_storage_quota_mb: 'manage_storage_quotas',
  settings: 'manage_account_settings',
  services: 'manage_account_settings',
};

const forbidden = (field: string) =>
  new Problem(401, { errors: { [field]: [{ attribute: field, type: 'unauthorized', message: 'Cannot manage this field' }] } });

/**
 * The fields as they are stored.
 * @throws Problem 401 for a field that the caller may not change: then nothing changes; 400 for a value that cannot be
 */
export function checkedChange(given: AccountChange, account: AccountContext) {
  for (const [field, right] of Object.entries(rights))
    if (given[field as keyof AccountChange] !== undefined && !account.can(right)) throw forbidden(field);
  if (given.sis_account_id !== undefined && account.parent_account_id === null) throw forbidden('sis_account_id');
  return checkedValues(given);
}

export function checkedValues(given: AccountChange) {
  if (given.name !== undefined && given.name.trim() === '') throw invalid('name', 'blank');
  if ((given.name?.length ?? 0) > 255) throw invalid('name', 'too_long');
  for (const quota of ['default_storage_quota_mb', 'default_user_storage_quota_mb', 'default_group_storage_quota_mb'] as const)
    if ((given[quota] ?? 0) < 0) throw invalid(quota, 'invalid', 'must not be negative');
  const zone = given.default_time_zone === undefined ? undefined : timeZone(given.default_time_zone);
  if (given.default_time_zone !== undefined && zone === undefined) throw invalid('default_time_zone', 'invalid');
  return {
    name: given.name,
    sis_account_id: given.sis_account_id,
    default_time_zone: zone,
    default_storage_quota_mb: given.default_storage_quota_mb,
    default_user_storage_quota_mb: given.default_user_storage_quota_mb,
    default_group_storage_quota_mb: given.default_group_storage_quota_mb,
  };
}
