// The last changes of the cache, in memory, so that derived data can check whether it is up to date, and what to derive again.

import type { Change } from '@carrel/shared/sync/protocol';

export type TouchedItem = Pick<Change, 'kind' | 'id'>;

/** After more changes than this, everything counts as changed. */
const mostTold = 2000;

export class Lately {
  /** Increases with everything that is stored. */
  generation = 0;
  /** What was stored since `#toldFrom`, the latest last. */
  #told: (TouchedItem & { readonly generation: number })[] = [];
  #toldFrom = 0;

  /** @param touched undefined: everything */
  grow(touched: readonly TouchedItem[] | undefined): void {
    this.generation++;
    if (touched === undefined || this.#told.length + touched.length > mostTold) {
      this.#told = [];
      this.#toldFrom = this.generation;
    } else for (const { kind, id } of touched) this.#told.push({ kind, id, generation: this.generation });
  }

  /** What was stored since a generation; undefined: more than is remembered. */
  since(generation: number): readonly TouchedItem[] | undefined {
    return generation < this.#toldFrom ? undefined : this.#told.filter((one) => one.generation > generation);
  }
}
