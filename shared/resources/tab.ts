// What clients see of a course tab.

import { bool, int, oneOf, optional, text } from '../wire/fields';
import { resource } from './resource';

export const Tab = resource('Tab', {
  id: text,
  /** Without scheme and host. */
  html_url: text,
  full_url: text,
  position: int,
  label: text,
  type: oneOf('internal', 'external'),
  visibility: oneOf('public', 'members', 'admins', 'none'),
  /** Only of external tools: the address of a launch. */
  url: optional(text),
  /** Only where true. */
  hidden: optional(bool),
  unused: optional(bool),
});
