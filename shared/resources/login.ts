// What clients see of a login (reference of the API: Logins).

import { int, maybe, optional, text, time } from '../wire/fields';
import { resource } from './resource';

export const Login = resource('Login', {
  id: int,
  user_id: int,
  account_id: int,
  unique_id: text,
  created_at: time,
  sis_user_id: optional(maybe(text)),
  integration_id: optional(maybe(text)),
  authentication_provider_id: maybe(int),
  authentication_provider_type: optional(text),
  workflow_state: text,
  declared_user_type: maybe(text),
});
