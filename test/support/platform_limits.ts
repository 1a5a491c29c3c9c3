// Limits of Cloudflare's platform, as data, and the part of each that an invocation of the Worker may use.

export interface PlatformLimit {
  /** On the Workers Paid plan. */
  readonly most: number;
  /** On the Workers Free plan, where it is lower. */
  readonly free?: number;
  readonly source: string;
}

const workers = 'developers.cloudflare.com/workers/platform/limits, November 2026';
const d1 = 'developers.cloudflare.com/d1/platform/limits, November 2026';
const queues = 'developers.cloudflare.com/queues/platform/limits, November 2026';

export const platformLimits = {
  /** Calls of D1, R2, Durable Objects, queues, the cache and the web. 10,000 on new accounts; earlier ones were given 1,000. */
  subrequests: { most: 1_000, free: 50, source: workers },
  /** Statements of all batches. */
  'D1 statements': { most: 1_000, free: 50, source: d1 },
  'bytes of a D1 parameter': { most: 2_000_000, source: d1 },
  'bytes of a queue message': { most: 128_000, source: queues },
  'messages of a queue batch': { most: 100, source: queues },
  'bytes of a queue batch': { most: 256_000, source: queues },
  /** A body that is read as a whole; an isolate has 128 MB for all its requests. */
  'bytes of a buffered body': { most: 128_000_000, source: workers },
} as const satisfies Record<string, PlatformLimit>;

export type LimitName = keyof typeof platformLimits;

/** Half: what deployments have and tests do not must fit as well. */
export const allowed = (name: LimitName): number => platformLimits[name].most / 2;
