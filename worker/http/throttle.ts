// Nobody takes it all: a leaky bucket for each token, else each session, else each address (reference 01 A11).
// The buckets live in the memory of the isolate, so that they cost no trip; the platform's own limit, where it is bound, holds whoever
// is spread over many isolates. What a request has cost is known afterwards: the time in the database, and a little for everything else,
// because the platform's clock stands still while code runs.

import type { Meter } from '../database/open';
import { Problem } from './problem';

const usual = { high: 600, room: 200, leak: 10, reserve: 50 };
/** An address may be a whole school's, all of it at the login page when the bell rings; the platform's limit is not for it, either. */
const reserveOfAddress = 5;
const reserveOf = (key: string) => (isAddress(key) ? reserveOfAddress : usual.reserve);
const isAddress = (key: string) => key.startsWith('address ');

/** As many callers as are remembered; the one who has been quiet longest is forgotten first, and by then has leaked dry. */
const remembered = 10_000;

interface Bucket {
  level: number;
  /** Milliseconds. */
  at: number;
}

const buckets = new Map<string, Bucket>();

export interface Limits {
  /** Where it stands in place of the usual one; `off`: count, but refuse nobody. */
  readonly RATE_LIMIT?: string;
  readonly API_RATE?: RateLimit;
}

/** Canvas clients know the refusal by its status and its words. */
const refusal = () =>
  new Problem(403, '403 Forbidden (Rate Limit Exceeded)\n', { 'Content-Type': 'text/plain', 'X-Rate-Limit-Remaining': '0.0' });

/** Seconds of work, as far as they are known. */
const costOf = (meter: Meter): number =>
  0.005 + meter.d1_ms / 1000 + 0.00001 * meter.rows_read + 0.005 * (meter.object_calls + meter.r2_calls);

const asFloat = (given: number) => (Number.isInteger(given) ? given.toFixed(1) : String(Number(given.toFixed(4))));

function bucketOf(key: string, now: number): Bucket {
  const bucket = buckets.get(key) ?? { level: 0, at: now };
  bucket.level = Math.max(0, bucket.level - ((now - bucket.at) / 1000) * usual.leak);
  bucket.at = now;
  // What has been used last stands last.
  buckets.delete(key);
  buckets.set(key, bucket);
  if (buckets.size > remembered) buckets.delete(buckets.keys().next().value as string);
  return bucket;
}

/** One request's way through the gate. */
export function tollOf(limits: Limits) {
  const isOff = limits.RATE_LIMIT === 'off';
  const high = Number(limits.RATE_LIMIT) || usual.high;
  let paidBy: string | undefined;
  let surcharge = 0;
  return {
    /**
     * Reserves its part, before anything is read.
     * @param extra what it costs beside its work
     * @throws Problem 403 where too much has run in already
     */
    async enter(key: string, extra = 0): Promise<void> {
      const bucket = bucketOf(key, Date.now());
      if (!isOff && bucket.level >= high) throw refusal();
      // Reserved before anything is waited for: what comes meanwhile must find it.
      bucket.level += reserveOf(key);
      if (!isOff && limits.API_RATE && !isAddress(key) && !(await limits.API_RATE.limit({ key })).success) {
        bucket.level -= reserveOf(key);
        throw refusal();
      }
      surcharge = extra;
      paidBy = key;
    },
    /** Gives the reserve back for what it has cost really; nothing to tell where it did not enter and nobody is known to have asked. */
    leave(meter: Meter, otherwise: string): Readonly<Record<string, string>> {
      const bucket = bucketOf(paidBy ?? otherwise, Date.now());
      const cost = costOf(meter) + surcharge;
      bucket.level = Math.min(high + usual.room, Math.max(0, bucket.level - (paidBy === undefined ? 0 : reserveOf(paidBy))) + cost);
      return { 'X-Request-Cost': asFloat(cost), 'X-Rate-Limit-Remaining': asFloat(Math.max(0, high - bucket.level)) };
    },
  };
}

export type Toll = ReturnType<typeof tollOf>;

/** Who asks, where they do not say. */
export const addressKey = (request: Request): string => `address ${request.headers.get('cf-connecting-ip') ?? ''}`;

export const isThrottled = (error: unknown): boolean => error instanceof Problem && error.headers['X-Rate-Limit-Remaining'] === '0.0';
