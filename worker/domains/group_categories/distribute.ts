// How people are spread over the groups of a set: the smallest first, never above the limit. Values in, values out.

export interface Bin {
  readonly id: number;
  readonly count: number;
  /** Null where anybody finds room. */
  readonly room: number | null;
}

export interface Lone {
  readonly user_id: number;
  /** People of one section stay together where that is asked for. */
  readonly section_id: number;
}

export type Pair = readonly [group_id: number, user_id: number];

/** Fisher and Yates. @param random at least 0, less than 1 */
function shuffled<T>(given: readonly T[], random: () => number): T[] {
  const cards = [...given];
  for (let at = cards.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [cards[at], cards[other]] = [cards[other] as T, cards[at] as T];
  }
  return cards;
}

/** How many come into each group: one at a time into the smallest that has room. */
function shares(bins: readonly Bin[], people: number): Map<number, number> {
  const sizes = bins.map((bin) => ({ ...bin, size: bin.count }));
  const open = sizes.filter(({ size, room }) => room === null || size < room);
  for (let left = people; left > 0 && open.length > 0; left -= 1) {
    let smallest = 0;
    for (let at = 1; at < open.length; at += 1) if ((open[at]?.size ?? 0) < (open[smallest]?.size ?? 0)) smallest = at;
    const bin = open[smallest];
    if (!bin) break;
    bin.size += 1;
    if (bin.room !== null && bin.size >= bin.room) open.splice(smallest, 1);
  }
  return new Map(sizes.map(({ id, size, count }) => [id, size - count]));
}

/** Who goes where; whoever finds no room is in no pair. */
export function distribute(bins: readonly Bin[], people: readonly Lone[], bySection: boolean, random: () => number): Pair[] {
  const counts = shares(bins, people.length);
  const mixed = shuffled(people, random);
  const order = bySection ? mixed.sort((a, b) => a.section_id - b.section_id) : mixed;
  let at = 0;
  return bins.flatMap((bin) => {
    const these = order.slice(at, at + (counts.get(bin.id) ?? 0));
    at += these.length;
    return these.map(({ user_id }): Pair => [bin.id, user_id]);
  });
}
