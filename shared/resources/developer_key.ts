// What clients see of a developer key and its account bindings (reference of the API: Developer Keys).

import { bool, int, json, listOf, maybe, text, time } from '../wire/fields';
import { resource } from './resource';

export const DeveloperKeyAccountBinding = resource('DeveloperKeyAccountBinding', {
  id: int,
  account_id: int,
  developer_key_id: int,
  workflow_state: text,
  /** Whether the binding's account also owns the key. */
  account_owns_binding: bool,
  created_at: time,
  updated_at: time,
});

export const DeveloperKey = resource('DeveloperKey', {
  id: int,
  account_id: int,
  account_name: maybe(text),
  user_id: maybe(int),
  user_name: maybe(text),
  name: maybe(text),
  email: maybe(text),
  icon_url: maybe(text),
  notes: maybe(text),
  vendor_code: maybe(text),
  workflow_state: text,
  redirect_uri: maybe(text),
  redirect_uris: listOf(text),
  client_type: text,
  /** The secret: only in the response that created it, else null. */
  api_key: maybe(text),
  auto_expire_tokens: bool,
  access_token_count: int,
  last_used_at: maybe(time),
  scopes: listOf(text),
  require_scopes: bool,
  allow_includes: bool,
  visible: bool,
  test_cluster_only: bool,
  client_credentials_audience: maybe(text),
  public_jwk: json,
  public_jwk_url: maybe(text),
  developer_key_account_binding: maybe(DeveloperKeyAccountBinding.field),
  created_at: time,
  updated_at: time,
});
