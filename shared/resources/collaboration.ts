// What clients see of a collaboration and its collaborators (reference of the API: Collaborations).

import { bool, int, maybe, object, optional, text, time } from '../wire/fields';
import { resource } from './resource';

export const Collaboration = resource('Collaboration', {
  id: int,
  collaboration_type: text,
  document_id: maybe(text),
  user_id: int,
  context_id: int,
  context_type: text,
  url: maybe(text),
  created_at: time,
  updated_at: time,
  description: maybe(text),
  title: maybe(text),
  type: text,
  update_url: maybe(text),
  user_name: text,
  permissions: object({ update: bool, delete: bool }),
});

export const Collaborator = resource('Collaborator', {
  id: int,
  type: text,
  name: text,
  avatar_image_url: optional(maybe(text)),
  collaborator_lti_id: optional(text),
});
