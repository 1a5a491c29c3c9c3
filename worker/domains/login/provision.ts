// Just-in-time provisioning: the claims that an institution takes over, and the user created from them at first sign-in.

import { lookUp } from '@carrel/shared/wire/look_up';
import { eq, sql } from 'drizzle-orm';
import type { Database, Statement } from '../../database/open';
import { randomText } from '../../database/tokens';
import type { ProviderRow } from '../authentication_providers/kinds';
import { isLocale, sortableName } from '../users/names';
import { timeZone } from '../users/settings/time_zones';
import { communication_channels, logins, users } from '../users/table';
import { unconfirmed } from '../users/unconfirmed';
import type { IdTokenClaims } from './openid_connect';

type Attribute =
  | 'display_name'
  | 'email'
  | 'given_name'
  | 'integration_id'
  | 'locale'
  | 'name'
  | 'sis_user_id'
  | 'sortable_name'
  | 'surname'
  | 'timezone';

/** The claims to take over, as text, by target attribute. `admin_roles` is excluded: an identity provider cannot make users administrators. */
function attributesOf({ federated_attributes }: ProviderRow, claims: IdTokenClaims, isNew: boolean): Partial<Record<Attribute, string>> {
  const taken: Partial<Record<Attribute, string>> = {};
  for (const [name, { attribute, provisioning_only }] of Object.entries(federated_attributes)) {
    const claim = lookUp(claims, attribute);
    if ((provisioning_only && !isNew) || (typeof claim !== 'string' && typeof claim !== 'number') || claim === '') continue;
    taken[name as Attribute] = String(claim).slice(0, 255);
  }
  return taken;
}

const nameOf = ({ name, given_name, surname }: Partial<Record<Attribute, string>>) =>
  name ?? ([given_name, surname].filter(Boolean).join(' ') || undefined);

const columnsOf = (taken: Partial<Record<Attribute, string>>) => {
  const name = nameOf(taken);
  const { sortable_name, surname, given_name, locale, timezone, display_name } = taken;
  return {
    name,
    short_name: display_name,
    sortable_name: sortable_name ?? (surname && given_name ? `${surname}, ${given_name}` : name && sortableName(name)),
    locale: locale && isLocale(locale) ? locale : undefined,
    time_zone: timezone ? timeZone(timezone) : undefined,
  };
};

const isMail = (given: string | undefined): given is string => given !== undefined && /^[^@\s]+@[^@\s]+$/.test(given);

/** Statements that update the user at sign-in; none when nothing is taken over. */
export function refreshed(db: Database, provider: ProviderRow, claims: IdTokenClaims, user_id: number, now: string): Statement[] {
  const columns = columnsOf(attributesOf(provider, claims, false));
  if (Object.values(columns).every((value) => value === undefined)) return [];
  return [
    db.build
      .update(users)
      .set({ ...columns, updated_at: now })
      .where(eq(users.id, user_id)),
  ];
}

/** The rows of a new user, found again by `uuid`. */
export function provisionUser(db: Database, provider: ProviderRow, claims: IdTokenClaims, unique_id: string, now: string) {
  const taken = attributesOf(provider, claims, true);
  const columns = columnsOf(taken);
  const name = columns.name ?? unique_id;
  const uuid = randomText(40);
  const user_id = sql`(select id from users where uuid = ${uuid})`;
  const created = { created_at: now, updated_at: now };
  const statements: Statement[] = [
    db.build.insert(users).values({
      ...columns,
      name,
      short_name: columns.short_name ?? name,
      sortable_name: columns.sortable_name ?? sortableName(name),
      uuid,
      ...created,
    }),
    db.build.insert(logins).values({
      user_id,
      account_id: 1,
      unique_id,
      authentication_provider_id: provider.id,
      sis_user_id: taken.sis_user_id,
      integration_id: taken.integration_id,
      ...created,
    }),
    ...(isMail(taken.email)
      ? // The provider's claim is not trusted: an address counts once its user has confirmed it.
        [db.build.insert(communication_channels).values({ user_id, address: taken.email, ...unconfirmed(), ...created })]
      : []),
  ];
  return { uuid, statements };
}
