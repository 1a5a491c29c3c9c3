// Dynamic client registration (RFC 7591): what an application states about itself, and what it gets.

import { listOf, maybe, optional, type Shape, text } from '@carrel/shared/wire/fields';
import { Problem } from '../../http/problem';
import { readByAssistant, writeByAssistant } from '../../http/scope_bundles';
import { isRedirectUri } from '../developer_keys/what_a_key_may_say';
import { noStore } from './problem';
import { isLoopback } from './redirect';

export const registrationParams = {
  redirect_uris: optional(listOf(text)),
  client_name: optional(maybe(text)),
  client_uri: optional(maybe(text)),
  grant_types: optional(listOf(text)),
  response_types: optional(listOf(text)),
  scope: optional(maybe(text)),
};

const refused = (error: string, error_description: string) => new Problem(400, { error, error_description }, noStore);

const mostUris = 10;
const longestName = 100;
const registrable: readonly string[] = [readByAssistant, writeByAssistant];
const supported = { grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] } as const;

/** Codes must not cross a network in plain text. */
const mayRegister = (uri: string) => isRedirectUri(uri) && (URL.parse(uri)?.protocol !== 'http:' || isLoopback(uri));

/**
 * The columns of the developer key. It is always a public client: a secret that anyone may register proves nothing.
 * @throws Problem 400 with an error of RFC 7591 §3.2.2
 */
export function registrationOf(asked: Shape<typeof registrationParams>) {
  const { redirect_uris = [], client_name } = asked;
  if (redirect_uris.length === 0 || redirect_uris.length > mostUris)
    throw refused('invalid_redirect_uri', `redirect_uris must have 1 to ${mostUris} URIs`);
  const wrong = redirect_uris.find((uri) => !mayRegister(uri));
  if (wrong !== undefined)
    throw refused('invalid_redirect_uri', `${wrong.slice(0, 200)} must be https, a loopback address or a scheme of an app`);
  for (const name of ['grant_types', 'response_types'] as const)
    if (asked[name]?.some((one) => !(supported[name] as readonly string[]).includes(one)))
      throw refused('invalid_client_metadata', `${name} must be among ${supported[name].join(', ')}`);
  const wanted = (asked.scope ?? '').split(/\s+/).filter((scope) => registrable.includes(scope));
  return {
    name: (client_name ?? '').trim().slice(0, longestName) || 'An application without a name',
    redirect_uris,
    client_type: 'public' as const,
    scopes: wanted.length > 0 ? [...new Set(wanted)] : [...registrable],
    require_scopes: true,
    allow_includes: true,
    is_self_registered: true,
  };
}

interface Registered {
  readonly id: number;
  readonly name: string | null;
  readonly redirect_uris: readonly string[];
  readonly scopes: readonly string[];
  readonly created_at: string;
}

/** The response to a registration (RFC 7591 §3.2.1). */
export const registrationResponse = ({ id, name, redirect_uris, scopes, created_at }: Registered) => ({
  client_id: String(id),
  client_id_issued_at: Math.floor(Date.parse(created_at) / 1000),
  client_name: name,
  redirect_uris,
  ...supported,
  token_endpoint_auth_method: 'none',
  scope: scopes.join(' '),
});
