// What clients see of an authentication provider: never its secrets (reference of the API: Authentication Providers).

import { bool, int, mapOf, maybe, object, optional, text } from '../wire/fields';
import { resource } from './resource';

const words = {
  self_registration: optional(maybe(text)),
  auth_base: optional(maybe(text)),
  auth_filter: optional(maybe(text)),
  auth_host: optional(maybe(text)),
  auth_over_tls: optional(maybe(text)),
  auth_username: optional(maybe(text)),
  identifier_format: optional(maybe(text)),
  log_in_url: optional(maybe(text)),
  log_out_url: optional(maybe(text)),
  unknown_user_url: optional(maybe(text)),
  metadata: optional(maybe(text)),
  metadata_uri: optional(maybe(text)),
  idp_entity_id: optional(maybe(text)),
  certificate_fingerprint: optional(maybe(text)),
  requested_authn_context: optional(maybe(text)),
  sig_alg: optional(maybe(text)),
  client_id: optional(maybe(text)),
  authorize_url: optional(maybe(text)),
  token_url: optional(maybe(text)),
  scope: optional(maybe(text)),
  end_session_endpoint: optional(maybe(text)),
  userinfo_endpoint: optional(maybe(text)),
  issuer: optional(maybe(text)),
  discovery_url: optional(maybe(text)),
  hosted_domain: optional(maybe(text)),
  application_id: optional(maybe(text)),
  tenant: optional(maybe(text)),
  app_id: optional(maybe(text)),
  domain: optional(maybe(text)),
  district_id: optional(maybe(text)),
};

export const AuthenticationProvider = resource('AuthenticationProvider', {
  id: int,
  auth_type: text,
  position: int,
  workflow_state: text,
  jit_provisioning: bool,
  mfa_required: bool,
  login_attribute: maybe(text),
  federated_attributes: mapOf(object({ attribute: text, provisioning_only: bool })),
  auth_port: optional(maybe(int)),
  ...words,
});

const sso = {
  login_handle_name: maybe(text),
  change_password_url: maybe(text),
  auth_discovery_url: maybe(text),
  unknown_user_url: maybe(text),
};
/** At the top level and under `sso_settings`: different clients read different ones. */
export const SsoSettings = resource('SSOSettings', { ...sso, sso_settings: object(sso) });
