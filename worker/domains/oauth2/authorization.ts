// Authorization requests: their parameters, and the errors they can get.

import { optional, referenceTo, type Shape, text } from '@carrel/shared/wire/fields';
import type { DeveloperKeyRow } from '../../contexts/developer_key';
import { readByAssistant } from '../../http/scope_bundles';
import { identityScope, scopesIn } from '../../http/scopes';
import { challengeMethods, isChallenge } from './pkce';

/** Passed from page to page. */
export const authorizationParams = {
  client_id: optional(text),
  response_type: optional(text),
  redirect_uri: optional(text),
  state: optional(text),
  scope: optional(text),
  purpose: optional(text),
  force_login: optional(text),
  unique_id: optional(text),
  prompt: optional(text),
  code_challenge: optional(text),
  code_challenge_method: optional(text),
  as_user_id: optional(referenceTo('user')),
};
export type AuthorizationRequest = Shape<typeof authorizationParams>;

/** An error returned to the application's redirect URI (RFC 6749 §4.1.2.1). */
interface Refused {
  readonly error: string;
  readonly error_description: string;
}

export interface Authorization {
  readonly scopes: readonly string[];
  readonly code_challenge: string | null;
  readonly code_challenge_method: string | null;
}

const refused = (error: string, error_description: string): Refused => ({ error, error_description });

/** What may be granted, or the error. The client and its redirect URI are already verified. */
export function authorizationOf(key: DeveloperKeyRow, asked: AuthorizationRequest): Authorization | Refused {
  if (asked.response_type !== 'code') return refused('unsupported_response_type', 'Only response_type=code is permitted');
  if (asked.prompt !== undefined && asked.prompt !== '' && asked.prompt !== 'none')
    return refused('unsupported_prompt_type', 'prompt must be "none" (or not specified)');
  const named = [...new Set((asked.scope ?? '').split(/\s+/).filter(Boolean))];
  // An assistant that names no scope may read.
  const wanted = named.length === 0 && key.is_self_registered ? [readByAssistant] : named;
  const granted = scopesIn(wanted, [...key.scopes, identityScope]);
  if (key.require_scopes && (wanted.length === 0 || granted.length < wanted.length))
    return refused(
      'invalid_scope',
      'A requested scope is invalid, unknown, malformed, or exceeds the scope granted by the resource owner.',
    );
  const isIdentity = wanted.length === 1 && wanted[0] === identityScope;
  const scopes = key.require_scopes || isIdentity ? granted : [];
  const { code_challenge, code_challenge_method = 'plain' } = asked;
  if (!code_challenge)
    return key.client_type === 'public'
      ? refused('invalid_request', 'public clients need a code_challenge')
      : { scopes, code_challenge: null, code_challenge_method: null };
  if (!(challengeMethods as readonly string[]).includes(code_challenge_method))
    return refused('invalid_request', 'code_challenge_method must be S256 or plain');
  if (!isChallenge(code_challenge)) return refused('invalid_request', 'code_challenge must be 43 to 128 unreserved characters');
  return { scopes, code_challenge, code_challenge_method };
}

/** Whether an earlier "do not ask again" covers all of these scopes. */
export const isRemembered = (scopes: readonly string[], before: readonly { scopes: readonly string[] }[]): boolean =>
  before.some((one) => (scopes.length === 0 ? one.scopes.length === 0 : scopesIn(scopes, one.scopes).length === scopes.length));
