// A scheduled chore and its last run, for those who run the service.

import { int, maybe, text, time } from '../wire/fields';
import { resource } from './resource';

export const Chore = resource('Chore', {
  id: int,
  name: text,
  every_minutes: int,
  last_run_at: time,
  duration_ms: int,
  next_run_at: time,
  /** The last error there was, and the run that failed with it. */
  last_error: maybe(text),
  failed_at: maybe(time),
});
