// The keys that sign our tokens, from the secret JWT_KEY: the first signs, all of them verify, so that a key can be changed in two steps.

import { type SigningKey, signingKey } from '../../crypto/jwt';
import { Problem } from '../../http/problem';

/** Importing takes longer than signing, and the secret stays the same as long as the isolate lives. */
const imported = new Map<string, Promise<readonly SigningKey[]>>();

/** @throws Problem 503 where no key has been set up, or none that can be read */
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
  if (!first) throw new Problem(503, { error: 'This service has not been given a key to sign tokens with.' });
  return [first, ...others];
}
