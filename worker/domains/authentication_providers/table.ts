// Authentication providers: local passwords, or an external identity provider.

import { index, sqliteTable } from 'drizzle-orm/sqlite-core';
import { bool, created, id, int, json, state, string } from '../../database/columns';

export const authTypes = [
  'apple',
  'canvas',
  'cas',
  'clever',
  'facebook',
  'github',
  'google',
  'ldap',
  'linkedin',
  'microsoft',
  'openid_connect',
  'saml',
] as const;

export const authentication_providers = sqliteTable(
  'authentication_providers',
  {
    id: id(),
    account_id: int().notNull(),
    auth_type: state(...authTypes).notNull(),
    position: int().notNull(),
    jit_provisioning: bool().notNull().default(false),
    mfa_required: bool().notNull().default(false),
    login_attribute: string(),
    federated_attributes: json<Record<string, { attribute: string; provisioning_only: boolean }>>().notNull().default({}),
    /** The provider's readable fields. */
    settings: json<Record<string, string>>().notNull().default({}),
    /** The provider's secret fields: JSON, sealed. */
    secrets: string(),
    workflow_state: state('active', 'deleted').notNull().default('active'),
    ...created(),
  },
  (provider) => [index('authentication_providers_of_account').on(provider.account_id, provider.position, provider.id)],
);
