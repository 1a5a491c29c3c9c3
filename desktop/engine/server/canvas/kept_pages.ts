// ETags of list pages with the rows that each page held, so that an unchanged list costs no body. They are stored only after the rows are
// in the cache: an ETag that is ahead of the cache would hide a change for good.

import type { Kind } from '@carrel/shared/sync/protocol';
import type { Cache } from '../../store/cache';

/** An item of a list, in the JSON of the server. */
export type CanvasRow = Readonly<Record<string, unknown>>;

interface Kept {
  readonly tag: string;
  readonly ids: readonly number[];
  readonly next?: string;
}

export interface KeptPage {
  readonly rows: readonly CanvasRow[];
  readonly next: string | undefined;
}

export class KeptPages {
  readonly #known: Readonly<Record<string, Kept>>;
  readonly #now: Record<string, Kept> = {};
  readonly #name: string;

  constructor(
    private readonly cache: Cache,
    private readonly kind: Kind,
    place: number | null,
    private readonly idOf: (row: CanvasRow) => number,
  ) {
    this.#name = `pages ${kind} ${place ?? ''}`;
    this.#known = JSON.parse(cache.noted(this.#name) ?? '{}') as Record<string, Kept>;
  }

  /** Undefined if some of its rows are no longer in the cache. */
  tagOf(address: string): string | undefined {
    const kept = this.#known[address];
    return kept?.ids.every((id) => this.cache.get(this.kind, id) !== undefined) ? kept.tag : undefined;
  }

  /** The page as it was returned last time. */
  again(address: string): KeptPage {
    const kept = this.#known[address];
    if (!kept) throw new Error(`${address} is not stored`);
    this.#now[address] = kept;
    return { rows: kept.ids.map((id) => this.cache.get<CanvasRow>(this.kind, id)).filter((row) => row !== undefined), next: kept.next };
  }

  told(address: string, tag: string | null, { rows, next }: KeptPage): void {
    const ids = rows.map(this.idOf);
    // The items of a module that is listed without them come from another list, and may change without this one.
    const isWhole = this.kind !== 'module' || rows.every(({ items }) => Array.isArray(items));
    if (tag && isWhole && ids.every(Number.isSafeInteger)) this.#now[address] = { tag, ids, ...(next !== undefined && { next }) };
  }

  keep(): void {
    this.cache.note(this.#name, Object.keys(this.#now).length === 0 ? undefined : JSON.stringify(this.#now));
  }
}
