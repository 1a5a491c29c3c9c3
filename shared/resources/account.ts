// What clients see of an account (reference of the API: Accounts).

import { bool, int, json, mapOf, maybe, object, optional, text } from '../wire/fields';
import { resource } from './resource';

export const Account = resource('Account', {
  id: int,
  name: text,
  workflow_state: text,
  parent_account_id: maybe(int),
  root_account_id: maybe(int),
  /** The following fields are for managers of the account. */
  uuid: optional(text),
  default_time_zone: optional(text),
  default_storage_quota_mb: optional(int),
  default_user_storage_quota_mb: optional(int),
  default_group_storage_quota_mb: optional(int),
  sis_account_id: optional(maybe(text)),
  integration_id: optional(maybe(text)),
  sis_import_id: optional(maybe(int)),
  course_template_id: optional(maybe(int)),
  grading_standard_id: optional(maybe(int)),
  lti_guid: optional(text),
  registration_settings: optional(object({ login_handle_name: maybe(text), require_email: bool })),
  terms_required: optional(bool),
  terms_of_use_url: optional(maybe(text)),
  privacy_policy_url: optional(maybe(text)),
  recaptcha_key: optional(maybe(text)),
  services: optional(mapOf(json)),
  course_count: optional(int),
  sub_account_count: optional(int),
});

/** What clients who only teach in an account see of it. */
export const AccountName = resource('AccountName', {
  id: int,
  name: text,
  workflow_state: text,
  parent_account_id: maybe(int),
  root_account_id: maybe(int),
});

export const TermsOfService = resource('TermsOfService', {
  id: int,
  terms_type: text,
  passive: bool,
  account_id: int,
  content: maybe(text),
  self_registration_type: maybe(text),
});
