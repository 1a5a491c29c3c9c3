// Exchanges a refresh token for a new access token (RFC 6749 §6). The old access token becomes invalid.

import { wireTime } from '@carrel/shared/wire/fields';
import { and, eq, sql } from 'drizzle-orm';
import { sha256 } from '../../http/idempotency';
import { answer, judged, type Reply, write } from '../../http/reply';
import { tokens } from '../tokens/table';
import { logins, users } from '../users/table';
import { checkSecret, developerKeyOf, keyStatements } from './client';
import type { TokenCall } from './grant';
import { invalidGrant, invalidRequest, noStore } from './problem';
import { endOf, newRefresh, newSecrets, tokenResponse } from './token_made';

const patience = 30_000;

const unknown = () => invalidGrant('refresh_token not found');

export async function refreshToken(call: TokenCall): Promise<Reply> {
  const { db, params, now, credentials, institution } = call;
  if (!params.refresh_token) throw invalidRequest('You must provide the refresh_token parameter when using the refresh_token grant type');
  const presented = await sha256(params.refresh_token);
  const isIt = sql`(refresh_token_hash = ${presented} or spent_refresh_hash = ${presented})`;
  const of = (column: 'user_id' | 'real_user_id') => sql`(select ${sql.raw(column)} from tokens where ${isIt})`;
  const found = await db.perform([
    ...keyStatements(db, credentials.client_id),
    db.build.select().from(tokens).where(isIt),
    db.build
      .select()
      .from(users)
      .where(sql`id in (${of('user_id')}, ${of('real_user_id')})`),
    db.build
      .select({ id: logins.id })
      .from(logins)
      .where(sql`user_id = ${of('user_id')} and workflow_state = 'active'`)
      .limit(1),
  ]);
  const key = developerKeyOf(found, institution.root.id);
  await checkSecret(key, credentials.client_secret);
  const [, , [token], people, [login]] = found;
  if (token?.workflow_state !== 'active' || token.developer_key_id !== key.id) throw unknown();
  if (token.refresh_token_hash !== presented) {
    // An already used refresh token means that two parties have it. A lost response looks the same for a short time and must not revoke access.
    if (token.updated_at > wireTime(Date.parse(now) - patience)) throw unknown();
    return write(
      [db.build.update(tokens).set({ workflow_state: 'deleted', updated_at: now }).where(eq(tokens.id, token.id))],
      answer(unknown().body, 400, noStore),
    );
  }
  const user = people.find(({ id }) => id === token.user_id);
  if (!user || user.workflow_state === 'deleted' || !login) throw invalidGrant('the user can no longer sign in');

  const { access_token, token_hash, token_hint } = await newSecrets();
  // Public clients get a new refresh token each time, so that a stolen one works at most once (RFC 9700 §4.14).
  const refresh = key.client_type === 'public' ? await newRefresh() : undefined;
  const rotated = refresh && { refresh_token_hash: refresh.refresh_token_hash, spent_refresh_hash: presented };
  return write(
    [
      db.build
        .update(tokens)
        .set({ token_hash, token_hint, ...rotated, expires_at: endOf(key, now), updated_at: now })
        .where(and(eq(tokens.refresh_token_hash, presented), eq(tokens.workflow_state, 'active'))),
    ],
    judged(
      db.build.select({ id: tokens.id }).from(tokens).where(eq(tokens.token_hash, token_hash)),
      ([mine]) => {
        if (!mine) throw unknown();
      },
      tokenResponse({
        key,
        user,
        realUser: people.find(({ id }) => id === token.real_user_id),
        scopes: token.scopes,
        access_token,
        refresh_token: refresh?.refresh_token,
      }),
    ),
  );
}
