// Which scores of an assignment group count after its drop rules (reference 03 §11). Pure; the Worker computes totals with it, the desk explains them.

export interface ScoredItem {
  readonly id: number;
  readonly score: number;
  readonly possible: number;
  readonly canDrop: boolean;
}

interface Sum {
  readonly score: number;
  readonly possible: number;
}

export interface DropCounts {
  readonly drop_lowest?: number;
  readonly drop_highest?: number;
}

export const sumOfScores = (items: readonly ScoredItem[]): Sum => ({
  score: items.reduce((total, item) => total + item.score, 0),
  possible: items.reduce((total, item) => total + item.possible, 0),
});

/**
 * The `count` items that give the best (or worst) total share together with the fixed ones, which need not be those with the best individual shares.
 * Ranks items by what they add beyond a share, and repeats with the resulting share until it no longer improves.
 */
function choose(items: readonly ScoredItem[], fixed: Sum, count: number, isBest: boolean): readonly ScoredItem[] {
  const shareOf = (chosen: readonly ScoredItem[]): number | undefined => {
    const { score, possible } = sumOfScores(chosen);
    return possible + fixed.possible > 0 ? (score + fixed.score) / (possible + fixed.possible) : undefined;
  };
  const choice = (share: number) => {
    const beyond = (item: ScoredItem) => (item.score - share * item.possible) * (isBest ? -1 : 1);
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
export function keptScores(items: readonly ScoredItem[], { drop_lowest = 0, drop_highest = 0 }: DropCounts): readonly ScoredItem[] {
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
  const around = sumOfScores(fixed);
  const good = choose(others, around, n - lowest, true);
  return [...fixed, ...(highest === 0 ? good : choose(good, around, n - lowest - highest, false))];
}
