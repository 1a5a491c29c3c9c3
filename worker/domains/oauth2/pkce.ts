// PKCE (RFC 7636): only the client that requested a code can redeem it.

import { base64url } from '../../crypto/jwt';
import { sameText } from '../../database/tokens';

export const challengeMethods = ['S256', 'plain'] as const;

/** 43 to 128 unreserved characters, the format of verifiers and challenges. */
export const isChallenge = (given: string): boolean => /^[A-Za-z0-9._~-]{43,128}$/.test(given);

/** Whether the verifier matches the challenge. A code without a challenge rejects any verifier, which prevents injection. */
export async function answersChallenge(
  { code_challenge, code_challenge_method }: { code_challenge: string | null; code_challenge_method: string | null },
  verifier: string | undefined,
): Promise<boolean> {
  if (code_challenge === null) return verifier === undefined;
  if (verifier === undefined || !isChallenge(verifier)) return false;
  if (code_challenge_method === 'plain') return sameText(verifier, code_challenge);
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  return sameText(base64url(new Uint8Array(digest)), code_challenge);
}
