// The rate limit: leaky buckets as in reference 01 A11. A request with a token or session fills the bucket of that credential and one of its user,
// which all their credentials share; any other request fills a bucket of its address.
// A credential gets a bucket only once trip 1 has found it. Until then its address is charged, so that invented tokens can neither escape the limit
// nor push the buckets of real callers out of memory.
// The buckets are in the isolate's memory and cost no round trip; the platform's own limit, if bound, spans isolates. The cost is known only
// afterwards: the time in the database, plus a little for everything else, because the platform's clock stops while code runs.

import type { Meter } from '../database/open';
import { callerAddress } from './caller_address';
import { Problem } from './problem';

const usual = { high: 600, room: 200, leak: 10, reserve: 50 };
/** All devices and applications of a user together get four times the limit of one. */
const timesForPerson = 4;
/** An address may be a whole school's, where everyone signs in at the same time. */
const reserveOfAddress = 5;
/** A valid token that is new to this isolate is charged to its address during trip 1. */
const reserveOfStranger = 1;
/** The cost of an invalid token to its address: 300 at once, then five a second. */
const wrongToken = 2;

/** Maximum number of buckets; the least recently used one is dropped first, and is empty by then. */
const mostBuckets = 10_000;

interface Bucket {
  level: number;
  /** In milliseconds. */
  at: number;
  /** The user of this credential. */
  person?: number;
}

/** The bucket that pays for a request, and its size. */
interface Payer {
  readonly key: string;
  readonly reserve: number;
  /** Multiplier of the limit and the leak. */
  readonly times: number;
}

const buckets = new Map<string, Bucket>();

export interface Limits {
  /** Overrides the limit; `off`: count, but never refuse. */
  readonly RATE_LIMIT?: string;
  readonly API_RATE?: RateLimit;
}

/** The credential of a request. */
export interface ThrottledCredential {
  readonly kind: 'token' | 'session';
  readonly hash: string;
}

/** Canvas clients recognise the error by its status and text. */
const refusal = () =>
  new Problem(403, '403 Forbidden (Rate Limit Exceeded)\n', { 'Content-Type': 'text/plain', 'X-Rate-Limit-Remaining': '0.0' });

/** Seconds of work, as far as known. */
const costOf = (meter: Meter): number =>
  0.005 + meter.d1_ms / 1000 + 0.00001 * meter.rows_read + 0.005 * (meter.object_calls + meter.r2_calls);

const asFloat = (given: number) => (Number.isInteger(given) ? given.toFixed(1) : String(Number(given.toFixed(4))));

function bucketOf({ key, times }: Payer, now: number): Bucket {
  const bucket = buckets.get(key) ?? { level: 0, at: now };
  bucket.level = Math.max(0, bucket.level - ((now - bucket.at) / 1000) * usual.leak * times);
  bucket.at = now;
  // Keeps the map in order of last use.
  buckets.delete(key);
  buckets.set(key, bucket);
  if (buckets.size > mostBuckets) buckets.delete(buckets.keys().next().value as string);
  return bucket;
}

const ofAddress = (address: string): Payer => ({ key: `address ${address}`, reserve: reserveOfAddress, times: 1 });
const ofWrongTokens = (address: string): Payer => ({ key: `wrong tokens ${address}`, reserve: reserveOfStranger, times: 1 });
const ofCredential = ({ hash }: ThrottledCredential, person: number): Payer[] => [
  { key: hash, reserve: usual.reserve, times: 1 },
  { key: `person ${person}`, reserve: usual.reserve, times: timesForPerson },
];

/** Charges one request to the rate limit. */
export function rateLimiterOf(limits: Limits, request: Request) {
  const isOff = limits.RATE_LIMIT === 'off';
  const high = Number(limits.RATE_LIMIT) || usual.high;
  const address = callerAddress(request) ?? '';
  let credential: ThrottledCredential | undefined;
  let payers: readonly Payer[] = [];
  let surcharge = 0;

  /** @throws Problem 403 when one of the buckets is full; then nothing is reserved */
  function reserve(wanted: readonly Payer[]): void {
    const now = Date.now();
    const filled = wanted.map((payer) => ({ payer, bucket: bucketOf(payer, now) }));
    if (!isOff && filled.some(({ payer, bucket }) => bucket.level >= high * payer.times)) throw refusal();
    for (const { payer, bucket } of filled) bucket.level += payer.reserve;
    payers = wanted;
  }
  function release(): void {
    const now = Date.now();
    for (const payer of payers) {
      const bucket = bucketOf(payer, now);
      bucket.level = Math.max(0, bucket.level - payer.reserve);
    }
    payers = [];
  }
  const fitsPlatform = async (key: string) => isOff || !limits.API_RATE || (await limits.API_RATE.limit({ key })).success;

  return {
    /**
     * Reserves the minimum cost before anything is read, so that concurrent requests see it.
     * @param extra cost in addition to its work
     * @throws Problem 403 when a bucket is full
     */
    async enter(given: ThrottledCredential | undefined, extra = 0): Promise<void> {
      credential = given;
      const person = given && buckets.get(given.hash)?.person;
      if (given && person !== undefined) reserve(ofCredential(given, person));
      else reserve([given?.kind === 'token' ? ofWrongTokens(address) : ofAddress(address)]);
      // The platform's limit does not apply to addresses without a credential, because they may be a school's.
      if (given && !(await fitsPlatform(given.hash))) {
        release();
        throw refusal();
      }
      surcharge = extra;
    },
    /**
     * Called when trip 1 has identified the credential's user, or that it is invalid.
     * @throws Problem 403 when the user's bucket, or the address's for invalid tokens, is full
     */
    async recognise(person: number | undefined): Promise<void> {
      if (!credential || (person !== undefined && buckets.get(credential.hash)?.person === person)) return;
      release();
      if (person !== undefined) {
        const wanted = ofCredential(credential, person);
        bucketOf(wanted[0] as Payer, Date.now()).person = person;
        return reserve(wanted);
      }
      buckets.delete(credential.hash);
      if (credential.kind === 'session') return reserve([ofAddress(address)]);
      const wrong = ofWrongTokens(address);
      if (!(await fitsPlatform(wrong.key))) {
        // The limit across isolates is reached: this isolate rejects the address for a while without a read.
        bucketOf(wrong, Date.now()).level = high;
        throw refusal();
      }
      reserve([wrong]);
      surcharge += wrongToken;
    },
    /** The user of the credential, once a request to this isolate has identified it. */
    person: (): number | undefined => credential && buckets.get(credential.hash)?.person,
    /** Replaces the reservation by the actual cost. */
    leave(meter: Meter): Readonly<Record<string, string>> {
      const cost = costOf(meter) + surcharge;
      const remaining = (payers.length > 0 ? payers : [{ ...ofAddress(address), reserve: 0 }]).map((payer) => {
        const bucket = bucketOf(payer, Date.now());
        bucket.level = Math.min(high * payer.times + usual.room, Math.max(0, bucket.level - payer.reserve) + cost);
        return high * payer.times - bucket.level;
      });
      return { 'X-Request-Cost': asFloat(cost), 'X-Rate-Limit-Remaining': asFloat(Math.max(0, Math.min(high, ...remaining))) };
    },
  };
}

export type RateLimiter = ReturnType<typeof rateLimiterOf>;

/** For requests within one that is charged already. */
export const unlimited: RateLimiter = {
  enter: async () => {},
  recognise: async () => {},
  person: () => undefined,
  leave: () => ({}),
};

export const isThrottled = (error: unknown): boolean => error instanceof Problem && error.headers['X-Rate-Limit-Remaining'] === '0.0';
