// What clients see of a role (reference of the API: Roles).

import { bool, int, listOf, mapOf, object, optional, text, time } from '../wire/fields';
import { Account } from './account';
import { resource } from './resource';

export const Role = resource('Role', {
  id: int,
  label: text,
  role: text,
  base_role_type: text,
  is_account_role: bool,
  workflow_state: text,
  created_at: time,
  last_updated_at: time,
  /** For custom roles. */
  account: optional(Account.field),
  permissions: mapOf(
    object({
      enabled: bool,
      locked: bool,
      readonly: bool,
      explicit: bool,
      prior_default: optional(bool),
      applies_to_self: optional(bool),
      applies_to_descendants: optional(bool),
      group: optional(text),
    }),
  ),
  base_role_type_label: optional(text),
});

export const RolePermission = resource('RolePermission', {
  key: text,
  label: text,
  group: optional(text),
  group_label: optional(text),
  available_to: listOf(text),
  true_for: listOf(text),
});
