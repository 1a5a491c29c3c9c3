// The mass-change brake: a plan that would take away or replace much of what is here waits for the person's word.

import type { HeldBack } from '../ui/views/state';
import type { Step } from './trees';

export interface Brake {
  readonly items: number;
  readonly share: number;
}

export const usualBrake: Brake = { items: 50, share: 0.25 };

/** Steps after which a file is no longer where or what it was. Pages written anew from the cache lose nothing and do not count. */
export const takenAway = (steps: readonly Step[], of: number): HeldBack => ({
  withdrawn: steps.filter((step) => step.do === 'withdraw').length,
  replaced: steps.filter((step) => step.do === 'pull' && step.over !== undefined && !step.wanted.generated).length,
  missing: steps.filter((step) => step.do === 'forget' && step.unwanted).length,
  of,
});

export const sumOf = ({ withdrawn, replaced, missing, deleted = 0 }: HeldBack): number => withdrawn + replaced + missing + deleted;

/** Of few files all of them; of more a good part; of very many so many that nobody would look through them. */
export const isTooMuch = (taken: HeldBack, { items, share }: Brake = usualBrake): boolean => {
  const sum = sumOf(taken);
  return sum > items * 10 || (sum > items && sum > taken.of * share) || (sum >= fewest && sum >= taken.of);
};

/** Fewer come and go without a word. */
export const fewest = 10;
