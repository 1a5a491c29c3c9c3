// What clients see of a feature and of its flag in a context (reference of the API: Feature Flags).

import { bool, group, int, mapOf, maybe, optional, text, time } from '../wire/fields';
import { resource } from './resource';

export const FeatureFlag = resource('FeatureFlag', {
  feature: text,
  state: text,
  /** Where the state comes from; absent for the one that the definition gives. */
  context_type: optional(text),
  context_id: optional(int),
  locked: bool,
  locking_account_id: maybe(int),
  /** The other states, and whether the flag can be moved there. */
  transitions: mapOf(group({ locked: bool, message: optional(text), warning: optional(text) })),
  /** For those who run the whole service, and them alone. */
  hidden: optional(bool),
  /** What the flag would be without a row of its own here. */
  parent_state: text,
});

export const Feature = resource('Feature', {
  /** The same word twice: clients call one or the other. */
  name: text,
  feature: text,
  display_name: text,
  description: maybe(text),
  applies_to: text,
  enable_at: maybe(time),
  root_opt_in: bool,
  beta: bool,
  type: text,
  development: bool,
  release_notes_url: maybe(text),
  feature_flag: FeatureFlag.field,
});
