// Logins: every endpoint, in the order of the API reference.

import { bool, maybe, object, oneOf, optional, referenceTo, text } from '@carrel/shared/wire/fields';
import { and, eq, ne, type SQL, sql } from 'drizzle-orm';
import type { AccountContext } from '../../../contexts/account';
import { countTry, keysOf, release } from '../../../contexts/login_throttle';
import { idOf } from '../../../contexts/references';
import { isInSelect } from '../../../database/ids';
import { hashPassword } from '../../../database/passwords';
import type { Call } from '../../../http/call';
import { del, get, post, put } from '../../../http/endpoint';
import { rows } from '../../../http/listing';
import { badParameter, found, invalid, notFound, Problem, problem, unauthorized } from '../../../http/problem';
import { list, one, write } from '../../../http/reply';
import { authentication_providers as providers } from '../../authentication_providers/table';
import { sessions } from '../../login/table';
import { holds } from '../json';
import { outranks, selectRanks } from '../outranks';
import { logins, users, userTypes } from '../table';
import { checkedProvider, checkGiven, checkLoginChange, providerNamed } from './input';
import { login } from './json';

const ofAccount = '/accounts/:account_id/logins';
const given = {
  unique_id: optional(text),
  password: optional(text),
  sis_user_id: optional(maybe(text)),
  integration_id: optional(maybe(text)),
  declared_user_type: optional(maybe(oneOf(...userTypes))),
  /** An id, or the type of a provider. */
  authentication_provider_id: optional(maybe(referenceTo('login_provider'))),
};

const live = ne(logins.workflow_state, 'deleted');
const taken = {
  logins_by_unique_id: () => invalid('unique_id', 'taken'),
  'logins.sis_user_id': () => invalid('sis_user_id', 'taken'),
  'logins.integration_id': () => invalid('integration_id', 'taken'),
};

/** @throws Problem 400 for accounts other than the root, because only the root account has logins */
const mustBeRoot = (account: AccountContext): void => {
  if (account.parent_account_id !== null) throw problem(400, 'Logins belong to the root account');
};

const seesLoginsOf = (call: Pick<Call, 'course' | 'account' | 'me' | 'institution'>) =>
  holds(call, 'manage_user_logins') || holds(call, 'view_user_logins');

/** With a single institution, users of trusted institutions are local users. */
const personNamed = (given: { id?: string; existing_user_id?: string; existing_sis_user_id?: string; existing_integration_id?: string }) =>
  given.id ??
  given.existing_user_id ??
  (given.existing_sis_user_id === undefined ? undefined : `sis_user_id:${given.existing_sis_user_id}`) ??
  (given.existing_integration_id === undefined ? undefined : `sis_integration_id:${given.existing_integration_id}`);

export const loginRoutes = [
  get(
    ofAccount,
    { can: 'user', params: { user: optional(object({ id: optional(referenceTo('user')) })) }, returns: [login], summary: 'List logins' },
    (call) => {
      const { me, params } = call;
      const named = params.user?.id;
      if (named !== undefined && named !== 'self' && named !== String(me.id) && !seesLoginsOf(call)) throw unauthorized();
      const whose = named === undefined || named === 'self' ? sql`select ${me.id}` : idOf('user', named);
      // The unary plus keeps SQLite from reading every login of the account.
      return list(rows(logins, { where: and(isInSelect(logins.user_id, whose), sql`+${logins.account_id} = ${call.account.id}`, live) }));
    },
  ),

  get(
    '/users/:user_id/logins',
    { can: ['self', 'manage_user_logins', 'view_user_logins'], returns: [login], summary: 'List the logins of a user' },
    ({ user }) => list(rows(logins, { where: and(eq(logins.user_id, user.id), live) })),
  ),

  post(
    ofAccount,
    {
      can: 'manage_user_logins',
      params: {
        user: optional(
          object({
            id: optional(referenceTo('user')),
            existing_user_id: optional(referenceTo('user')),
            existing_sis_user_id: optional(referenceTo('user')),
            existing_integration_id: optional(referenceTo('user')),
          }),
        ),
        login: optional(object(given)),
      },
      returns: login,
      summary: 'Create a login',
    },
    async (call) => {
      const { db, account, params, now } = call;
      mustBeRoot(account);
      const sent = params.login ?? {};
      const whose = personNamed(params.user ?? {});
      if (!whose) throw badParameter('user[id]', 'is missing');
      checkGiven({ ...sent, unique_id: sent.unique_id ?? '' }, account.settings);
      const [[person], [provider], ...held] = await db.perform([
        db.build
          .select({ id: users.id })
          .from(users)
          .where(and(isInSelect(users.id, idOf('user', whose)), ne(users.workflow_state, 'deleted'))),
        providerNamed(db, sent.authentication_provider_id),
        ...selectRanks(call, idOf('user', whose)),
      ]);
      if (!outranks(call, held)) throw unauthorized();
      const authentication_provider_id = checkedProvider(sent.authentication_provider_id, provider, undefined, sent.password);
      const isSis = account.can('manage_sis');
      return write(
        [
          db.build.insert(logins).values({
            user_id: found(person).id,
            account_id: account.id,
            unique_id: sent.unique_id ?? '',
            sis_user_id: isSis ? sent.sis_user_id : null,
            integration_id: isSis ? sent.integration_id : null,
            declared_user_type: sent.declared_user_type,
            authentication_provider_id,
            password_hash: sent.password ? await hashPassword(sent.password) : null,
            created_at: now,
            updated_at: now,
          }),
        ],
        one(rows(logins, { where: eq(logins.id, sql`last_insert_rowid()`) })),
        taken,
      );
    },
  ),

  put(
    `${ofAccount}/:id`,
    {
      can: 'user',
      within: (path) => ({ user: sql`select user_id from logins where id = ${path.id}` }),
      params: {
        login: optional(object({ ...given, old_password: optional(text), workflow_state: optional(oneOf('active', 'suspended')) })),
        override_sis_stickiness: optional(bool),
      },
      returns: login,
      summary: 'Update a login',
    },
    async ({ db, account, me, id, params, now, request }) => {
      mustBeRoot(account);
      const sent = params.login ?? {};
      // The holder of a token must not use this to guess the password: the old password is throttled as at login.
      const keys = sent.password === undefined || sent.old_password === undefined ? undefined : await keysOf(`login ${id}`, request);
      const [[row], [provider], [kept], ...counts] = await db.perform([
        db.build
          .select()
          .from(logins)
          .where(and(eq(logins.id, id), eq(logins.account_id, account.id), live)),
        providerNamed(db, sent.authentication_provider_id),
        db.build
          .select({ id: providers.id, auth_type: providers.auth_type })
          .from(providers)
          .where(sql`${providers.id} = (select authentication_provider_id from logins where id = ${id})`),
        ...(keys ? countTry(db, keys, now) : []),
      ]);
      if (!row) throw notFound();
      if (row.user_id !== me.id && !account.can('manage_user_logins')) throw unauthorized();
      if (Object.values(sent).every((value) => value === undefined)) throw new Problem(400, 'null');
      if (row.user_id === me.id && counts.some((rowsOfCount) => rowsOfCount.length === 0))
        throw problem(429, 'Too many attempts. Wait a few minutes, then try again.');
      await checkLoginChange(sent, row, { me, account });
      const authentication_provider_id = checkedProvider(sent.authentication_provider_id, provider, kept, sent.password);
      // A new password ends all sessions of the login, except the one in which the user changes it.
      const staying =
        sent.password !== undefined && row.user_id === me.real_user_id && me.session?.login_id === id ? me.session : undefined;
      return write(
        [
          db.build
            .update(logins)
            .set({
              // With `override_sis_stickiness=false`, a name changed by hand is kept.
              unique_id:
                params.override_sis_stickiness === false && row.stuck_sis_fields?.includes(',unique_id,') ? undefined : sent.unique_id,
              sis_user_id: sent.sis_user_id,
              integration_id: sent.integration_id,
              declared_user_type: sent.declared_user_type,
              workflow_state: sent.workflow_state,
              authentication_provider_id,
              password_hash: sent.password === undefined ? undefined : await hashPassword(sent.password),
              updated_at: now,
            })
            .where(eq(logins.id, id)),
          ...(keys ? release(db, keys) : []),
          ...(staying ? [db.build.insert(sessions).values(staying)] : []),
        ],
        one(rows(logins, { where: eq(logins.id, id) })),
        taken,
      );
    },
  ),

  del('/users/:user_id/logins/:id', { can: 'self_or_admin', returns: login, summary: 'Delete a login' }, async (call) => {
    const { db, user, id, now } = call;
    const theirs: SQL | undefined = and(eq(logins.user_id, user.id), live);
    const [all] = await db.perform([db.build.select().from(logins).where(theirs)]);
    const row = found(all.find((one) => one.id === id));
    if (row.sis_user_id !== null && !holds(call, 'manage_sis')) throw unauthorized();
    const isLast = sql`(select count(*) from logins l where l.user_id = ${user.id} and l.workflow_state <> 'deleted') > 1`;
    if (all.length === 1) throw invalid('base', 'invalid', 'Cannot delete the last login of a user');
    return write(
      [
        db.build
          .update(logins)
          .set({ workflow_state: 'deleted', updated_at: now })
          .where(and(eq(logins.id, id), isLast)),
      ],
      one(rows(logins, { where: eq(logins.id, id) })),
    );
  }),
];
