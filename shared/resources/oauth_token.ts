// What the token endpoint answers (reference of the API: OAuth2 Endpoints).

import { group, int, maybe, optional, text } from '../wire/fields';
import { resource } from './resource';

const person = { id: int, name: text, global_id: text };

export const OAuthToken = resource('OAuthToken', {
  /** Null where only who somebody is was asked for. */
  access_token: maybe(text),
  token_type: text,
  /** None for a client that acts for nobody. */
  user: optional(group({ ...person, effective_locale: text })),
  /** Who acts, where consent was given while masquerading. */
  real_user: optional(group(person)),
  refresh_token: optional(text),
  /** Seconds; absent where the token does not expire. */
  expires_in: optional(int),
  scope: optional(text),
});
