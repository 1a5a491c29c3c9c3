// What clients see of a sign-in or sign-out (reference of the API: Authentications Log).

import { int, json, maybe, object, oneOf, text, time } from '../wire/fields';
import { resource } from './resource';

const shape = {
  id: text,
  created_at: time,
  event_type: oneOf('login', 'logout'),
  pseudonym_id: int,
  account_id: int,
  user_id: int,
  links: object({ login: int, account: int, user: int, page_view: maybe(text) }),
};

export const AuthenticationEvent = resource('AuthenticationEvent', shape);

/** The same with its linked objects, from which the compound response is built. */
export const LinkedAuthenticationEvent = resource('LinkedAuthenticationEvent', {
  ...shape,
  linked: object({ logins: json, accounts: json, users: json }),
});
