// Features as clients see them, with the state of their flag in the context.

import type { Feature, FeatureFlag } from '@carrel/shared/resources/feature';
import type { Json } from '@carrel/shared/resources/resource';
import type { Definition } from './definitions';
import { type EffectiveFlag, type FlagLevel, transitionsFrom } from './inheritance';

/** @param here the context of the request */
export const flagJson = (
  feature: string,
  definition: Definition,
  standing: EffectiveFlag,
  here: FlagLevel,
  runsTheService: boolean,
): Json<typeof FeatureFlag> => ({
  feature,
  state: standing.state,
  ...(standing.level && { context_type: standing.level.type, context_id: standing.level.id }),
  locked: standing.locked,
  locking_account_id: null,
  transitions: transitionsFrom(standing, definition, here.type),
  ...(runsTheService && definition.state === 'hidden' && { hidden: true }),
  parent_state: standing.parent_state,
});

export const featureJson = (name: string, definition: Definition, feature_flag: Json<typeof FeatureFlag>): Json<typeof Feature> => ({
  name,
  feature: name,
  display_name: definition.display_name,
  description: definition.description,
  applies_to: definition.applies_to,
  enable_at: null,
  root_opt_in: definition.root_opt_in ?? false,
  beta: definition.beta ?? false,
  type: definition.type ?? 'feature_option',
  development: false,
  release_notes_url: null,
  feature_flag,
});
