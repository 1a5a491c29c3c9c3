// The kinds of authentication providers: the fields of each, and which are write-only secrets (reference 01 B4).

import type { RowOf } from '../../http/listing';
import type { authentication_providers, authTypes } from './table';

export type AuthType = (typeof authTypes)[number];

interface Kind {
  readonly fields: readonly string[];
  readonly secrets?: readonly string[];
  /** The default attribute that identifies a user at the provider. */
  readonly login_attribute?: string;
  readonly defaults?: Readonly<Record<string, string>>;
}

const client = { fields: ['client_id'], secrets: ['client_secret'] };

export const providerKinds: Readonly<Record<AuthType, Kind>> = {
  apple: { ...client, login_attribute: 'sub' },
  canvas: { fields: ['self_registration'], defaults: { self_registration: 'none' } },
  cas: { fields: ['auth_base', 'log_in_url', 'unknown_user_url'] },
  clever: { fields: ['client_id', 'district_id'], secrets: ['client_secret'], login_attribute: 'id' },
  facebook: { fields: ['app_id'], secrets: ['app_secret'], login_attribute: 'id' },
  github: { fields: ['client_id', 'domain'], secrets: ['client_secret'], login_attribute: 'id' },
  google: { fields: ['client_id', 'hosted_domain'], secrets: ['client_secret'], login_attribute: 'sub' },
  ldap: {
    fields: ['auth_host', 'auth_port', 'auth_over_tls', 'auth_base', 'auth_filter', 'identifier_format', 'auth_username'],
    secrets: ['auth_password'],
    defaults: { auth_port: '389', auth_over_tls: 'start_tls' },
  },
  linkedin: { ...client, login_attribute: 'sub' },
  microsoft: { fields: ['application_id', 'tenant'], secrets: ['application_secret'], login_attribute: 'sub' },
  openid_connect: {
    fields: [
      'client_id',
      'authorize_url',
      'token_url',
      'scope',
      'end_session_endpoint',
      'userinfo_endpoint',
      // Not in the reference: the OpenID issuer, from which the endpoints are discovered.
      'issuer',
      'discovery_url',
    ],
    secrets: ['client_secret'],
    login_attribute: 'sub',
  },
  saml: {
    fields: [
      'metadata',
      'metadata_uri',
      'idp_entity_id',
      'log_in_url',
      'log_out_url',
      'certificate_fingerprint',
      'identifier_format',
      'requested_authn_context',
      'sig_alg',
      'unknown_user_url',
    ],
    login_attribute: 'NameID',
  },
};

/** Fields that are URLs, used by the browser or the server. */
export const addressSettings: ReadonlySet<string> = new Set([
  'log_in_url',
  'log_out_url',
  'unknown_user_url',
  'metadata_uri',
  'authorize_url',
  'token_url',
  'end_session_endpoint',
  'userinfo_endpoint',
  'issuer',
  'discovery_url',
]);

/** Fields with a fixed set of values. */
export const settingChoices: Readonly<Record<string, readonly string[]>> = {
  self_registration: ['all', 'none', 'observer'],
  auth_over_tls: ['simple_tls', 'start_tls'],
};

export const everyField: readonly string[] = [
  ...new Set(Object.values(providerKinds).flatMap(({ fields, secrets = [] }) => [...fields, ...secrets])),
];

/** Attributes that may be taken from a provider's claims. */
export const federated = [
  'display_name',
  'email',
  'given_name',
  'integration_id',
  'locale',
  'name',
  'sis_user_id',
  'sortable_name',
  'surname',
  'timezone',
  'admin_roles',
] as const;

export type ProviderRow = RowOf<typeof authentication_providers>;

/** The context that a provider's secrets are sealed with. */
export const secretsOf = 'authentication provider';
