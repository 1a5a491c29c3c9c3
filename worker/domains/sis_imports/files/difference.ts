// What has changed between two files of rows, in memory that grows with sixteen bytes a row: keys and rows are kept as hashes alone.

/** Two halves of a hash of 64 bits: of two rows that differ, one in some 10¹⁹ pairs is taken for the same. */
export function hashOf(text: string): readonly [number, number] {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return [high | 0, low | 0];
}

export type Difference = 'same' | 'changed' | 'new';

const unused = 0;
const [isThere, isSeen] = [1, 2];

/** The rows of the earlier file. */
export class EarlierRows {
  private readonly mask: number;
  private readonly hashes: Int32Array;
  private readonly marks: Uint8Array;

  /** @param count at least as many rows as will be put in */
  constructor(count: number) {
    const size = 2 ** Math.ceil(Math.log2(Math.max(16, count * 1.5)));
    this.mask = size - 1;
    this.hashes = new Int32Array(size * 4);
    this.marks = new Uint8Array(size);
  }

  private placeOf([high, low]: readonly [number, number]): number {
    let place = high & this.mask;
    while (this.marks[place] !== unused && (this.hashes[place * 4] !== high || this.hashes[place * 4 + 1] !== low))
      place = (place + 1) & this.mask;
    return place;
  }

  /** Of two rows with one key the later stands. */
  put(key: string, row: string): void {
    const hash = hashOf(key);
    const place = this.placeOf(hash);
    this.hashes.set([...hash, ...hashOf(row)], place * 4);
    this.marks[place] = isThere;
  }

  /** What a row of the later file is to the earlier one; from then on its key is not missed. */
  compare(key: string, row: string): Difference {
    const place = this.placeOf(hashOf(key));
    if (this.marks[place] === unused) return 'new';
    this.marks[place] = isSeen;
    const [high, low] = hashOf(row);
    return this.hashes[place * 4 + 2] === high && this.hashes[place * 4 + 3] === low ? 'same' : 'changed';
  }

  /** Whether the later file lacks the key; it is missed once. */
  isMissing(key: string): boolean {
    const place = this.placeOf(hashOf(key));
    if (this.marks[place] !== isThere) return false;
    this.marks[place] = isSeen;
    return true;
  }
}

/** By how many percent a size differs from an earlier one. */
export const changePercent = (before: number, after: number): number =>
  before === 0 ? (after === 0 ? 0 : 100) : Math.abs(1 - after / before) * 100;
