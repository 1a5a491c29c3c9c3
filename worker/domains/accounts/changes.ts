// Changes to an account: the permission that each field needs, and the validation of its value.

import { sanitise } from '@carrel/shared/html/sanitise';
import { bool, idField, int, mapOf, maybe, object, oneOf, optional, referenceTo, text, word } from '@carrel/shared/wire/fields';
import { lookUp } from '@carrel/shared/wire/look_up';
import type { AccountContext } from '../../contexts/account';
import { settingOf } from '../../contexts/account_settings';
import type { Institution } from '../../contexts/institution';
import { differs } from '../../contexts/unchanged';
import { invalid, Problem } from '../../http/problem';
import { type BrandName, brandNames, isBrandValue } from '../brand_variables/brand';
import { passwordPolicyFields } from '../users/logins/password_policy';
import { timeZone } from '../users/settings/time_zones';

const setting = optional(object({ value: optional(bool), locked: optional(bool) }));

const settingNames = [
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

export const accountFields = {
  name: optional(text),
  sis_account_id: optional(maybe(text)),
  default_time_zone: optional(word),
  default_storage_quota_mb: optional(maybe(int)),
  default_user_storage_quota_mb: optional(maybe(int)),
  default_group_storage_quota_mb: optional(maybe(int)),
  parent_account_id: optional(referenceTo('account')),
  settings: optional(
    object({
      ...(Object.fromEntries(settingNames.map((name) => [name, setting])) as Record<(typeof settingNames)[number], typeof setting>),
      admins_can_change_passwords: optional(bool),
      admins_can_view_notifications: optional(bool),
      users_can_edit_name: optional(bool),
      prevent_course_renaming_by_teachers: optional(bool),
      microsoft_sync_enabled: optional(bool),
      microsoft_sync_tenant: optional(maybe(text)),
      microsoft_sync_login_attribute: optional(maybe(text)),
      microsoft_sync_login_attribute_suffix: optional(maybe(text)),
      microsoft_sync_remote_attribute: optional(maybe(text)),
      brand_variables: optional(mapOf(maybe(text))),
      password_policy: passwordPolicyFields,
    }),
  ),
  services: optional(mapOf(bool)),
  course_template_id: optional(maybe(idField('course'))),
  grading_standard_id: optional(maybe(idField('grading_standard'))),
  terms_of_service: optional(
    object({ terms_type: optional(oneOf('default', 'custom', 'no_terms')), content: optional(maybe(text)), passive: optional(bool) }),
  ),
};

export interface AccountChange {
  readonly name?: string;
  readonly sis_account_id?: string | null;
  readonly default_time_zone?: string;
  readonly default_storage_quota_mb?: number | null;
  readonly default_user_storage_quota_mb?: number | null;
  readonly default_group_storage_quota_mb?: number | null;
  readonly settings?: { readonly brand_variables?: Readonly<Record<string, string | null>> } & Readonly<Record<string, unknown>>;
  readonly services?: Readonly<Record<string, boolean>>;
  readonly course_template_id?: number | null;
  readonly grading_standard_id?: number | null;
  readonly terms_of_service?: object;
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
  course_template_id: 'edit_course_template',
  grading_standard_id: 'manage_account_settings',
  terms_of_service: 'manage_account_settings',
};

const forbidden = (field: string) =>
  new Problem(401, { errors: { [field]: [{ attribute: field, type: 'unauthorized', message: 'Cannot manage this field' }] } });

/**
 * Validates a change and returns the values to store.
 * @param inheritedQuotas the effective quotas; sending them back unchanged is not a change
 * @throws Problem 401 for a field that the caller may not change, 400 for an invalid value
 */
export function checkedChange(given: AccountChange, account: AccountContext, inheritedQuotas: object) {
  const stored: Partial<Record<string, unknown>> = { ...account, ...inheritedQuotas };
  for (const [field, right] of Object.entries(rights)) {
    const value: unknown = lookUp<unknown>({ ...given }, field);
    const isChanged = (typeof value === 'object' && value !== null) || differs(value as string, lookUp(stored, field) as string);
    if (isChanged && !account.can(right)) throw forbidden(field);
  }
  // These settings widen what other permissions allow, so they need `manage_site_settings`.
  const { settings = {} } = given;
  const widens = ['admins_can_change_passwords', 'admins_can_view_notifications'].some(
    (name) => lookUp(settings, name) !== undefined && lookUp(settings, name) !== (lookUp(account.settings, name) === true),
  );
  if (widens && !account.can('manage_site_settings')) throw forbidden('settings');
  if (differs(given.sis_account_id, account.sis_account_id) && account.parent_account_id === null) throw forbidden('sis_account_id');
  return checkedValues(given);
}

const quotas = ['default_storage_quota_mb', 'default_user_storage_quota_mb', 'default_group_storage_quota_mb'] as const;
const isTooLong = (given: string | null | undefined) => (given?.length ?? 0) > 255;
const isBrandVariable = ([name, value]: [string, string | null]) => brandNames.includes(name as BrandName) && isBrandValue(value ?? '');

function checkedZone(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const zone = timeZone(given);
  if (zone === undefined) throw invalid('default_time_zone', 'invalid');
  return zone;
}

/** @throws Problem 400 for an invalid value */
export function checkedValues(given: AccountChange) {
  if (given.name?.trim() === '') throw invalid('name', 'blank');
  if (isTooLong(given.name)) throw invalid('name', 'too_long');
  for (const quota of quotas) if ((given[quota] ?? 0) < 0) throw invalid(quota, 'invalid', 'must not be negative');
  if (isTooLong(given.sis_account_id)) throw invalid('sis_account_id', 'too_long');
  if (!Object.entries(given.settings?.brand_variables ?? {}).every(isBrandVariable)) throw invalid('brand_variables', 'invalid');
  if ((given.course_template_id ?? 0) < 0) throw invalid('course_template_id', 'invalid');
  return {
    name: given.name,
    sis_account_id: given.sis_account_id,
    default_time_zone: checkedZone(given.default_time_zone),
    default_storage_quota_mb: given.default_storage_quota_mb,
    default_user_storage_quota_mb: given.default_user_storage_quota_mb,
    default_group_storage_quota_mb: given.default_group_storage_quota_mb,
    course_template_id: given.course_template_id,
  };
}

type Accounts = Parameters<typeof settingOf>[0];

const inheritable = new Set<string>(settingNames);

/**
 * The settings to store at an account: a setting that an ancestor locks is dropped.
 * @param above ancestors of the account, root first
 * @param own the account before the change
 */
export function keptSettings(given: AccountChange, above: Accounts, own: Accounts = []): Record<string, unknown> {
  const free = Object.entries(given.settings ?? {}).filter(([name]) => !inheritable.has(name) || !settingOf(above, name).locked);
  const { terms_of_service: terms } = given;
  return {
    // A locked setting keeps the value it was locked with.
    ...Object.fromEntries(
      free
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => [name, inheritable.has(name) ? whole(value as Given, settingOf([...above, ...own], name).value) : value]),
    ),
    ...(given.services && { services: given.services }),
    ...(terms && {
      terms_of_service: 'content' in terms && typeof terms.content === 'string' ? { ...terms, content: sanitise(terms.content) } : terms,
    }),
  };
}

type Given = { readonly value?: boolean; readonly locked?: boolean };
const whole = (given: Given, inherited = false): Given =>
  given.locked && given.value === undefined ? { ...given, value: inherited } : given;

/** All inheritable settings; the last account (nearest to the course) wins. */
export const settingsAt = (accounts: Accounts) =>
  Object.fromEntries(
    settingNames.map((name) => {
      const { value = false, locked } = settingOf(accounts, name);
      const isOwn = accounts.at(-1)?.settings[name] !== undefined && !settingOf(accounts.slice(0, -1), name).locked;
      const isSaid = accounts.some(({ settings }) => settings[name] !== undefined);
      return [name, { value, locked, ...(isSaid && !isOwn && { inherited: true }) }];
    }),
  );

/** Ancestors of an account, root first. */
export const settledAbove = (account: AccountContext, institution: Institution) =>
  account.chain.slice(0, -1).flatMap((id) => institution.accounts.get(id) ?? []);
