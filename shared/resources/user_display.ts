// A user as embedded in other resources: `author`, `user`, `participants`.

import { bool, int, optional, text } from '../wire/fields';
import { resource } from './resource';

export const UserDisplay = resource('UserDisplay', {
  id: optional(int),
  anonymous_id: optional(text),
  display_name: optional(text),
  avatar_image_url: optional(text),
  html_url: optional(text),
  pronouns: optional(text),
  fake_student: optional(bool),
});
