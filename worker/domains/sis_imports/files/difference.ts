// Compares two files of rows with sixteen bytes of memory per row: only hashes of keys and rows are kept.

/** A 64-bit hash as two halves: the chance of a false match is about one in 10¹⁹ pairs. */
function hashOf(text: string): readonly [number, number] {
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

type Difference = 'same' | 'changed' | 'new';

const unused = 0;
const [isThere, isSeen] = [1, 2];

/** The rows of the earlier file. */
export class EarlierRows {
  private readonly mask: number;
  private readonly hashes: Int32Array;
  private readonly marks: Uint8Array;

  /** @param count at least the number of rows to be added */
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

  /** For duplicate keys the later row wins. */
  put(key: string, row: string): void {
    const hash = hashOf(key);
    const place = this.placeOf(hash);
    this.hashes.set([...hash, ...hashOf(row)], place * 4);
    this.marks[place] = isThere;
  }

  /** Compares a row of the later file with the earlier one, and marks its key as present. */
  compare(key: string, row: string): Difference {
    const place = this.placeOf(hashOf(key));
    if (this.marks[place] === unused) return 'new';
    this.marks[place] = isSeen;
    const [high, low] = hashOf(row);
    return this.hashes[place * 4 + 2] === high && this.hashes[place * 4 + 3] === low ? 'same' : 'changed';
  }

  /** Whether the later file lacks the key; returns true once per key. */
  isMissing(key: string): boolean {
    const place = this.placeOf(hashOf(key));
    if (this.marks[place] !== isThere) return false;
    this.marks[place] = isSeen;
    return true;
  }
}

/** The change of size in percent. */
export const changePercent = (before: number, after: number): number =>
  before === 0 ? (after === 0 ? 0 : 100) : Math.abs(1 - after / before) * 100;
