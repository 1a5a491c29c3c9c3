// The rate limit: leaky buckets, as reference 01 A11 describes them. A request with a token or a session fills the bucket of that
// credential and one of its person, which all their credentials share; any other request fills a bucket of its address.
// A credential gets a bucket once trip 1 has found it. Until then its address answers for it, so that invented tokens neither escape
// the limit nor push the buckets of real callers out of memory.
// The buckets are in the memory of the isolate and cost no trip; the platform's own limit, where it is bound, spans isolates. What a request
// costs is known afterwards: the time in the database, and a little for everything else, because the platform's clock stands still while
// code runs.

import type { Meter } from '../database/open';
import { callerAddress } from './caller_address';
import { Problem } from './problem';

const usual = { high: 600, room: 200, leak: 10, reserve: 50 };
/** One person's devices and applications together may do what four of them may do alone. */
const timesForPerson = 4;
/** An address may be a whole school's, where everyone signs in when the bell rings. */
const reserveOfAddress = 5;
/** A valid token that this isolate has not met yet counts against its address for as long as trip 1 takes. */
const reserveOfStranger = 1;
/** What a token that does not exist costs its address: 300 at once, then five a second. */
const wrongToken = 2;

/** The buckets that are kept; the one that was unused longest goes first, and is empty by then. */
const mostBuckets = 10_000;

interface Bucket {
  level: number;
  /** Milliseconds. */
  at: number;
  /** The person whose credential this is. */
  person?: number;
}

/** Who pays for a request, and how much they can take. */
interface Payer {
  readonly key: string;
  readonly reserve: number;
  /** How many times the usual limit and the usual leak. */
  readonly times: number;
}

const buckets = new Map<string, Bucket>();

export interface Limits {
  /** Replaces the usual limit; `off`: count, but refuse no one. */
  readonly RATE_LIMIT?: string;
  readonly API_RATE?: RateLimit;
}

/** What a request says of its caller. */
export interface Credential {
  readonly kind: 'token' | 'session';
  readonly hash: string;
}

/** Canvas clients know the refusal by its status and its words. */
const refusal = () =>
  new Problem(403, '403 Forbidden (Rate Limit Exceeded)\n', { 'Content-Type': 'text/plain', 'X-Rate-Limit-Remaining': '0.0' });

/** Seconds of work, as far as they are known. */
const costOf = (meter: Meter): number =>
  0.005 + meter.d1_ms / 1000 + 0.00001 * meter.rows_read + 0.005 * (meter.object_calls + meter.r2_calls);

const asFloat = (given: number) => (Number.isInteger(given) ? given.toFixed(1) : String(Number(given.toFixed(4))));

function bucketOf({ key, times }: Payer, now: number): Bucket {
  const bucket = buckets.get(key) ?? { level: 0, at: now };
  bucket.level = Math.max(0, bucket.level - ((now - bucket.at) / 1000) * usual.leak * times);
  bucket.at = now;
  // The map is in the order of last use.
  buckets.delete(key);
  buckets.set(key, bucket);
  if (buckets.size > mostBuckets) buckets.delete(buckets.keys().next().value as string);
  return bucket;
}

const ofAddress = (address: string): Payer => ({ key: `address ${address}`, reserve: reserveOfAddress, times: 1 });
const ofWrongTokens = (address: string): Payer => ({ key: `wrong tokens ${address}`, reserve: reserveOfStranger, times: 1 });
const ofCredential = ({ hash }: Credential, person: number): Payer[] => [
  { key: hash, reserve: usual.reserve, times: 1 },
  { key: `person ${person}`, reserve: usual.reserve, times: timesForPerson },
];

/** One request's way through the limit. */
export function tollOf(limits: Limits, request: Request) {
  const isOff = limits.RATE_LIMIT === 'off';
  const high = Number(limits.RATE_LIMIT) || usual.high;
  const address = callerAddress(request) ?? '';
  let credential: Credential | undefined;
  let payers: readonly Payer[] = [];
  let surcharge = 0;

  /** @throws Problem 403 where one of them has spent too much already; then nothing is reserved */
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
     * Reserves its part, before anything is read or waited for: what comes meanwhile must find it.
     * @param extra what it costs beside its work
     * @throws Problem 403 where too much has been spent already
     */
    async enter(given: Credential | undefined, extra = 0): Promise<void> {
      credential = given;
      const person = given && buckets.get(given.hash)?.person;
      if (given && person !== undefined) reserve(ofCredential(given, person));
      else reserve([given?.kind === 'token' ? ofWrongTokens(address) : ofAddress(address)]);
      // An address without a credential may be a school's: the platform's limit is not for it.
      if (given && !(await fitsPlatform(given.hash))) {
        release();
        throw refusal();
      }
      surcharge = extra;
    },
    /**
     * Trip 1 has found whose credential it is, or no one's.
     * @throws Problem 403 where the person, or the address with its wrong tokens, has spent too much already
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
        // Other isolates have seen too many: this one asks the database no more for a while.
        bucketOf(wrong, Date.now()).level = high;
        throw refusal();
      }
      reserve([wrong]);
      surcharge += wrongToken;
    },
    /** Replaces what was reserved by what it has really cost. */
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

export type Toll = ReturnType<typeof tollOf>;

export const isThrottled = (error: unknown): boolean => error instanceof Problem && error.headers['X-Rate-Limit-Remaining'] === '0.0';
