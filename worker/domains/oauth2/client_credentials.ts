// Client credentials: a token for an application without a user, in exchange for a signed assertion (RFC 7523 §2.2).

import { wireTime } from '@carrel/shared/wire/fields';
import type { DeveloperKeyRow } from '../../contexts/developer_key';
import { isSignedBy, type Jwk, type JwtClaims, readJwt } from '../../crypto/jwt';
import { sha256 } from '../../http/idempotency';
import { answer, type Reply, write } from '../../http/reply';
import { scopesIn } from '../../http/scopes';
import { developerKeyOf, keyStatements } from './client';
import type { TokenCall } from './grant';
import { keysAt } from './keys_at';
import { invalidClient, invalidRequest, invalidScope, noStore } from './problem';
import { service_tokens, used_assertions } from './table';
import { newSecrets } from './token_made';

const bearerAssertion = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const lifetime = 3600;
/** Allows for clock skew, in seconds. */
const leeway = 60;
/** Longer-lived assertions are rejected, because they would work like a password. */
const longest = 3600;

const seconds = (value: unknown): number | undefined => (typeof value === 'number' && Number.isFinite(value) ? value : undefined);

/**
 * @param audiences URLs by which the client may know this service
 * @throws Problem 401 for invalid claims
 */
function checkClaims(claims: JwtClaims, client_id: string, audiences: readonly string[], now: number): { jti: string; exp: number } {
  const wrong = (what: string) => invalidClient(`the assertion's ${what}`);
  if (claims.iss !== client_id || claims.sub !== client_id) throw wrong('iss and sub must be the client_id');
  const aud: unknown[] = [claims.aud].flat();
  if (!aud.some((one) => typeof one === 'string' && audiences.includes(one))) throw wrong('aud does not name this service');
  const [exp, iat, nbf] = [seconds(claims.exp), seconds(claims.iat), seconds(claims.nbf)];
  if (exp === undefined || exp <= now - leeway) throw wrong('exp is missing or in the past');
  if (iat === undefined || iat > now + leeway || iat < now - longest) throw wrong('iat is missing, in the future, or too old');
  if (exp > now + longest + leeway) throw wrong('exp is too far away');
  if (claims.nbf !== undefined && (nbf === undefined || nbf > now + leeway)) throw wrong('nbf is in the future');
  if (typeof claims.jti !== 'string' || claims.jti === '' || claims.jti.length > 500) throw wrong('jti is missing');
  return { jti: claims.jti, exp };
}

/** The keys with which an application signs. @throws Problem 401 where they cannot be fetched */
export const publicKeysOf = async (key: DeveloperKeyRow, kid: unknown): Promise<readonly Jwk[]> =>
  key.public_jwk ? [key.public_jwk as Jwk] : key.public_jwk_url ? keysAt(key.public_jwk_url, kid) : [];

/** @throws Problem 400 for a scope that the key does not allow */
function scopesOf(key: DeveloperKeyRow, given: string | undefined): string[] {
  const scopes = [...new Set((given ?? '').split(/\s+/).filter(Boolean))];
  if (scopes.length === 0) throw invalidScope('A scope is required');
  if (scopesIn(scopes, key.scopes).length < scopes.length) throw invalidScope('A requested scope is invalid or unknown');
  return scopes;
}

export async function grantToClient(call: TokenCall): Promise<Reply> {
  const { db, params, now, origin, institution, url } = call;
  if (params.client_assertion_type !== bearerAssertion || !params.client_assertion)
    throw invalidRequest(`client_credentials needs a client_assertion of type ${bearerAssertion}`);
  const jwt = readJwt(params.client_assertion);
  if (!jwt || typeof jwt.claims.sub !== 'string') throw invalidClient('the assertion cannot be read');
  const client_id = call.credentials.client_id ?? jwt.claims.sub;
  const found = await db.perform(keyStatements(db, client_id));
  const key = developerKeyOf(found, institution.root.id);
  const { jti, exp } = checkClaims(jwt.claims, client_id, [origin, `${origin}/`, `${origin}${url.pathname}`], Date.parse(now) / 1000);
  if (!(await isSignedBy(jwt, await publicKeysOf(key, jwt.header.kid))))
    throw invalidClient('the assertion is not signed by a key of the client');
  const scopes = scopesOf(key, params.scope);
  const { access_token, token_hash } = await newSecrets();
  return write(
    [
      // Fails if it was used before: an assertion is valid for one token only.
      db.build.insert(used_assertions).values({
        developer_key_id: key.id,
        jti_hash: await sha256(jti),
        expires_at: wireTime((exp + 2 * leeway) * 1000),
      }),
      db.build.insert(service_tokens).values({
        developer_key_id: key.id,
        token_hash,
        scopes,
        expires_at: wireTime(Date.parse(now) + lifetime * 1000),
        created_at: now,
      }),
    ],
    answer({ access_token, token_type: 'Bearer', expires_in: lifetime, scope: scopes.join(' ') }, 200, noStore),
    { 'used_assertions.': () => invalidClient('the assertion has already been used') },
  );
}
