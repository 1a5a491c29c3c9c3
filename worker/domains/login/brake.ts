// Guessing is slow: each name that is tried, and each address that tries, has a leaky bucket that fills with every try and that success
// empties. The buckets are rows of D1: a try reads its login there anyway, so they cost no trip; a row is right from every place on
// earth and after every restart, which a count in memory or per data centre is not; and the try is counted before the password is
// looked at, so that a thousand tries at once count as a thousand. The platform's own limit, where it is bound, goes before all this.

import { eq, lt, type SQL, sql } from 'drizzle-orm';
import type { Database, Statement } from '../../database/open';
import { callerAddress } from '../../http/caller_address';
import { sha256 } from '../../http/idempotency';
import { sign_in_brakes as brakes } from './table';

interface Bucket {
  readonly capacity: number;
  /** What runs out of it in a second. */
  readonly leak: number;
}

/** A name: ten tries at once, then one every five minutes; tries that are turned away do not count. */
const ofName: Bucket = { capacity: 10, leak: 1 / 300 };
/** An address may be a whole school's: a hundred tries that fail at once, then thirty a minute. */
const ofAddress: Bucket = { capacity: 100, leak: 1 / 2 };

export interface Keys {
  readonly name: SQL;
  readonly address: string | undefined;
}

/** As it stands in the audit. */
export const wholeAddress = (request: Request): string | null => request.headers.get('cf-connecting-ip')?.trim().slice(0, 45) ?? null;

/**
 * Names are kept as hashes: people type their passwords there, too. From where somebody has signed in before, their name has a bucket of
 * its own, so that whoever guesses from elsewhere does not lock them out.
 */
export const keysOf = async (unique_id: string, request: Request): Promise<Keys> => {
  const name = `name:${await sha256(unique_id.trim().toLowerCase())}`;
  const address = callerAddress(request);
  if (!address) return { name: sql`${name}`, address: undefined };
  const isKnown = sql`exists (select 1 from logins l join authentication_events e on e.login_id = l.id
    where l.account_id = 1 and lower(l.unique_id) = lower(${unique_id.trim()}) and l.workflow_state <> 'deleted' and e.address = ${wholeAddress(request)})`;
  return { name: sql`case when ${isKnown} then ${`${name}@${address}`} else ${name} end`, address: `address:${address}` };
};

const seconds = (now: string) => Date.parse(now) / 1000;
const drained = ({ leak }: Bucket, at: number): SQL => sql`max(0, sign_in_brakes.level - (${at} - sign_in_brakes.at) * ${leak})`;

/** Counts a try. Answers a row where it fits into the bucket, none where it is one too many. */
const count = (db: Database, key: SQL | string, bucket: Bucket, now: string) => {
  const at = seconds(now);
  return db.build
    .insert(brakes)
    .values({ key, level: 1, at })
    .onConflictDoUpdate({
      target: brakes.key,
      set: { level: sql`${drained(bucket, at)} + 1`, at },
      setWhere: sql`${drained(bucket, at)} + 1 <= ${bucket.capacity}`,
    })
    .returning({ level: brakes.level });
};

/** The counts of a try: one that answers no row turns the try away. Where nobody says who knocks, the name alone is counted. */
export const countTry = (db: Database, { name, address }: Keys, now: string) => [
  count(db, name, ofName, now),
  ...(address ? [count(db, address, ofAddress, now)] : []),
];

/** How long one who is turned away should wait. */
export const pauseSeconds = (isName: boolean) => Math.ceil(1 / (isName ? ofName : ofAddress).leak);

/** Success empties the name's bucket, before the audit knows of it, and takes back its own drop from the address's. */
export const release = (db: Database, { name, address }: Keys): Statement[] => [
  db.build.delete(brakes).where(eq(brakes.key, name)),
  ...(address ? [db.build.update(brakes).set({ level: sql`max(0, level - 1)` }).where(eq(brakes.key, address))] : []),
];

/** Buckets that have run dry say nothing more. */
export const forgetBrakes = (db: Database, now: string): Statement[] => [
  db.build.delete(brakes).where(lt(brakes.at, seconds(now) - ofName.capacity / ofName.leak)),
];
