// What callers who run the service see of a failed job.

import { int, listOf, maybe, text, time } from '../wire/fields';
import { resource } from './resource';

export const DeadLetter = resource('DeadLetter', {
  id: int,
  job: text,
  progress_id: maybe(int),
  /** Ids in the job's message. */
  ids: listOf(int),
  error: maybe(text),
  attempts: int,
  workflow_state: text,
  created_at: time,
  updated_at: time,
});
