// The mass-change brake: a plan that would take away or replace much of what is here waits for the person's word.

import type { Step } from './trees';

export interface Brake {
  readonly items: number;
  readonly share: number;
}

export const usualBrake: Brake = { items: 50, share: 0.25 };

/** Steps after which a file is no longer where or what it was. Pages written anew from the cache lose nothing and do not count. */
const takesAway = (step: Step): boolean =>
  step.do === 'withdraw' ||
  (step.do === 'forget' && step.unwanted) ||
  (step.do === 'pull' && step.over !== undefined && !step.wanted.generated);

export const takenAway = (steps: readonly Step[]): number => steps.filter(takesAway).length;

export const isTooMuch = (steps: readonly Step[], agreed: number, { items, share }: Brake = usualBrake): boolean =>
  takenAway(steps) > items && takenAway(steps) > agreed * share;
