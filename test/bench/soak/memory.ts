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

/** What the runtime may grow in a minute once it is warm. A leak of 1 KB for each request grows faster at 50 requests a second. */
const mostGrowth = 3;
/** In a shorter time, collection of garbage says more than a leak does. */
const shortest = 300;

export function memoryVerdict(samples: readonly MemorySample[]): { readonly slope: number; readonly wrong?: string } {
  const slope = slopeOf(samples);
  const seconds = (samples.at(-1)?.seconds ?? 0) - (samples[0]?.seconds ?? 0);
  if (seconds < shortest || slope <= mostGrowth) return { slope };
  return { slope, wrong: `the runtime grows by ${slope.toFixed(1)} MB a minute` };
}
