// Exchanges a code for a token (RFC 6749 §4.1.3): once, within ten minutes, by the client that requested it, with the same redirect URI.

import { eq, sql } from 'drizzle-orm';
import { sha256 } from '../../http/idempotency';
import { answer, judged, type Reply, write } from '../../http/reply';
import { tokens } from '../tokens/table';
import { logins, users } from '../users/table';
import { checkSecret, developerKeyOf, keyStatements } from './client';
import type { TokenCall } from './grant';
import { answersChallenge } from './pkce';
import { invalidGrant, invalidRequest, noStore } from './problem';
import { oob } from './redirect';
import { authorization_codes as codes } from './table';
import { endOf, isIdentityAlone, newRefresh, newSecrets, tokenResponse } from './token_made';

const used = () => invalidGrant('authorization_code has been used');

/** Revokes tokens created for a code, except the one with this hash. */
const revoke = ({ db, now }: TokenCall, code_id: number, except = '') =>
  db.build
    .update(tokens)
    .set({ workflow_state: 'deleted', updated_at: now })
    .where(sql`authorization_code_id = ${code_id} and token_hash <> ${except} and workflow_state <> 'deleted'`);

export async function redeemCode(call: TokenCall): Promise<Reply> {
  const { db, params, now, credentials, institution } = call;
  if (!params.code) throw invalidRequest('You must provide the code parameter when using the authorization_code grant type');
  const code_hash = await sha256(params.code);
  const theCode = sql`(select user_id from authorization_codes where code_hash = ${code_hash})`;
  const theReal = sql`(select real_user_id from authorization_codes where code_hash = ${code_hash})`;
  const found = await db.perform([
    ...keyStatements(db, credentials.client_id),
    db.build.select().from(codes).where(eq(codes.code_hash, code_hash)),
    db.build.select().from(users).where(sql`id in (${theCode}, ${theReal})`),
    db.build.select({ id: logins.id }).from(logins).where(sql`user_id = ${theCode} and workflow_state = 'active'`).limit(1),
  ]);
  const key = developerKeyOf(found, institution.root.id);
  await checkSecret(key, credentials.client_secret);
  const [, , [code], people, [login]] = found;
  if (!code || code.developer_key_id !== key.id) throw invalidGrant('authorization_code not found');
  if (code.token_hash !== null) {
    // A second use means that the code was stolen (RFC 6749 §4.1.2): its tokens are revoked.
    return write([revoke(call, code.id)], answer(used().body, 400, noStore));
  }
  if (code.expires_at <= now) throw invalidGrant('authorization_code is too old');
  if ((params.redirect_uri ?? oob) !== code.redirect_uri) throw invalidGrant('incorrect redirect_uri');
  if (!(await answersChallenge(code, params.code_verifier))) throw invalidGrant('incorrect code_verifier');
  const user = people.find(({ id }) => id === code.user_id);
  if (!user || user.workflow_state === 'deleted' || !login) throw invalidGrant('the user can no longer sign in');

  const secrets = await newSecrets();
  const refresh = isIdentityAlone(code.scopes) ? undefined : await newRefresh();
  const { token_hash } = secrets;
  const isMine = sql`exists (select 1 from authorization_codes where authorization_codes.id = ${code.id} and authorization_codes.token_hash = ${token_hash})`;
  const made = {
    user_id: code.user_id,
    real_user_id: code.real_user_id,
    developer_key_id: key.id,
    authorization_code_id: code.id,
    token_hash,
    token_hint: secrets.token_hint,
    refresh_token_hash: refresh?.refresh_token_hash ?? null,
    purpose: code.purpose,
    scopes: JSON.stringify(code.scopes),
    remember_access: code.remember_access ? 1 : 0,
    expires_at: endOf(key, now),
    workflow_state: 'active',
    created_at: now,
    updated_at: now,
  };
  const names = sql.raw(Object.keys(made).join(', '));
  const values = sql.join(
    Object.values(made).map((value) => sql`${value}`),
    sql`, `,
  );
  const realUser = people.find(({ id }) => id === code.real_user_id);
  return write(
    [
      db.build.update(codes).set({ token_hash }).where(sql`id = ${code.id} and token_hash is null`),
      db.build.run(sql`insert into tokens (${names}) select ${values} where ${isMine}`),
      // Two concurrent exchanges of one code both lose their tokens.
      revoke(call, code.id, token_hash),
      ...(params.replace_tokens
        ? [
            db.build
              .update(tokens)
              .set({ workflow_state: 'deleted', updated_at: now })
              .where(
                sql`developer_key_id = ${key.id} and user_id = ${code.user_id} and token_hash <> ${token_hash} and workflow_state <> 'deleted' and ${isMine}`,
              ),
          ]
        : []),
    ],
    judged(
      db.build.select({ id: tokens.id }).from(tokens).where(eq(tokens.token_hash, token_hash)),
      ([mine]) => {
        if (!mine) throw used();
      },
      tokenResponse({
        key,
        user,
        realUser,
        scopes: code.scopes,
        access_token: secrets.access_token,
        refresh_token: refresh?.refresh_token,
      }),
    ),
  );
}
