// The memory of the runtime over time: samples, and the line that fits them best.

export interface MemorySample {
  /** Since the start of the soak. */
  readonly seconds: number;
  readonly megabytes: number;
}

/** Megabytes a minute, by least squares. */
export function slopeOf(samples: readonly MemorySample[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / Math.max(1, values.length);
  const [x, y] = [mean(samples.map(({ seconds }) => seconds)), mean(samples.map(({ megabytes }) => megabytes))];
  const spread = samples.reduce((sum, { seconds }) => sum + (seconds - x) ** 2, 0);
  return spread === 0 ? 0 : (samples.reduce((sum, one) => sum + (one.seconds - x) * (one.megabytes - y), 0) / spread) * 60;
}

/** What the process may grow in a minute once it is warm: loose, because it contains the caches of the local database and storage. */
const mostGrowth = 10;
/** In a shorter time, collection of garbage says more than a leak does. */
const shortest = 300;
/** What the heap without garbage may grow, in megabytes. A leak of 1 KB for each request is more after some minutes. */
const mostHeap = 20;

/** @param heaps the heap without garbage, when the runtime was warm and at the end */
export function memoryVerdict(
  samples: readonly MemorySample[],
  heaps: readonly number[],
): { readonly slope: number; readonly wrong: readonly string[] } {
  const slope = slopeOf(samples);
  const seconds = (samples.at(-1)?.seconds ?? 0) - (samples[0]?.seconds ?? 0);
  const growth = (heaps.at(-1) ?? 0) - (heaps[0] ?? 0);
  return {
    slope,
    wrong: [
      ...(seconds >= shortest && slope > mostGrowth ? [`the runtime grows by ${slope.toFixed(1)} MB a minute`] : []),
      ...(growth > mostHeap ? [`the heap has grown by ${growth.toFixed(1)} MB`] : []),
    ],
  };
}
