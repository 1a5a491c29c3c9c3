// What a feature is in a context, by the flags from the root account down to it. Pure (reference 01 B17).

import type { Definition, FlagState } from './definitions';

/** A place where a flag may stand, and the one that does. */
export interface Level {
  readonly type: 'Account' | 'Course' | 'User';
  readonly id: number;
  readonly state?: FlagState;
}

export interface Standing {
  readonly state: FlagState | 'hidden';
  /** Where the state comes from; the definition where absent. */
  readonly level?: Level;
  /** Decided above: nothing that stands here counts. */
  readonly locked: boolean;
  /** What it would be without a flag here. */
  readonly parent_state: FlagState | 'hidden';
  readonly isEnabled: boolean;
  /** Nobody but those who run the service knows of it. */
  readonly isHidden: boolean;
}

const isOpen = (state: Standing['state']) => state === 'allowed' || state === 'allowed_on';

/**
 * @param levels from the root account down to the context itself; a person stands right below the root account
 */
export function standingOf(definition: Pick<Definition, 'state' | 'root_opt_in'>, levels: readonly Level[]): Standing {
  let state: Standing['state'] = definition.state;
  let parent_state = state;
  let from: Level | undefined;
  let locked = state === 'on' || state === 'off';
  for (const [depth, level] of levels.entries()) {
    const isRoot = depth === 0;
    // What a level above has decided, or nobody has opened, is not for this one to say; the root account opens what is hidden.
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

/** The other states that a flag may be moved to in a kind of context. */
export function transitionsFrom(
  standing: Pick<Standing, 'state' | 'locked'>,
  definition: Pick<Definition, 'stays' | 'warning'>,
  type: Level['type'],
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
