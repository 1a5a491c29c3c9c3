// OAuth2: every endpoint, in the order of the API reference (absolute paths).

import { OAuthToken } from '@carrel/shared/resources/oauth_token';
import { bool, optional } from '@carrel/shared/wire/fields';
import { lookUp } from '@carrel/shared/wire/look_up';
import { and, eq, sql } from 'drizzle-orm';
import { deskKey } from '../../database/beginning';
import { newToken } from '../../database/tokens';
import { absolute, del, get, post } from '../../http/endpoint';
import { sha256 } from '../../http/idempotency';
import { found, problem } from '../../http/problem';
import { answer, type Reply, settled, write } from '../../http/reply';
import { readByAssistant, writeByAssistant } from '../../http/scope_bundles';
import { identityScope } from '../../http/scopes';
import { developer_key_account_bindings as bindings, developer_keys } from '../developer_keys/table';
import { sessions } from '../login/table';
import { tokens } from '../tokens/table';
import { credentialsOf } from './client';
import { grantToClient } from './client_credentials';
import { redeemCode } from './code_grant';
import { type TokenCall, tokenParams } from './grant';
import { challengeMethods } from './pkce';
import { noStore, unsupportedGrantType } from './problem';
import { refreshToken } from './refresh_grant';
import { registrationOf, registrationParams, registrationResponse } from './registration';

export const about = { title: 'OAuth2', description: 'Authorization and token endpoints for applications.' };

const grants: Readonly<Record<string, (call: TokenCall) => Promise<Reply>>> = {
  authorization_code: redeemCode,
  refresh_token: refreshToken,
  client_credentials: grantToClient,
};

export const oauth2Routes = absolute(
  post(
    '/login/oauth2/token',
    {
      can: 'anyone',
      withoutCaller: true,
      // A high rate limit cost, so that secrets cannot be guessed (reference 01 A11).
      cost: 200,
      params: tokenParams,
      returns: { json: OAuthToken },
      summary: 'Get an access token',
    },
    (call) => {
      const { params, request } = call;
      const grant = lookUp(grants, params.grant_type || (params.code ? 'authorization_code' : undefined));
      if (!grant) throw unsupportedGrantType();
      return grant({ ...call, credentials: credentialsOf(request, params) });
    },
  ),

  // Dynamic client registration (RFC 7591), with which assistants make themselves known: a public client that may ask for the assistants' scopes.
  post(
    '/login/oauth2/register',
    {
      can: 'anyone',
      unscoped: true,
      withoutCaller: true,
      cost: 200,
      status: 201,
      params: registrationParams,
      returns: { json: null },
      summary: 'Register an application by itself',
    },
    async ({ db, params, institution, now }) => {
      const secret_hash = await sha256(newToken());
      const made = { account_id: institution.root.id, created_at: now, updated_at: now };
      const [, , [key]] = await db.perform([
        db.build.insert(developer_keys).values({ ...registrationOf(params), secret_hash, ...made }),
        db.build.insert(bindings).values({ developer_key_id: sql`last_insert_rowid()`, workflow_state: 'on', ...made }),
        db.build
          .select()
          .from(developer_keys)
          .where(sql`id = (select max(developer_key_id) from developer_key_account_bindings where id = last_insert_rowid())`),
      ]);
      return settled(answer(registrationResponse(found(key)), 201, noStore));
    },
  ),

  // Server metadata (RFC 8414), from which current clients discover the other endpoints.
  get(
    '/.well-known/oauth-authorization-server',
    { can: 'anyone', unscoped: true, withoutCaller: true, returns: { json: null }, summary: 'Get the authorization server metadata' },
    ({ origin }) =>
      answer({
        issuer: origin,
        authorization_endpoint: `${origin}/login/oauth2/auth`,
        token_endpoint: `${origin}/login/oauth2/token`,
        registration_endpoint: `${origin}/login/oauth2/register`,
        scopes_supported: [readByAssistant, writeByAssistant, identityScope],
        jwks_uri: `${origin}/.well-known/jwks.json`,
        response_types_supported: ['code'],
        response_modes_supported: ['query'],
        grant_types_supported: Object.keys(grants),
        code_challenge_methods_supported: challengeMethods,
        token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic', 'private_key_jwt', 'none'],
        carrel_desk_client_id: String(deskKey),
        token_endpoint_auth_signing_alg_values_supported: ['RS256', 'RS384', 'RS512', 'PS256', 'ES256', 'ES384'],
      }),
  ),

  del(
    '/login/oauth2/token',
    {
      can: 'anyone',
      unscoped: true,
      params: { expire_sessions: optional(bool) },
      returns: { json: null },
      summary: 'Revoke the access token of the request',
    },
    ({ db, me: { token }, params, now }) => {
      if (!token) throw problem(400, 'No token in use');
      return write(
        [
          db.build.update(tokens).set({ workflow_state: 'deleted', updated_at: now }).where(eq(tokens.id, token.id)),
          ...(params.expire_sessions
            ? [
                db.build
                  .delete(sessions)
                  .where(and(eq(sessions.user_id, token.user_id), sql`${sessions.real_user_id} is ${token.real_user_id}`)),
              ]
            : []),
        ],
        answer({}, 200, noStore),
      );
    },
  ),
);
