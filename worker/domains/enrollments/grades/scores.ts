// Course scores: which submissions count, what each group drops, and the totals (reference 03 §11). Pure.

import type { DropRules } from '../../assignment_groups/table';

/** A published assignment that counts and is assigned to the student. */
interface Counted {
  readonly id: number;
  readonly points_possible: number;
}

export interface CountedGroup {
  readonly group_weight: number;
  readonly rules: DropRules;
  readonly assignments: readonly Counted[];
}

export interface ScoredWork {
  readonly score: number | null;
  /** Submitted but not graded. */
  readonly isPending: boolean;
  readonly excused: boolean;
  /** Hidden until grades are posted. */
  readonly isHidden: boolean;
}

export interface ScoreFacts {
  readonly groups: readonly CountedGroup[];
  /** By assignment id; absent without a submission. */
  readonly work: ReadonlyMap<number, ScoredWork>;
  readonly isWeighted: boolean;
  /** Students who have left are not given zeros for missing work. */
  readonly isConcluded: boolean;
}

/** Which scores count: those visible to students or to graders; missing work is ignored or counts as zero. */
interface View {
  readonly isPosted: boolean;
  readonly isFinal: boolean;
}

interface Item {
  readonly id: number;
  readonly score: number;
  readonly possible: number;
  readonly canDrop: boolean;
}

interface Sum {
  readonly score: number;
  readonly possible: number;
}

export interface CourseScores {
  readonly current_score: number | null;
  readonly final_score: number | null;
  readonly unposted_current_score: number | null;
  readonly unposted_final_score: number | null;
  readonly current_points: number;
  readonly unposted_current_points: number;
}

/** Rounds half away from zero to two decimals, after removing floating-point noise. */
export const rounded = (value: number): number => (Math.sign(value) * Math.round(Number((Math.abs(value) * 100).toPrecision(13)))) / 100;

const sum = (items: readonly Item[]): Sum => ({
  score: items.reduce((total, item) => total + item.score, 0),
  possible: items.reduce((total, item) => total + item.possible, 0),
});

function itemsOf({ assignments, rules }: CountedGroup, { work, isConcluded }: ScoreFacts, { isPosted, isFinal }: View): Item[] {
  return assignments.flatMap(({ id, points_possible }) => {
    const done = work.get(id);
    if (done?.excused || (isConcluded && !done)) return [];
    const isUnseen = isPosted && done?.isHidden === true;
    const score = isUnseen ? null : (done?.score ?? null);
    if (!isFinal && (score === null || done?.isPending)) return [];
    return [{ id, score: score ?? 0, possible: points_possible, canDrop: !isUnseen && !rules.never_drop?.includes(id) }];
  });
}

/**
 * The `count` items that give the best (or worst) total share together with the fixed ones, which need not be those with the best individual shares.
 * Ranks items by what they add beyond a share, and repeats with the resulting share until it no longer improves.
 */
function choose(items: readonly Item[], fixed: Sum, count: number, isBest: boolean): readonly Item[] {
  const shareOf = (chosen: readonly Item[]): number | undefined => {
    const { score, possible } = sum(chosen);
    return possible + fixed.possible > 0 ? (score + fixed.score) / (possible + fixed.possible) : undefined;
  };
  const choice = (share: number) => {
    const beyond = (item: Item) => (item.score - share * item.possible) * (isBest ? -1 : 1);
    return [...items].sort((a, b) => beyond(a) - beyond(b) || a.id - b.id).slice(0, count);
  };
  // The first share is that of all items and may exceed the best choice; after that, each choice is better than the previous.
  let chosen = choice(shareOf(items) ?? 0);
  for (;;) {
    const share = shareOf(chosen);
    if (share === undefined) break;
    const better = choice(share);
    const next = shareOf(better) ?? share;
    if (isBest ? next <= share : next >= share) break;
    chosen = better;
  }
  return chosen;
}

/** The scores of a group that remain after its drop rules. */
export function keptScores(items: readonly Item[], { drop_lowest = 0, drop_highest = 0 }: DropRules): readonly Item[] {
  const fixed = items.filter((item) => !item.canDrop);
  const others = items.filter((item) => item.canDrop);
  const n = others.length;
  if (n === 0) return items;
  const lowest = Math.min(drop_lowest, n - 1);
  const highest = lowest + drop_highest >= n ? 0 : drop_highest;
  if (lowest === 0 && highest === 0) return items;
  if (items.every((item) => item.possible === 0)) {
    const inOrder = [...others].sort((a, b) => a.score - b.score || a.id - b.id);
    return [...fixed, ...inOrder.slice(lowest, n - highest)];
  }
  const around = sum(fixed);
  const good = choose(others, around, n - lowest, true);
  return [...fixed, ...(highest === 0 ? good : choose(good, around, n - lowest - highest, false))];
}

function total(facts: ScoreFacts, view: View): { percent: number | null; points: number } {
  const sums = facts.groups.map((group) => ({ ...sum(keptScores(itemsOf(group, facts, view), group.rules)), weight: group.group_weight }));
  const points = sums.reduce((all, one) => all + one.score, 0);
  if (facts.isWeighted) {
    const counted = sums.filter((one) => one.possible > 0);
    const weights = counted.reduce((all, one) => all + one.weight, 0);
    if (weights === 0) return { percent: null, points };
    const weighted = counted.reduce((all, one) => all + (one.score / one.possible) * one.weight, 0);
    return { percent: rounded(weights < 100 ? (weighted * 100) / weights : weighted), points };
  }
  const possible = sums.reduce((all, one) => all + one.possible, 0);
  return { percent: possible === 0 ? null : rounded((points / possible) * 100), points };
}

export function courseScores(facts: ScoreFacts): CourseScores {
  const current = total(facts, { isPosted: true, isFinal: false });
  const unposted = total(facts, { isPosted: false, isFinal: false });
  return {
    current_score: current.percent,
    final_score: total(facts, { isPosted: true, isFinal: true }).percent,
    unposted_current_score: unposted.percent,
    unposted_final_score: total(facts, { isPosted: false, isFinal: true }).percent,
    current_points: rounded(current.points),
    unposted_current_points: rounded(unposted.points),
  };
}
