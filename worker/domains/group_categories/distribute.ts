// Distributes users over the groups of a set: smallest group first, within the limit. Pure.

export interface Bin {
  readonly id: number;
  readonly count: number;
  /** Null means unlimited. */
  readonly room: number | null;
}

export interface Lone {
  readonly user_id: number;
  /** Users of the same section stay together when requested. */
  readonly section_id: number;
}

export type MemberPair = readonly [group_id: number, user_id: number];

/** Fisher-Yates shuffle. @param random at least 0, less than 1 */
function shuffled<T>(given: readonly T[], random: () => number): T[] {
  const cards = [...given];
  for (let at = cards.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [cards[at], cards[other]] = [cards[other] as T, cards[at] as T];
  }
  return cards;
}

/** The number of new members per group: one at a time into the smallest group with room. */
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

/** The assignments; users without room are left out. */
export function distribute(bins: readonly Bin[], people: readonly Lone[], bySection: boolean, random: () => number): MemberPair[] {
  const counts = shares(bins, people.length);
  const mixed = shuffled(people, random);
  const order = bySection ? mixed.sort((a, b) => a.section_id - b.section_id) : mixed;
  let at = 0;
  return bins.flatMap((bin) => {
    const these = order.slice(at, at + (counts.get(bin.id) ?? 0));
    at += these.length;
    return these.map(({ user_id }): MemberPair => [bin.id, user_id]);
  });
}
