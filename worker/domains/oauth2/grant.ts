// A request to the token endpoint.

import { bool, optional, type Shape, text } from '@carrel/shared/wire/fields';
import type { Call } from '../../http/call';
import type { Credentials } from './client';

export const tokenParams = {
  grant_type: optional(text),
  client_id: optional(text),
  client_secret: optional(text),
  redirect_uri: optional(text),
  code: optional(text),
  code_verifier: optional(text),
  refresh_token: optional(text),
  replace_tokens: optional(bool),
  client_assertion_type: optional(text),
  client_assertion: optional(text),
  scope: optional(text),
};

export type TokenCall = Pick<Call, 'db' | 'now' | 'institution' | 'request' | 'origin' | 'url'> & {
  readonly params: Shape<typeof tokenParams>;
  readonly credentials: Credentials;
};
