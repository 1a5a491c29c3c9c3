// Changes to an authentication provider: validation, and its position in the list.

import { bool, int, json, maybe, oneOf, optional, text } from '@carrel/shared/wire/fields';
import { lookUp } from '@carrel/shared/wire/look_up';
import { type SQL, sql } from 'drizzle-orm';
import type { Database, Statement } from '../../database/open';
import { seal, unseal } from '../../database/seal';
import { badParameter } from '../../http/problem';
import { type AuthType, addressSettings, everyField, federated, type ProviderRow, providerKinds, secretsOf, settingChoices } from './kinds';
import { authTypes } from './table';

export const providerFields = {
  auth_type: optional(oneOf(...authTypes)),
  position: optional(int),
  jit_provisioning: optional(bool),
  mfa_required: optional(bool),
  login_attribute: optional(maybe(text)),
  federated_attributes: optional(maybe(json)),
  ...(Object.fromEntries(everyField.map((name) => [name, optional(maybe(text))])) as Record<
    string,
    ReturnType<typeof optional<typeof text>>
  >),
};

export interface ProviderGiven {
  readonly auth_type?: AuthType;
  readonly position?: number;
  readonly jit_provisioning?: boolean;
  readonly mfa_required?: boolean;
  readonly login_attribute?: string | null;
  readonly federated_attributes?: unknown;
  readonly [field: string]: unknown;
}

export const isAddress = (given: string): boolean => {
  try {
    return ['http:', 'https:'].includes(new URL(given).protocol);
  } catch {
    return false;
  }
};

/** @throws Problem 400 that names the parameter */
function checkedField(name: string, value: string): string {
  if (value.length > (name === 'metadata' ? 200_000 : 4000)) throw badParameter(name, 'is too long');
  if (addressSettings.has(name) && !isAddress(value)) throw badParameter(name, 'is not a URL');
  const words = lookUp(settingChoices, name);
  if (words && !words.includes(value)) throw badParameter(name, `is not one of ${words.join(', ')}`);
  if (name === 'auth_port' && !(Number(value) >= 1 && Number(value) <= 65_535)) throw badParameter(name, 'is not a port');
  return value;
}

function checkedAttributes(given: unknown): ProviderRow['federated_attributes'] {
  if (given === null || given === undefined) return {};
  if (typeof given !== 'object' || Array.isArray(given)) throw badParameter('federated_attributes', 'is not an object');
  return Object.fromEntries(
    Object.entries(given).map(([name, result]) => {
      if (!(federated as readonly string[]).includes(name)) throw badParameter(`federated_attributes[${name}]`, 'is not known');
      const of: Record<string, unknown> =
        typeof result === 'object' && result !== null ? (result as Record<string, unknown>) : { attribute: result };
      if (typeof of.attribute !== 'string' || of.attribute === '' || of.attribute.length > 255)
        throw badParameter(`federated_attributes[${name}]`, 'needs an attribute');
      return [name, { attribute: of.attribute, provisioning_only: of.provisioning_only === true || of.provisioning_only === 'true' }];
    }),
  );
}

/**
 * The columns of a provider after a change; fields that are not sent stay, a blank value clears.
 * @throws Problem 400 for an invalid value
 */
export async function providerColumnsOf(given: ProviderGiven, auth_type: AuthType, before: ProviderRow | undefined, signingSecret: string) {
  const { fields, secrets = [] } = providerKinds[auth_type];
  const settings = { ...before?.settings };
  const kept = before?.secrets ? await unseal(signingSecret, secretsOf, before.secrets) : undefined;
  const hidden = (kept === undefined ? {} : JSON.parse(kept)) as Record<string, string>;
  for (const [names, values] of [
    [fields, settings],
    [secrets, hidden],
  ] as const)
    for (const name of names) {
      const value = lookUp(given, name) as string | null | undefined;
      if (value === undefined) continue;
      if (value === null) delete values[name];
      else values[name] = checkedField(name, value);
    }
  if ((given.login_attribute?.length ?? 0) > 255) throw badParameter('login_attribute', 'is too long');
  return {
    jit_provisioning: given.jit_provisioning,
    mfa_required: given.mfa_required,
    login_attribute: given.login_attribute,
    federated_attributes: given.federated_attributes === undefined ? undefined : checkedAttributes(given.federated_attributes),
    settings,
    secrets: Object.keys(hidden).length ? await seal(signingSecret, secretsOf, JSON.stringify(hidden)) : null,
  };
}

/** Renumbers the active providers from one. `isAfter` places a moved provider after the one with the same position, as needed when it moves down. */
export const renumber = (db: Database, moved: SQL, isAfter: boolean): Statement =>
  db.build.run(sql`update authentication_providers set position = ranked.rank from (
    select id, row_number() over (order by position, case when id = ${moved} then ${isAfter ? 1 : -1} else 0 end, id) as rank
    from authentication_providers where account_id = 1 and workflow_state = 'active'
  ) as ranked where ranked.id = authentication_providers.id and ranked.rank <> authentication_providers.position`);
