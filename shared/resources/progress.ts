// What clients see of the progress of a job (reference of the API: Progress).

import { int, json, maybe, number, text, time } from '../wire/fields';
import { resource } from './resource';

export const Progress = resource('Progress', {
  id: int,
  context_id: int,
  context_type: text,
  user_id: maybe(int),
  tag: text,
  completion: maybe(number),
  workflow_state: text,
  message: maybe(text),
  results: maybe(json),
  created_at: time,
  updated_at: time,
  url: text,
});
