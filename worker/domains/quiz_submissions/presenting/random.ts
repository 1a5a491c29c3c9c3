// RandomNumber numbers from a seed, so that a draw can be repeated in tests.

/** Between 0 and 1, without 1. */
export type RandomNumber = () => number;

/** mulberry32. @param seed any 32-bit integer */
export function seededRandom(seed: number): RandomNumber {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A new list in random order; every order is equally likely. */
export function shuffled<T>(all: readonly T[], random: RandomNumber): T[] {
  const mixed = [...all];
  for (let last = mixed.length - 1; last > 0; last -= 1) {
    const at = Math.floor(random() * (last + 1));
    [mixed[last], mixed[at]] = [mixed[at] as T, mixed[last] as T];
  }
  return mixed;
}
