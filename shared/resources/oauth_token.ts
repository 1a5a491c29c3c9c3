// The response of the token endpoint (reference of the API: OAuth2 Endpoints).

import { int, maybe, object, optional, text } from '../wire/fields';
import { resource } from './resource';

const person = { id: int, name: text, global_id: text };

export const OAuthToken = resource('OAuthToken', {
  /** Null when only the user's identity was requested. */
  access_token: maybe(text),
  token_type: text,
  /** Absent for a client without a user. */
  user: optional(object({ ...person, effective_locale: text })),
  /** The real user, when consent was given while masquerading. */
  real_user: optional(object(person)),
  refresh_token: optional(text),
  /** In seconds; absent when the token does not expire. */
  expires_in: optional(int),
  scope: optional(text),
});
