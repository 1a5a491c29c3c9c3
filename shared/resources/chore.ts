// A scheduled chore and its last run, for those who run the service.

import { bool, int, maybe, text, time } from '../wire/fields';
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
  is_running: bool,
  /** How many runs in succession the last tick has led to: a chore that leaves rows behind runs again at once. */
  steps: int,
  /** What the last run has cost, and what it may cost. */
  statements: int,
  rows_read: int,
  rows_written: int,
  budget_statements: int,
  budget_rows: int,
  budget_ms: int,
  /** Rows or items that the last run has left, as far as it counted them. */
  left_behind: int,
});
