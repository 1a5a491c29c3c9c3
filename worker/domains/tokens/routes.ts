// Access tokens: every endpoint, in the order of the API reference.

import { bool, listOf, maybe, object, optional, text, time } from '@carrel/shared/wire/fields';
import { and, eq, isNotNull, isNull, ne, type SQL } from 'drizzle-orm';
import { readId } from '../../contexts/references';
import type { UserContext } from '../../contexts/user';
import type { Database } from '../../database/open';
import { newToken } from '../../database/tokens';
import type { Call } from '../../http/call';
import { del, get, post, put } from '../../http/endpoint';
import { sha256 } from '../../http/idempotency';
import { rows } from '../../http/listing';
import { found, invalid, unauthorized } from '../../http/problem';
import { list, one, write } from '../../http/reply';
import { token as tokenJson } from './json';
import { tokens } from './table';

export const about = { title: 'Access tokens', description: 'Tokens that users create for programs.' };

const base = '/users/:user_id/tokens';
const params = {
  token: optional(
    object({
      purpose: optional(text),
      expires_at: optional(maybe(time)),
      scopes: optional(listOf(text)),
      regenerate: optional(bool),
    }),
  ),
};

const longest = { purpose: 255, scope: 500, scopes: 2000 } as const;

/** @throws Problem 400 for a purpose that is too long, and for an expiry date in the past */
function checkGiven(
  { purpose, scopes, expires_at }: { purpose?: string; scopes?: string[]; expires_at?: string | null },
  now: string,
): void {
  if (purpose !== undefined && purpose.trim() === '') throw invalid('purpose', 'blank');
  if ((purpose?.length ?? 0) > longest.purpose) throw invalid('purpose', 'too_long');
  if (scopes && (scopes.length > longest.scopes || scopes.some((scope) => scope.length > longest.scope)))
    throw invalid('scopes', 'too_long');
  if (expires_at && expires_at <= now) throw invalid('expires_at', 'invalid', 'must be in the future');
}

const theirs = (user: UserContext): SQL | undefined => and(eq(tokens.user_id, user.id), ne(tokens.workflow_state, 'deleted'));

/** By id, or by the token hint: its first characters, with or without the dots. */
const named = (user: UserContext, given: string) => {
  const id = readId(given);
  return and(theirs(user), id === undefined ? eq(tokens.token_hint, `${given.replace(/\.*$/, '')}...`) : eq(tokens.id, id));
};

const load = async (db: Database, where: SQL | undefined) => found((await db.perform([db.build.select().from(tokens).where(where)]))[0][0]);

/** No one may create tokens while masquerading, and applications may not create unlimited ones. */
const refuseOthers = ({ me }: Pick<Call, 'me'>) => {
  if (me.real_user_id !== me.id || me.developerKey?.require_scopes) throw unauthorized();
};

const secret = async () => {
  const visible_token = newToken();
  return { visible_token, columns: { token_hash: await sha256(visible_token), token_hint: `${visible_token.slice(0, 5)}...` } };
};

export const tokenRoutes = [
  get(
    '/users/:user_id/user_generated_tokens',
    {
      can: 'self_or_admin',
      // An extension: also lists tokens of applications, so that users can revoke them.
      params: { applications: optional(bool) },
      returns: [tokenJson],
      summary: 'List access tokens, manual or of applications',
    },
    ({ user, params: { applications } }) => {
      const made = applications ? isNotNull(tokens.developer_key_id) : isNull(tokens.developer_key_id);
      return list(rows(tokens, { where: and(theirs(user), made) }));
    },
  ),

  get(`${base}/:token`, { can: 'self_or_admin', returns: tokenJson, summary: 'Get an access token' }, ({ user, path }) =>
    one(rows(tokens, { where: named(user, path.token) })),
  ),

  post(base, { can: 'self_or_admin', params, returns: tokenJson, summary: 'Create an access token' }, async (call) => {
    const { db, user, params, now } = call;
    refuseOthers(call);
    const given = params.token ?? {};
    if (given.purpose === undefined) throw invalid('purpose', 'blank');
    checkGiven(given, now);
    const { visible_token, columns } = await secret();
    return write(
      [
        db.build.insert(tokens).values({
          user_id: user.id,
          purpose: given.purpose,
          expires_at: given.expires_at,
          scopes: given.scopes ?? [],
          // A token created by an administrator for another user is pending until that user activates it.
          workflow_state: user.isMe ? 'active' : 'pending',
          ...columns,
          created_at: now,
          updated_at: now,
        }),
      ],
      one(rows(tokens, { where: eq(tokens.token_hash, columns.token_hash) }), { visible_token }),
    );
  }),

  put(
    `${base}/:token`,
    { can: 'self_or_admin', params, returns: tokenJson, summary: 'Update or regenerate an access token' },
    async (call) => {
      const { db, user, path, params, now } = call;
      refuseOthers(call);
      const given = params.token ?? {};
      const before = await load(db, named(user, path.token));
      checkGiven(given, now);
      const regenerated = given.regenerate ? await secret() : undefined;
      if (regenerated && !user.isMe) throw unauthorized();
      if (regenerated && before.developer_key_id !== null)
        throw invalid('regenerate', 'invalid', 'the application renews its token itself');
      if (regenerated && before.expires_at !== null && before.expires_at <= now && !given.expires_at)
        throw invalid('expires_at', 'invalid', 'an expired token needs a new expiry');
      return write(
        [
          db.build
            .update(tokens)
            .set({ purpose: given.purpose, expires_at: given.expires_at, scopes: given.scopes, ...regenerated?.columns, updated_at: now })
            .where(eq(tokens.id, before.id)),
        ],
        one(rows(tokens, { where: eq(tokens.id, before.id) }), regenerated && { visible_token: regenerated.visible_token }),
      );
    },
  ),

  // An extension: the reference states that pending tokens need activation, but not how.
  post(`${base}/:token/activate`, { can: 'self', returns: tokenJson, summary: 'Activate a pending access token' }, async (call) => {
    const { db, user, path, now } = call;
    refuseOthers(call);
    const { id } = await load(db, named(user, path.token));
    return write(
      [
        db.build
          .update(tokens)
          .set({ workflow_state: 'active', updated_at: now })
          .where(and(eq(tokens.id, id), eq(tokens.workflow_state, 'pending'))),
      ],
      one(rows(tokens, { where: eq(tokens.id, id) })),
    );
  }),

  del(
    `${base}/:token`,
    { can: 'self_or_admin', returns: tokenJson, summary: 'Delete an access token' },
    async ({ db, user, path, now }) => {
      const { id } = await load(db, named(user, path.token));
      return write(
        [db.build.update(tokens).set({ workflow_state: 'deleted', updated_at: now }).where(eq(tokens.id, id))],
        one(rows(tokens, { where: eq(tokens.id, id) })),
      );
    },
  ),
];
