// Creates a user: parameters, validation, and the rows to write.

import { bool, maybe, object, optional, referenceTo, type Shape, text } from '@carrel/shared/wire/fields';
import { type SQL, sql } from 'drizzle-orm';
import type { Database, Statement } from '../../../database/open';
import { hashPassword } from '../../../database/passwords';
import { randomText } from '../../../database/tokens';
import { Problem } from '../../../http/problem';
import { queueNotification } from '../../comm_messages/queue_notification';
import { weakness } from '../logins/password_policy';
import { isLocale, sortableName } from '../names';
import { timeZone } from '../settings/time_zones';
import { communication_channels, logins, users } from '../table';

export const registration = {
  user: optional(
    object({
      name: optional(text),
      short_name: optional(text),
      sortable_name: optional(text),
      time_zone: optional(text),
      locale: optional(text),
      terms_of_use: optional(bool),
      skip_registration: optional(bool),
      birthdate: optional(maybe(text)),
    }),
  ),
  pseudonym: optional(
    object({
      unique_id: optional(text),
      password: optional(text),
      sis_user_id: optional(maybe(text)),
      integration_id: optional(maybe(text)),
      authentication_provider_id: optional(maybe(referenceTo('login_provider'))),
      send_confirmation: optional(bool),
      force_self_registration: optional(bool),
    }),
  ),
  communication_channel: optional(
    object({ type: optional(text), address: optional(text), confirmation_url: optional(bool), skip_confirmation: optional(bool) }),
  ),
  force_validations: optional(bool),
  enable_sis_reactivation: optional(bool),
  destination: optional(text),
  initial_enrollment_type: optional(text),
  pairing_code: optional(object({ code: optional(text) })),
};
export type RegistrationGiven = Shape<typeof registration>;

type Part = 'user' | 'pseudonym' | 'pairing_code';

/** Registration errors are nested one level deeper than others (reference 01 B6). */
export const registrationProblem = (of: Part, field: string, type: string) =>
  new Problem(400, {
    errors: { user: {}, pseudonym: {}, observee: {}, pairing_code: {}, [of]: { [field]: [{ attribute: field, type, message: type }] } },
  });

export const namesTaken = {
  logins_by_unique_id: () => registrationProblem('pseudonym', 'unique_id', 'taken'),
  'logins.sis_user_id': () => registrationProblem('pseudonym', 'sis_user_id', 'taken'),
  'logins.integration_id': () => registrationProblem('pseudonym', 'integration_id', 'taken'),
};

const isAddress = (given: string) => /^[^@\s]+@[^@\s]+$/.test(given);
const isDate = (given: string) => /^\d{4}-\d{2}-\d{2}(T.*)?$/.test(given) && !Number.isNaN(Date.parse(given));

/** The validated values, as stored. */
export interface Particulars {
  readonly unique_id: string;
  readonly password_hash: string | undefined;
  readonly time_zone: string | null;
  readonly birthdate: string | null;
  readonly address: string | undefined;
  /** Self-registration: the address is unverified. */
  readonly isOwn: boolean;
  /** The code to confirm the address with; absent when no confirmation is needed. */
  readonly confirmation_code: string | undefined;
}

interface Circumstances {
  /** Requires a name and acceptance of the terms. */
  readonly isStrict: boolean;
  readonly isOwn: boolean;
  readonly settings: Readonly<Record<string, unknown>>;
}

const nameFields = ['name', 'short_name', 'sortable_name'] as const;
const timeZoneGiven = (given: string | undefined) => (given ? timeZone(given) : null);

type Reason = readonly [holds: boolean, of: Part, field: string, type: string];

/** The possible reasons against a registration, in the order in which they are reported. */
function reasonsAgainst(given: RegistrationGiven, unique_id: string, { isStrict, isOwn, settings }: Circumstances): readonly Reason[] {
  const { user = {}, pseudonym = {}, communication_channel: channel = {} } = given;
  const weak = pseudonym.password ? weakness(pseudonym.password, settings) : undefined;
  const isEmail = channel.type === undefined || channel.type === 'email';
  return [
    [unique_id === '', 'pseudonym', 'unique_id', 'blank'],
    [unique_id.length > 255, 'pseudonym', 'unique_id', 'too_long'],
    [isOwn && !isAddress(unique_id), 'pseudonym', 'unique_id', 'invalid'],
    [isStrict && !user.name?.trim(), 'user', 'name', 'blank'],
    [isStrict && user.terms_of_use !== true, 'user', 'terms_of_use', 'accepted'],
    ...nameFields.map((field): Reason => [(user[field]?.length ?? 0) > 255, 'user', field, 'too_long']),
    [Boolean(weak), 'pseudonym', 'password', weak ?? ''],
    [timeZoneGiven(user.time_zone) === undefined, 'user', 'time_zone', 'invalid'],
    [Boolean(user.locale && !isLocale(user.locale)), 'user', 'locale', 'invalid'],
    [Boolean(user.birthdate && !isDate(user.birthdate)), 'user', 'birthdate', 'invalid'],
    [Boolean(channel.address && isEmail && !isAddress(channel.address)), 'user', 'communication_channels', 'invalid'],
  ];
}

/** @throws Problem 400 for invalid values */
export async function checkedRegistration(given: RegistrationGiven, circumstances: Circumstances): Promise<Particulars> {
  const { user = {}, pseudonym = {}, communication_channel: channel = {} } = given;
  const { isOwn } = circumstances;
  const unique_id = pseudonym.unique_id?.trim() ?? '';
  const reason = reasonsAgainst(given, unique_id, circumstances).find(([holds]) => holds);
  if (reason) {
    const [, of, field, type] = reason;
    throw registrationProblem(of, field, type);
  }
  return {
    unique_id,
    password_hash: pseudonym.password ? await hashPassword(pseudonym.password) : undefined,
    time_zone: timeZoneGiven(user.time_zone) ?? null,
    birthdate: user.birthdate?.slice(0, 10) ?? null,
    address: (isOwn ? undefined : channel.address) || (isAddress(unique_id) ? unique_id : undefined),
    isOwn,
    confirmation_code: isOwn || channel.skip_confirmation !== true ? randomText(24) : undefined,
  };
}

interface Making {
  readonly particulars: Particulars;
  readonly mayManageSis: boolean;
  readonly authentication_provider_id: number | null;
  readonly now: string;
}

/** The first address of a new user, and an email to confirm it: for users who register themselves, and on request. */
function addressStatements(db: Database, given: RegistrationGiven, user_id: SQL, { particulars, now }: Making): Statement[] {
  const { pseudonym = {}, communication_channel: channel = {} } = given;
  const { address, isOwn, confirmation_code } = particulars;
  if (!address) return [];
  const isRequested = (pseudonym.send_confirmation || pseudonym.force_self_registration) && !channel.skip_confirmation;
  const insert = db.build.insert(communication_channels).values({
    user_id,
    address,
    type: !isOwn && (channel.type === 'sms' || channel.type === 'push') ? channel.type : 'email',
    workflow_state: confirmation_code === undefined ? 'active' : 'unconfirmed',
    confirmation_code,
    created_at: now,
    updated_at: now,
  });
  if (!isOwn && !isRequested) return [insert];
  return [
    insert,
    queueNotification(db, {
      notification: 'confirm_email_communication_channel',
      item_id: sql`(select max(id) from communication_channels where user_id = ${user_id})`,
      now,
    }),
  ];
}

/** The rows of a new user, found again by `uuid`. */
export function newPerson(db: Database, given: RegistrationGiven, making: Making): { uuid: string; statements: Statement[] } {
  const { user = {}, pseudonym = {} } = given;
  const { particulars, mayManageSis, authentication_provider_id, now } = making;
  const { unique_id, password_hash, time_zone, birthdate, isOwn } = particulars;
  const uuid = randomText(40);
  const user_id = sql`(select id from users where uuid = ${uuid})`;
  const name = user.name || unique_id;
  const created = { created_at: now, updated_at: now };
  const isRegistered = password_hash !== undefined || (!isOwn && user.skip_registration === true);
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
        birthdate,
        workflow_state: isRegistered ? 'registered' : 'pre_registered',
        ...created,
      }),
      db.build.insert(logins).values({
        user_id,
        account_id: 1,
        unique_id,
        sis_user_id: (mayManageSis && pseudonym.sis_user_id) || null,
        integration_id: (mayManageSis && pseudonym.integration_id) || null,
        authentication_provider_id,
        password_hash: password_hash ?? null,
        ...created,
      }),
      ...addressStatements(db, given, user_id, making),
    ],
  };
}
