// Claims and lifetimes of JWTs: valid for an hour, renewable until six hours after the first one expired.

import type { Viewer } from '../../contexts/viewer';
import type { JwtClaims } from '../../crypto/jwt';

const hour = 3600;
const renewable = 6 * hour;

/** Claims that a renewed token takes over. */
interface Said {
  readonly aud: string;
  readonly context_type?: string;
  readonly context_id?: string;
  readonly workflows?: readonly string[];
  /** Issue time of the first token. */
  readonly first_iat?: number;
}

const masqueraded = ({ id, real_user_id }: Viewer) => (real_user_id === id ? undefined : String(real_user_id));

/** @param now in seconds */
export const claimsOf = (me: Viewer, origin: string, said: Said, now: number): JwtClaims => ({
  iss: origin,
  sub: String(me.id),
  domain: new URL(origin).host,
  iat: now,
  nbf: now - 30,
  exp: now + hour,
  jti: crypto.randomUUID(),
  first_iat: now,
  ...(masqueraded(me) && { masq_sub: masqueraded(me) }),
  ...said,
});

const texts = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : undefined;

/** The claims of a token that its user may still renew; the signature must have been verified. */
export function renewableFor(me: Viewer, claims: JwtClaims, now: number): Said | undefined {
  const { sub, masq_sub, aud, first_iat, context_type, context_id, workflows } = claims;
  if (sub !== String(me.id) || masq_sub !== masqueraded(me) || typeof aud !== 'string' || typeof first_iat !== 'number') return undefined;
  if (now > first_iat + hour + renewable) return undefined;
  return {
    aud,
    first_iat,
    ...(typeof context_type === 'string' && typeof context_id === 'string' && { context_type, context_id }),
    ...(texts(workflows) && { workflows: texts(workflows) }),
  };
}
