// What clients see of a token scope (reference of the API: API Token Scopes).

import { text } from '../wire/fields';
import { resource } from './resource';

export const Scope = resource('Scope', {
  resource: text,
  resource_name: text,
  controller: text,
  action: text,
  verb: text,
  path: text,
  scope: text,
});
