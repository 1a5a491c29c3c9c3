// The mass-change guard: a plan that would remove or replace a large share of the files waits for the user's confirmation.

import type { HeldBack } from '../../contract/state';
import type { Step } from '../model/trees';

export interface MassRemovalLimit {
  readonly items: number;
  readonly share: number;
}

export const usualRemovalLimit: MassRemovalLimit = { items: 50, share: 0.25 };

/** Steps that move, replace or remove a file. Pages that are written again from the cache lose nothing and do not count. */
export const takenAway = (steps: readonly Step[], of: number): HeldBack => ({
  withdrawn: steps.filter((step) => step.do === 'withdraw').length,
  replaced: steps.filter((step) => step.do === 'pull' && step.over !== undefined && !step.wanted.generated).length,
  missing: steps.filter((step) => step.do === 'forget' && step.unwanted).length,
  of,
});

export const sumOf = ({ withdrawn, replaced, missing, deleted = 0 }: HeldBack): number => withdrawn + replaced + missing + deleted;

/** Of few files all; of more a large share; of very many a number that a user could no longer check. */
export const isTooMuch = (taken: HeldBack, { items, share }: MassRemovalLimit = usualRemovalLimit): boolean => {
  const sum = sumOf(taken);
  return sum > items * 10 || (sum > items && sum > taken.of * share) || (sum >= fewest && sum >= taken.of);
};

/** Smaller changes need no confirmation. */
export const fewest = 10;
