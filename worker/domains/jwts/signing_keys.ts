// The signing keys from the secret JWT_KEY: the first key signs, all verify, so that keys can be rotated in two steps.

import { type SigningKey, signingKey } from '../../crypto/jwt';
import { Problem } from '../../http/problem';

/** Cached, because importing a key takes longer than signing, and the secret never changes within an isolate. */
const imported = new Map<string, Promise<readonly SigningKey[]>>();

/** @throws Problem 503 when no readable key is configured */
export async function signingKeys({ JWT_KEY }: { readonly JWT_KEY?: string }): Promise<readonly [SigningKey, ...SigningKey[]]> {
  const secret = JWT_KEY ?? '';
  const keys =
    imported.get(secret) ??
    Promise.all(
      secret
        .split(/[\s,]+/)
        .filter(Boolean)
        .map(signingKey),
    ).catch(() => []);
  imported.set(secret, keys);
  const [first, ...others] = await keys;
  if (!first) throw new Problem(503, { error: 'This service has no key to sign tokens with.' });
  return [first, ...others];
}
