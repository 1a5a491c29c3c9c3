// What clients see of an import of outcomes (reference of the API: Outcome Imports).

import { int, json, listOf, maybe, object, optional, text, time } from '../wire/fields';
import { resource } from './resource';
import { UserDisplay } from './user_display';

export const OutcomeImport = resource('OutcomeImport', {
  id: int,
  learning_outcome_group_id: maybe(int),
  created_at: time,
  ended_at: maybe(time),
  updated_at: time,
  workflow_state: text,
  data: object({ import_type: text }),
  /** Percent, as text. */
  progress: text,
  user: UserDisplay.field,
  /** The row and what is wrong with it; absent without errors. */
  processing_errors: optional(listOf(json)),
});
