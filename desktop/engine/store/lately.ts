// What was stored lately, in memory: so that whatever was derived from a cache can tell whether it holds, and what to look at again.

import type { Change } from '@carrel/shared/sync/protocol';

export type Touched = Pick<Change, 'kind' | 'id'>;

/** More than so many changes are not told one by one: whoever asks looks at everything. */
const mostTold = 2000;

export class Lately {
  /** Grows with everything that is stored. */
  generation = 0;
  /** What was stored since `#toldFrom`, the latest last. */
  #told: (Touched & { readonly generation: number })[] = [];
  #toldFrom = 0;

  /** @param touched undefined: everything */
  grow(touched: readonly Touched[] | undefined): void {
    this.generation++;
    if (touched === undefined || this.#told.length + touched.length > mostTold) {
      this.#told = [];
      this.#toldFrom = this.generation;
    } else for (const { kind, id } of touched) this.#told.push({ kind, id, generation: this.generation });
  }

  /** What has been stored since a generation; undefined: more than is remembered. */
  since(generation: number): readonly Touched[] | undefined {
    return generation < this.#toldFrom ? undefined : this.#told.filter((one) => one.generation > generation);
  }
}
