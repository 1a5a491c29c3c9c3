// Authentication providers: every endpoint, in the order of the API reference.

import { SsoSettings } from '@carrel/shared/resources/authentication_provider';
import { maybe, object, optional, text } from '@carrel/shared/wire/fields';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { AccountContext } from '../../contexts/account';
import { readId } from '../../contexts/references';
import type { Call } from '../../http/call';
import { del, get, post, put } from '../../http/endpoint';
import { ascending, type RowOf, rows } from '../../http/listing';
import { badParameter, found, invalid, notFound, refused, unauthorized } from '../../http/problem';
import { answer, list, one, write } from '../../http/reply';
import { accounts } from '../accounts/table';
import { outranks, selectRanks } from '../users/outranks';
import { isAddress, type ProviderGiven, providerColumnsOf, providerFields, renumber } from './changes';
import { provider } from './json';
import { type StoredSsoSettings, ssoNames, ssoSettingsOf } from './sso_settings';
import { authTypes, authentication_providers as providers } from './table';

export const about = {
  title: 'Authentication providers',
  description: 'Identity providers that users can sign in with, and SSO settings.',
};

type Row = RowOf<typeof providers>;

const base = '/accounts/:account_id/authentication_providers';
const can = 'manage_account_settings';

/** @throws Problem 404 for accounts other than the root, because only the root account has providers */
const mustBeRoot = (account: AccountContext): void => {
  if (account.parent_account_id !== null) throw notFound();
};

const active = and(eq(providers.account_id, 1), eq(providers.workflow_state, 'active'));

/** By id, or the first provider of a type. */
function named(given: string, isAlive = true): SQL | undefined {
  const id = readId(given);
  const alive = isAlive ? active : eq(providers.account_id, 1);
  if (id !== undefined) return and(alive, eq(providers.id, id));
  const type = authTypes.find((one) => one === given);
  return and(alive, type ? eq(providers.auth_type, type) : sql`0`);
}

const byPosition = ascending(providers.position, providers.id);
const theOne = (id: number | SQL) => one(rows(providers, { where: eq(providers.id, id) }));

/** The administrators who sign in through a provider. Logins without a provider use passwords. */
const administratorsAt = (where: SQL | undefined) =>
  sql`select a.user_id from account_ancestors tree join admins a on a.account_id = tree.account_id where tree.ancestor_id = 1 and a.workflow_state = 'active' and exists (select 1 from logins l where l.user_id = a.user_id and l.workflow_state <> 'deleted' and coalesce(l.authentication_provider_id, 1) = (select id from authentication_providers where ${where} order by position, id limit 1))`;

/**
 * Loads a provider that the caller may change. A caller who controls a provider could sign in as any of its users.
 * @throws Problem 404, or 401 when a user of the provider has permissions that the caller does not have
 */
async function load(call: Pick<Call, 'db' | 'me'>, where: SQL | undefined, isHarmless: (row: Row) => boolean = () => false): Promise<Row> {
  const { db } = call;
  const [[row], ...held] = await db.perform([
    db.build.select().from(providers).where(where).orderBy(providers.position, providers.id).limit(1),
    ...selectRanks(call, administratorsAt(where)),
  ]);
  const provider = found(row);
  if (!isHarmless(provider) && !outranks(call, held)) throw unauthorized();
  return provider;
}

const result = (sso: StoredSsoSettings) => answer({ ...sso, sso_settings: sso });

export const authenticationProviderRoutes = [
  get(base, { can, returns: [provider], summary: 'List authentication providers' }, ({ account }) => {
    mustBeRoot(account);
    return list(rows(providers, { where: active, order: byPosition }));
  }),

  get(`${base}/:provider`, { can, returns: provider, summary: 'Get an authentication provider' }, ({ account, path }) => {
    mustBeRoot(account);
    return one(rows(providers, { where: named(path.provider), order: byPosition }));
  }),

  post(base, { can, params: providerFields, returns: provider, summary: 'Add an authentication provider' }, async (call) => {
    const { db, account, env, now } = call;
    const params = call.params as ProviderGiven;
    mustBeRoot(account);
    const { auth_type, position } = params;
    if (!auth_type) throw badParameter('auth_type', 'is missing');
    if (position !== undefined && position < 1) throw badParameter('position', 'is not a positive number');
    const columns = await providerColumnsOf(params, auth_type, undefined, env.SIGNING_SECRET);
    const last = sql`(select coalesce(max(position), 0) + 1 from authentication_providers where account_id = 1 and workflow_state = 'active')`;
    const place = position ?? last;
    if (auth_type === 'canvas') {
      // Passwords have one provider, the first: logins without a provider are its own.
      const [[kept]] = await db.perform([db.build.select({ state: providers.workflow_state }).from(providers).where(eq(providers.id, 1))]);
      if (kept?.state === 'active') throw refused(422, 'A canvas provider already exists');
      return write(
        [
          db.build
            .update(providers)
            .set({ ...columns, position: place, workflow_state: 'active', updated_at: now })
            .where(eq(providers.id, 1)),
          renumber(db, sql`1`, false),
        ],
        theOne(1),
      );
    }
    const newest = sql`(select max(id) from authentication_providers)`;
    return write(
      [
        db.build.insert(providers).values({ ...columns, account_id: 1, auth_type, position: place, created_at: now, updated_at: now }),
        renumber(db, newest, false),
      ],
      theOne(newest),
    );
  }),

  put(
    `${base}/:provider`,
    { can, params: providerFields, returns: provider, summary: 'Update an authentication provider' },
    async (call) => {
      const { db, account, env, path, now } = call;
      const params = call.params as ProviderGiven;
      mustBeRoot(account);
      // Password checks are local, so no setting of the password provider can weaken them.
      const before = await load(call, named(path.provider), ({ auth_type }) => auth_type === 'canvas');
      const { auth_type, position } = params;
      if (auth_type !== undefined && auth_type !== before.auth_type) throw badParameter('auth_type', 'cannot be changed');
      if (position !== undefined && position < 1) throw badParameter('position', 'is not a positive number');
      const columns = await providerColumnsOf(params, before.auth_type, before, env.SIGNING_SECRET);
      return write(
        [
          db.build
            .update(providers)
            .set({ ...columns, position, updated_at: now })
            .where(eq(providers.id, before.id)),
          renumber(db, sql`${before.id}`, (position ?? 0) > before.position),
        ],
        theOne(before.id),
      );
    },
  ),

  del(`${base}/:provider`, { can, returns: provider, summary: 'Delete an authentication provider' }, async (call) => {
    const { db, account, path, now } = call;
    mustBeRoot(account);
    const { id } = await load(call, named(path.provider));
    return write(
      [
        db.build.update(providers).set({ workflow_state: 'deleted', updated_at: now }).where(eq(providers.id, id)),
        renumber(db, sql`0`, false),
      ],
      theOne(id),
    );
  }),

  put(`${base}/:provider/restore`, { can, returns: provider, summary: 'Restore an authentication provider' }, async (call) => {
    const { db, account, path, now } = call;
    mustBeRoot(account);
    const { id } = await load(call, named(path.provider, false));
    return write(
      [
        db.build.update(providers).set({ workflow_state: 'active', updated_at: now }).where(eq(providers.id, id)),
        renumber(db, sql`${id}`, true),
      ],
      theOne(id),
    );
  }),

  get('/accounts/:account_id/sso_settings', { can, returns: { json: SsoSettings }, summary: 'Get SSO settings' }, (call) => {
    mustBeRoot(call.account);
    return result(ssoSettingsOf(call.account));
  }),

  put(
    '/accounts/:account_id/sso_settings',
    {
      can,
      params: {
        sso_settings: optional(
          object({
            login_handle_name: optional(maybe(text)),
            change_password_url: optional(maybe(text)),
            auth_discovery_url: optional(maybe(text)),
            unknown_user_url: optional(maybe(text)),
          }),
        ),
      },
      returns: { json: SsoSettings },
      summary: 'Update SSO settings',
    },
    ({ db, account, params, now }) => {
      mustBeRoot(account);
      const given = params.sso_settings ?? {};
      for (const name of ssoNames) {
        const value = given[name];
        if (!value) continue;
        if (value.length > 4000) throw invalid(name, 'too_long');
        if (name !== 'login_handle_name' && !isAddress(value)) throw invalid(name, 'invalid');
      }
      const after = {
        ...ssoSettingsOf(account),
        ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
      } as StoredSsoSettings;
      return write(
        [
          db.build
            .update(accounts)
            .set({ settings: sql`json_patch(settings, ${JSON.stringify({ sso: after })})`, updated_at: now })
            .where(eq(accounts.id, account.id)),
        ],
        result(after),
      );
    },
  ),
];
