// JWTs: every endpoint, in the order of the API reference.

import { Jwt } from '@carrel/shared/resources/jwt';
import { bool, listOf, optional, referenceTo, text } from '@carrel/shared/wire/fields';
import { isJwt, isSignedBy, readJwt, signJwt } from '../../crypto/jwt';
import { absolute, get, post } from '../../http/endpoint';
import { Problem } from '../../http/problem';
import { answer, rawResponse } from '../../http/reply';
import { claimsOf, renewableFor } from './claims';
import { checkNamed, contextIdsOf, jwtContextOf } from './context';
import { signingKeys } from './signing_keys';

export const about = { title: 'JWTs', description: 'Signed tokens for other services.' };

const seconds = (now: string) => Math.floor(Date.parse(now) / 1000);

/** A JWT cannot be exchanged for another one: an access token or session is required. */
const refuseToken = (token: string) => {
  if (isJwt(token)) throw new Problem(403, { error: 'cannot generate a JWT when authorized by a JWT' });
};

const invalidRefresh = () => new Problem(400, { errors: { jwt: 'invalid refresh' } });
const result = (given: unknown) => (typeof given === 'string' ? readJwt(given) : undefined);

export const jwtRoutes = [
  post(
    '/jwts',
    {
      can: 'user',
      refuseToken,
      params: {
        workflows: optional(listOf(text)),
        context_type: optional(text),
        context_id: optional(referenceTo('content')),
        context_uuid: optional(text),
        canvas_audience: optional(bool),
      },
      within: (_, tree) => contextIdsOf(tree),
      deletedToo: true,
      returns: { json: Jwt },
      summary: 'Create a JWT',
    },
    async (call) => {
      const { me, origin, params, env, now } = call;
      const workflows = params.workflows?.slice(0, 20);
      checkNamed(params, workflows?.includes('rich_content') ?? false);
      const said = {
        aud: params.canvas_audience === false ? new URL(origin).host : origin,
        ...jwtContextOf(call, params),
        ...(workflows?.length && { workflows }),
      };
      const [key] = await signingKeys(env);
      return answer({ token: await signJwt(claimsOf(me, origin, said, seconds(now)), key) });
    },
  ),

  post(
    '/jwts/refresh',
    {
      can: 'user',
      refuseToken,
      params: { jwt: optional(text) },
      // The claims are not trusted until the signature is verified, but the context they name is loaded already.
      within: (_, tree) => contextIdsOf(result(tree.jwt)?.claims ?? {}),
      deletedToo: true,
      returns: { json: Jwt },
      summary: 'Refresh a JWT',
    },
    async (call) => {
      const { me, origin, params, env, now } = call;
      if (!params.jwt) throw new Problem(400, { errors: { jwt: 'required' } });
      const [key, ...others] = await signingKeys(env);
      const jwt = result(params.jwt);
      if (!jwt || !(await isSignedBy(jwt, [key.jwk, ...others.map(({ jwk }) => jwk)]))) throw invalidRefresh();
      const said = renewableFor(me, jwt.claims, seconds(now));
      if (!said) throw invalidRefresh();
      // Throws when the user has lost access to the context.
      jwtContextOf(call, said);
      return answer({ token: await signJwt(claimsOf(me, origin, said, seconds(now)), key) });
    },
  ),

  ...absolute(
    get(
      // Every path also accepts `.json`.
      '/.well-known/jwks',
      { can: 'anyone', unscoped: true, withoutCaller: true, returns: { json: null }, summary: 'Get the public keys (JWKS)' },
      async ({ env }) => {
        const keys = await signingKeys(env);
        return rawResponse(
          new Response(JSON.stringify({ keys: keys.map(({ jwk }) => jwk) }), {
            headers: { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'public, max-age=3600' },
          }),
        );
      },
    ),
  ),
];
