// Making a person: what may be given, why it is refused, and the rows that are written.

import { bool, date, group, maybe, optional, text } from '@carrel/shared/wire/fields';
import { sql } from 'drizzle-orm';
import type { Database, Statement } from '../../database/open';
import { hashPassword, randomText } from '../../database/tokens';
import { Problem } from '../../http/problem';
import { happened } from '../comm_messages/happened';
import { isLocale, sortableName } from './names';
import { weakness } from './password_policy';
import { communication_channels, logins, users } from './table';
import { timeZone } from './time_zones';

export const registration = {
  user: optional(
    group({
      name: optional(text),
      short_name: optional(text),
      sortable_name: optional(text),
      time_zone: optional(text),
      locale: optional(text),
      terms_of_use: optional(bool),
      skip_registration: optional(bool),
      birthdate: optional(maybe(date)),
    }),
  ),
  pseudonym: optional(
    group({
      unique_id: optional(text),
      password: optional(text),
      sis_user_id: optional(maybe(text)),
      integration_id: optional(maybe(text)),
      send_confirmation: optional(bool),
    }),
  ),
  communication_channel: optional(
    group({ type: optional(text), address: optional(text), confirmation_url: optional(bool), skip_confirmation: optional(bool) }),
  ),
  enable_sis_reactivation: optional(bool),
  destination: optional(text),
};

interface Given {
  readonly user?: {
    readonly name?: string;
    readonly short_name?: string;
    readonly sortable_name?: string;
    readonly time_zone?: string;
    readonly locale?: string;
    readonly skip_registration?: boolean;
    readonly birthdate?: string | null;
  };
  readonly pseudonym?: {
    readonly unique_id?: string;
    readonly password?: string;
    readonly sis_user_id?: string | null;
    readonly integration_id?: string | null;
    readonly send_confirmation?: boolean;
  };
  readonly communication_channel?: { readonly type?: string; readonly address?: string; readonly skip_confirmation?: boolean };
}

/** Failures of a registration stand one level deeper than others (reference 01 B6). */
const refusal = (of: 'user' | 'pseudonym', field: string, type: string) =>
  new Problem(400, {
    errors: { user: {}, pseudonym: {}, observee: {}, pairing_code: {}, [of]: { [field]: [{ attribute: field, type, message: type }] } },
  });

export const namesTaken = {
  logins_by_unique_id: () => refusal('pseudonym', 'unique_id', 'taken'),
  'logins.sis_user_id': () => refusal('pseudonym', 'sis_user_id', 'taken'),
  'logins.integration_id': () => refusal('pseudonym', 'integration_id', 'taken'),
};

const isAddress = (given: string) => /^[^@\s]+@[^@\s]+$/.test(given);

/**
 * The rows of a new person, found again by `uuid`.
 * @throws Problem 400 for what cannot be
 */
export async function newPerson(
  db: Database,
  given: Given,
  { mayManageSis, settings, now }: { mayManageSis: boolean; settings: Readonly<Record<string, unknown>>; now: string },
): Promise<{ uuid: string; statements: Statement[] }> {
  const { user = {}, pseudonym = {}, communication_channel: channel = {} } = given;
  const unique_id = pseudonym.unique_id?.trim() ?? '';
  if (unique_id === '') throw refusal('pseudonym', 'unique_id', 'blank');
  if (unique_id.length > 255) throw refusal('pseudonym', 'unique_id', 'too_long');
  if ((user.name?.length ?? 0) > 255) throw refusal('user', 'name', 'too_long');
  const weak = pseudonym.password ? weakness(pseudonym.password, settings) : undefined;
  if (weak) throw refusal('pseudonym', 'password', weak);
  const time_zone = user.time_zone ? timeZone(user.time_zone) : null;
  if (time_zone === undefined) throw refusal('user', 'time_zone', 'invalid');
  if (user.locale && !isLocale(user.locale)) throw refusal('user', 'locale', 'invalid');
  const address = channel.address ?? (isAddress(unique_id) ? unique_id : undefined);

  const uuid = randomText(40);
  const user_id = sql`(select id from users where uuid = ${uuid})`;
  const name = user.name || unique_id;
  const created = { created_at: now, updated_at: now };
  return {
    uuid,
    statements: [
      db.build.insert(users).values({
        name,
        short_name: user.short_name || name,
        sortable_name: user.sortable_name || sortableName(name),
        uuid,
        time_zone,
        locale: user.locale || null,
        birthdate: user.birthdate ?? null,
        workflow_state: pseudonym.password || user.skip_registration ? 'registered' : 'pre_registered',
        ...created,
      }),
      db.build.insert(logins).values({
        user_id,
        account_id: 1,
        unique_id,
        sis_user_id: mayManageSis ? (pseudonym.sis_user_id ?? null) : null,
        integration_id: mayManageSis ? (pseudonym.integration_id ?? null) : null,
        password_hash: pseudonym.password ? await hashPassword(pseudonym.password) : null,
        ...created,
      }),
      ...(address
        ? [
            db.build.insert(communication_channels).values({
              user_id,
              address,
              type: channel.type === 'sms' || channel.type === 'push' ? channel.type : 'email',
              workflow_state: channel.skip_confirmation ? 'active' : 'unconfirmed',
              ...created,
            }),
            ...(pseudonym.send_confirmation && !channel.skip_confirmation
              ? [
                  happened(db, {
                    notification: 'confirm_email_communication_channel',
                    item_id: sql`(select max(id) from communication_channels where user_id = ${user_id})`,
                    now,
                  }),
                ]
              : []),
          ]
        : []),
    ],
  };
}
