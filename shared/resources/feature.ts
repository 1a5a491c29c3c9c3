// What clients see of a feature and of its flag in a context (reference of the API: Feature Flags).

import { bool, int, mapOf, maybe, object, optional, text, time } from '../wire/fields';
import { resource } from './resource';

export const FeatureFlag = resource('FeatureFlag', {
  feature: text,
  state: text,
  /** The context that the state comes from; absent for the default. */
  context_type: optional(text),
  context_id: optional(int),
  locked: bool,
  locking_account_id: maybe(int),
  /** The other states, and whether the flag may change to them. */
  transitions: mapOf(object({ locked: bool, message: optional(text), warning: optional(text) })),
  /** Only for callers who run the whole service. */
  hidden: optional(bool),
  /** The state without a flag in this context. */
  parent_state: text,
});

export const Feature = resource('Feature', {
  /** Both have the same value: clients read either one. */
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
