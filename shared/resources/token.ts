// What clients see of an access token: its secret only once (reference of the API: Access Tokens).

import { bool, int, listOf, maybe, text, time } from '../wire/fields';
import { resource } from './resource';

export const Token = resource('Token', {
  id: int,
  user_id: int,
  real_user_id: maybe(int),
  purpose: maybe(text),
  app_name: text,
  /** The first five characters; the whole secret only in the response that created it. */
  visible_token: text,
  workflow_state: text,
  scopes: listOf(text),
  remember_access: bool,
  created_at: time,
  updated_at: time,
  last_used_at: maybe(time),
  expires_at: maybe(time),
  can_manually_regenerate: bool,
});
