// The state of a feature in a context, from the flags between the root account and it. Pure (reference 01 B17).

import type { Definition, FlagState } from './definitions';

/** The chain of contexts that may have a flag, and the flag of each. */
export interface FlagLevel {
  readonly type: 'Account' | 'Course' | 'User';
  readonly id: number;
  readonly state?: FlagState;
}

export interface EffectiveFlag {
  readonly state: FlagState | 'hidden';
  /** The context that the state comes from; absent for the default. */
  readonly level?: FlagLevel;
  /** Decided by an ancestor: a flag here has no effect. */
  readonly locked: boolean;
  /** The state without a flag here. */
  readonly parent_state: FlagState | 'hidden';
  readonly isEnabled: boolean;
  /** Visible only to callers who run the service. */
  readonly isHidden: boolean;
}

const isOpen = (state: EffectiveFlag['state']) => state === 'allowed' || state === 'allowed_on';

/** @param levels from the root account down to the context; a user comes directly below the root account */
export function effectiveFlagOf(definition: Pick<Definition, 'state' | 'root_opt_in'>, levels: readonly FlagLevel[]): EffectiveFlag {
  let state: EffectiveFlag['state'] = definition.state;
  let parent_state = state;
  let from: FlagLevel | undefined;
  let locked = state === 'on' || state === 'off';
  for (const [depth, level] of levels.entries()) {
    const isRoot = depth === 0;
    // A state that an ancestor sets, or that is still hidden, is locked; the root account may open hidden features.
    if (depth > 0) locked ||= state === 'on' || state === 'off' || state === 'hidden';
    if (isRoot && definition.root_opt_in && isOpen(state)) state = 'off';
    parent_state = state;
    if (locked || level.state === undefined) continue;
    state = level.state;
    from = level;
  }
  return {
    state,
    ...(from && { level: from }),
    locked,
    parent_state,
    isEnabled: state === 'on' || state === 'allowed_on',
    isHidden: state === 'hidden',
  };
}

export type Transitions = Record<string, { locked: boolean; message?: string; warning?: string }>;

/** The states that a flag may change to in a kind of context. */
export function transitionsFrom(
  standing: Pick<EffectiveFlag, 'state' | 'locked'>,
  definition: Pick<Definition, 'stays' | 'warning'>,
  type: FlagLevel['type'],
): Transitions {
  const states: readonly FlagState[] = type === 'Account' ? ['off', 'allowed', 'allowed_on', 'on'] : ['off', 'on'];
  const { stays, warning } = definition;
  return Object.fromEntries(
    states
      .filter((state) => state !== standing.state)
      .map((state) => {
        const isHeld = standing.state === 'on' && stays !== undefined;
        const goesOff = state === 'off' && warning !== undefined;
        return [state, { locked: standing.locked || isHeld, ...(isHeld && { message: stays }), ...(goesOff && { warning }) }];
      }),
  );
}
