// Developer keys: every endpoint, in the order of the API reference.

import { bool, json, listOf, maybe, object, oneOf, optional, type Shape, text } from '@carrel/shared/wire/fields';
import { lookUp } from '@carrel/shared/wire/look_up';
import { and, eq, or, sql } from 'drizzle-orm';
import { newToken } from '../../database/tokens';
import type { Call } from '../../http/call';
import { del, get, post, put } from '../../http/endpoint';
import { sha256 } from '../../http/idempotency';
import { rows } from '../../http/listing';
import { found, invalid } from '../../http/problem';
import { list, one as oneRow, write } from '../../http/reply';
import { developerKey, developerKeyAccountBinding } from './json';
import { inheritedBy, mayManageKeys, onlyDeveloperKey, ownedBy } from './policy';
import { developer_key_account_bindings as bindings, developer_keys } from './table';
import { checkJwk, checkJwkUrl, checkRedirects, checkScopes, redirectsOf } from './what_a_key_may_say';

export const about = { title: 'Developer keys', description: 'Applications that may ask for tokens through OAuth2.' };

const ofAccount = '/accounts/:account_id/developer_keys';
const base = '/developer_keys';

const keyFields = {
  name: optional(maybe(text)),
  email: optional(maybe(text)),
  icon_url: optional(maybe(text)),
  notes: optional(maybe(text)),
  vendor_code: optional(maybe(text)),
  redirect_uri: optional(maybe(text)),
  redirect_uris: optional(listOf(text)),
  client_type: optional(oneOf('confidential', 'public')),
  auto_expire_tokens: optional(bool),
  scopes: optional(listOf(text)),
  require_scopes: optional(bool),
  allow_includes: optional(bool),
  visible: optional(bool),
  test_cluster_only: optional(bool),
  client_credentials_audience: optional(maybe(oneOf('internal', 'external'))),
  public_jwk: optional(json),
  public_jwk_url: optional(maybe(text)),
};
const params = { developer_key: optional(object(keyFields)) };

const lengths = { name: 255, email: 255, icon_url: 2000, notes: 10_000, vendor_code: 255 } as const;

/** The columns from a request. @throws Problem 400 by field for invalid values */
async function columnsOf(given: Shape<typeof keyFields>, operations: Call['operations']) {
  for (const [field, most] of Object.entries(lengths))
    if (String(lookUp<unknown>(given, field) ?? '').length > most) throw invalid(field, 'too_long');
  const redirect_uris = given.redirect_uris && redirectsOf(given.redirect_uris);
  checkRedirects([...(given.redirect_uri ? [given.redirect_uri] : []), ...(redirect_uris ?? [])]);
  if (given.scopes) checkScopes(given.scopes, await operations());
  checkJwkUrl(given.public_jwk_url);
  const scopes = given.scopes && [...new Set(given.scopes)];
  return { ...given, scopes, redirect_uris, public_jwk: given.public_jwk === undefined ? undefined : checkJwk(given.public_jwk) };
}

const secret = async () => {
  const api_key = newToken();
  return { api_key, secret_hash: await sha256(api_key) };
};

export const developerKeyRoutes = [
  get(
    ofAccount,
    { can: 'manage_developer_keys', params: { inherited: optional(bool) }, returns: [developerKey], summary: 'List developer keys' },
    ({ account, params: { inherited } }) => list(rows(developer_keys, { where: inherited ? inheritedBy(account) : ownedBy(account) })),
  ),

  post(
    ofAccount,
    { can: 'manage_developer_keys', params, returns: developerKey, summary: 'Create a developer key' },
    async ({ db, account, me, params, operations, now }) => {
      const columns = await columnsOf(params.developer_key ?? {}, operations);
      const { api_key, secret_hash } = await secret();
      const where = eq(developer_keys.secret_hash, secret_hash);
      const made = { created_at: now, updated_at: now };
      return write(
        [
          db.build.insert(developer_keys).values({ ...columns, account_id: account.id, user_id: me.id, secret_hash, ...made }),
          // A caller who creates a key may also enable it, so it starts enabled.
          db.build
            .insert(bindings)
            .values({ developer_key_id: sql`last_insert_rowid()`, account_id: account.id, workflow_state: 'on', ...made }),
        ],
        oneRow(rows(developer_keys, { where }), { api_key }),
      );
    },
  ),

  get(`${base}/:id`, { can: mayManageKeys, returns: developerKey, summary: 'Get a developer key' }, ({ id }) =>
    oneRow(rows(developer_keys, { where: onlyDeveloperKey(id) })),
  ),

  put(
    `${base}/:id`,
    {
      can: mayManageKeys,
      // `regenerate` is an extension: the secret is shown only once, so a lost one must be replaced.
      params: { ...params, developer_key_event: optional(oneOf('activate', 'deactivate', 'regenerate')) },
      returns: developerKey,
      summary: 'Update, activate or deactivate a developer key',
    },
    async ({ db, id, params, operations, now }) => {
      const columns = await columnsOf(params.developer_key ?? {}, operations);
      const event = params.developer_key_event;
      const fresh = event === 'regenerate' ? await secret() : undefined;
      return write(
        [
          db.build
            .update(developer_keys)
            .set({
              ...columns,
              workflow_state: event === 'activate' ? 'active' : event === 'deactivate' ? 'inactive' : undefined,
              secret_hash: fresh?.secret_hash,
              updated_at: now,
            })
            .where(onlyDeveloperKey(id)),
        ],
        oneRow(rows(developer_keys, { where: onlyDeveloperKey(id) }), fresh && { api_key: fresh.api_key }),
      );
    },
  ),

  del(`${base}/:id`, { can: mayManageKeys, returns: developerKey, summary: 'Delete a developer key' }, async ({ db, id, now }) => {
    found((await db.perform([db.build.select({ id: developer_keys.id }).from(developer_keys).where(onlyDeveloperKey(id))]))[0][0]);
    return write(
      [db.build.update(developer_keys).set({ workflow_state: 'deleted', updated_at: now }).where(onlyDeveloperKey(id))],
      oneRow(rows(developer_keys, { where: eq(developer_keys.id, id) })),
    );
  }),

  post(
    `${ofAccount}/:developer_key_id/developer_key_account_bindings`,
    {
      can: 'manage_developer_keys',
      params: { developer_key_account_binding: optional(object({ workflow_state: optional(oneOf('on', 'off', 'allow')) })) },
      returns: developerKeyAccountBinding,
      summary: "Set a developer key's state for an account",
    },
    async ({ db, account, path, params, now }) => {
      const state = params.developer_key_account_binding?.workflow_state;
      if (!state) throw invalid('workflow_state', 'inclusion', 'is not one of on, off, allow');
      const key = /^\d{1,15}$/.test(path.developer_key_id) ? Number(path.developer_key_id) : 0;
      const mine = and(eq(developer_keys.id, key), or(ownedBy(account), inheritedBy(account)));
      found((await db.perform([db.build.select({ id: developer_keys.id }).from(developer_keys).where(mine)]))[0][0]);
      return write(
        [
          db.build
            .insert(bindings)
            .values({ developer_key_id: key, account_id: account.id, workflow_state: state, created_at: now, updated_at: now })
            .onConflictDoUpdate({
              target: [bindings.developer_key_id, bindings.account_id],
              set: { workflow_state: state, updated_at: now },
            }),
        ],
        oneRow(rows(bindings, { where: and(eq(bindings.developer_key_id, key), eq(bindings.account_id, account.id)) })),
      );
    },
  ),
];
