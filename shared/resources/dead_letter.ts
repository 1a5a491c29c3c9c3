// What those who run the service see of work that was tried again and again and never done.

import { int, list, maybe, text, time } from '../wire/fields';
import { resource } from './resource';

export const DeadLetter = resource('DeadLetter', {
  id: int,
  job: text,
  progress_id: maybe(int),
  /** Of what the work was about. */
  ids: list(int),
  error: maybe(text),
  attempts: int,
  workflow_state: text,
  created_at: time,
  updated_at: time,
});
