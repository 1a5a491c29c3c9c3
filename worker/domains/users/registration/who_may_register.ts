// Who may create a user: administrators for anyone, others for themselves if the institution allows self-registration.

import { and, eq, sql } from 'drizzle-orm';
import type { AccountContext } from '../../../contexts/account';
import type { Statement } from '../../../database/open';
import type { Call } from '../../../http/call';
import { type Listing, rows } from '../../../http/listing';
import { problem, unauthenticated, unauthorized } from '../../../http/problem';
import { one, type Reply, write } from '../../../http/reply';
import { checkedProvider, providerNamed } from '../logins/input';
import { link } from '../observers/links';
import { isUsedBy, studentOfCode, useCode } from '../observers/pairing';
import { outranks, standing } from '../outranks';
import { logins, users } from '../table';
import { checkedRegistration, type Given, namesTaken, newPerson, refusal } from './new_user';
import { registersThemselves } from './setting';

type Calling = Pick<Call, 'db' | 'me' | 'institution' | 'now' | 'origin'> & { account: AccountContext; params: Given };

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

/** @throws Problem for a forbidden or invalid registration */
export async function register(call: Calling): Promise<Reply> {
  const { db, me, account, params, now } = call;
  const manages = me.isKnown && account.can('manage_user_logins');
  if (manages && account.parent_account_id !== null) throw problem(400, 'Users are created in the root account');
  const mayManageSis = manages && account.can('manage_sis');
  const isObserver = params.initial_enrollment_type === 'observer';
  const code = params.pairing_code?.code?.trim() || undefined;
  const sis = mayManageSis && params.enable_sis_reactivation ? params.pseudonym?.sis_user_id : undefined;
  const provider = manages ? params.pseudonym?.authentication_provider_id : undefined;
  const deleted = deletedLogin(call, sis);
  const [paired, [gone], [providerRow], ...held] = await db.perform([
    studentOfCode(db, code ?? '', now),
    deleted,
    providerNamed(db, provider),
    ...standing(call, sis ? sql`select user_id from (${deleted.getSQL()})` : sql`select 0`),
  ]);
  if (!manages && (account.parent_account_id !== null || !registersThemselves(isObserver ? 'observer' : 'anybody', call.institution))) {
    if (!me.isKnown) throw unauthenticated();
    throw problem(403, 'You may not create users here');
  }
  const particulars = await checkedRegistration(params, {
    isStrict: !manages || params.force_validations === true,
    isOwn: !manages,
    settings: account.settings,
  });
  const { confirmation_code, address } = particulars;
  const confirmation_url =
    manages && params.communication_channel?.confirmation_url && confirmation_code !== undefined && address !== undefined && !gone
      ? `${call.origin}/register/${confirmation_code}`
      : undefined;
  const told = (listing: Listing) =>
    one(listing, {
      ...(params.user?.terms_of_use !== undefined && { terms_of_use: params.user.terms_of_use }),
      ...(params.destination !== undefined && { destination: params.destination }),
      ...(confirmation_url !== undefined && { confirmation_url }),
    });
  if (gone && !outranks(call, held)) throw unauthorized();
  if (gone)
    return write(revival(call, gone, particulars.password_hash), told(rows(users, { where: eq(users.id, gone.user_id) })), namesTaken);

  const student = isObserver && (code !== undefined || !manages) ? paired[0] : undefined;
  if (isObserver && (code !== undefined || !manages) && !student) throw refusal('pairing_code', 'code', 'invalid');
  const authentication_provider_id = checkedProvider(provider, providerRow, undefined, params.pseudonym?.password) ?? null;
  const { uuid, statements } = newPerson(db, params, { particulars, mayManageSis, authentication_provider_id, now });
  const theirId = sql`(select id from users where uuid = ${uuid})`;
  return write(
    [
      ...statements,
      ...(student && code ? [useCode(db, code, theirId, now), ...link(db, theirId, student.id, now, isUsedBy(code, theirId))] : []),
    ],
    told(rows(users, { where: eq(users.uuid, uuid) })),
    namesTaken,
  );
}
