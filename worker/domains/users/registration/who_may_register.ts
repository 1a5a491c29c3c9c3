// Who may create a user: administrators for anyone, others for themselves if the institution allows self-registration.

import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { AccountContext } from '../../../contexts/account';
import type { Statement } from '../../../database/open';
import type { Call } from '../../../http/call';
import { rows } from '../../../http/listing';
import { problem, unauthenticated, unauthorized } from '../../../http/problem';
import { one, type Reply, write } from '../../../http/reply';
import { checkedProvider, providerNamed } from '../logins/input';
import { link } from '../observers/links';
import { isUsedBy, studentOfCode, useCode } from '../observers/pairing';
import { outranks, selectRanks } from '../outranks';
import { logins, users } from '../table';
import { checkedRegistration, namesTaken, newPerson, type Particulars, type RegistrationGiven, registrationProblem } from './new_user';
import { registersThemselves } from './setting';

type Calling = Pick<Call, 'db' | 'me' | 'institution' | 'now' | 'origin'> & { account: AccountContext; params: RegistrationGiven };

/** The last deleted login with the SIS id, and its user. */
const deletedLogin = ({ db }: Pick<Call, 'db'>, sis_user_id: string | null | undefined) =>
  db.build
    .select({ id: logins.id, user_id: logins.user_id })
    .from(logins)
    .where(sis_user_id ? and(eq(logins.sis_user_id, sis_user_id), eq(logins.workflow_state, 'deleted')) : sql`0`)
    .orderBy(sql`id desc`)
    .limit(1);

/** Restores a removed user with the given name and details. */
const revival = ({ db, now, params }: Calling, gone: { id: number; user_id: number }, password_hash: string | undefined): Statement[] => [
  db.build
    .update(logins)
    .set({ workflow_state: 'active', unique_id: params.pseudonym?.unique_id?.trim() || undefined, password_hash, updated_at: now })
    .where(eq(logins.id, gone.id)),
  db.build
    .update(users)
    .set({
      workflow_state: 'registered',
      name: params.user?.name || undefined,
      short_name: params.user?.short_name || undefined,
      sortable_name: params.user?.sortable_name || undefined,
      updated_at: now,
    })
    .where(and(eq(users.id, gone.user_id), sql`merged_into_user_id is null`)),
];

/** What the request asks for, as far as the caller's permissions allow. */
function askedOf({ me, account, params }: Calling) {
  const { pseudonym, pairing_code } = params;
  const manages = me.isKnown && account.can('manage_user_logins');
  const mayManageSis = manages && account.can('manage_sis');
  const isObserver = params.initial_enrollment_type === 'observer';
  const code = pairing_code?.code?.trim() || undefined;
  return {
    manages,
    mayManageSis,
    isObserver,
    code,
    /** Observers register with the code of a student; administrators may create them without. */
    pairs: isObserver && (code !== undefined || !manages),
    /** The SIS id of a deleted user to restore. */
    restores: mayManageSis && params.enable_sis_reactivation ? pseudonym?.sis_user_id : undefined,
    provider: manages ? pseudonym?.authentication_provider_id : undefined,
  };
}
type Asked = ReturnType<typeof askedOf>;

/** @throws Problem 401 or 403 for callers who neither manage users nor may register themselves here */
function refuseRegistrant({ manages, isObserver }: Asked, { me, account, institution }: Calling): void {
  const isOpen = account.parent_account_id === null && registersThemselves(isObserver ? 'observer' : 'anybody', institution);
  if (manages || isOpen) return;
  throw me.isKnown ? problem(403, 'You may not create users here') : unauthenticated();
}

/** The page where a new user confirms their address, for administrators who ask for it. */
const confirmationUrl = ({ manages }: Asked, { confirmation_code, address }: Particulars, { params, origin }: Calling) =>
  manages && params.communication_channel?.confirmation_url && confirmation_code !== undefined && address !== undefined
    ? `${origin}/register/${confirmation_code}`
    : undefined;

/** The user, with what the request sent along. */
const registered = (where: SQL, confirmation_url: string | undefined, { params }: Calling) =>
  one(rows(users, { where }), {
    ...(params.user?.terms_of_use !== undefined && { terms_of_use: params.user.terms_of_use }),
    ...(params.destination !== undefined && { destination: params.destination }),
    ...(confirmation_url !== undefined && { confirmation_url }),
  });

/** @throws Problem for a forbidden or invalid registration */
export async function register(call: Calling): Promise<Reply> {
  const { db, account, params, now } = call;
  const asked = askedOf(call);
  const { manages, mayManageSis, code, pairs, restores, provider } = asked;
  if (manages && account.parent_account_id !== null) throw problem(400, 'Users are created in the root account');
  const deleted = deletedLogin(call, restores);
  const [paired, [gone], [providerRow], ...held] = await db.perform([
    studentOfCode(db, code ?? '', now),
    deleted,
    providerNamed(db, provider),
    ...selectRanks(call, restores ? sql`select user_id from (${deleted.getSQL()})` : sql`select 0`),
  ]);
  refuseRegistrant(asked, call);
  const isStrict = !manages || params.force_validations === true;
  const particulars = await checkedRegistration(params, { isStrict, isOwn: !manages, settings: account.settings });
  if (gone) {
    if (!outranks(call, held)) throw unauthorized();
    return write(revival(call, gone, particulars.password_hash), registered(eq(users.id, gone.user_id), undefined, call), namesTaken);
  }
  const student = pairs ? paired[0] : undefined;
  if (pairs && !student) throw registrationProblem('pairing_code', 'code', 'invalid');
  const authentication_provider_id = checkedProvider(provider, providerRow, undefined, params.pseudonym?.password) ?? null;
  const { uuid, statements } = newPerson(db, params, { particulars, mayManageSis, authentication_provider_id, now });
  const theirId = sql`(select id from users where uuid = ${uuid})`;
  const pairing = student && code ? [useCode(db, code, theirId, now), ...link(db, theirId, student.id, now, isUsedBy(code, theirId))] : [];
  return write([...statements, ...pairing], registered(eq(users.uuid, uuid), confirmationUrl(asked, particulars, call), call), namesTaken);
}
