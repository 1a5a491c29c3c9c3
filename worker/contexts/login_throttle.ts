// Throttles logins: a leaky bucket for each login name and each address fills with every attempt, and a success empties it. The buckets are rows of
// D1: an attempt reads its login there anyway, so they cost no extra round trip, and unlike counts in memory they hold worldwide and across restarts.
// The attempt is counted before the password is checked, so that concurrent attempts all count. A rate limit of the platform, if bound, applies
// before this.

import { eq, type SQL, sql } from 'drizzle-orm';
import type { Database, Statement } from '../database/open';
import type { Retention } from '../database/retention';
import { login_throttles } from '../domains/login/table';
import { callerAddress } from '../http/caller_address';
import { sha256 } from '../http/idempotency';

interface Bucket {
  readonly capacity: number;
  /** The amount that leaks per second. */
  readonly leak: number;
}

/** Per name: ten attempts at once, then one every five minutes; rejected attempts do not count. */
const ofName: Bucket = { capacity: 10, leak: 1 / 300 };
/** Per address, which may be a whole school's: a hundred failed attempts at once, then thirty a minute. */
const ofAddress: Bucket = { capacity: 100, leak: 1 / 2 };

interface Keys {
  readonly name: SQL;
  readonly address: string | undefined;
}

/** The address as recorded in the audit log. */
export const wholeAddress = (request: Request): string | null => request.headers.get('cf-connecting-ip')?.trim().slice(0, 45) ?? null;

/**
 * Names are stored as hashes, because users sometimes type their password there. A device that has signed in before has its own bucket for the name,
 * so that an attacker elsewhere cannot lock the user out.
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
const drained = ({ leak }: Bucket, at: number): SQL => sql`max(0, login_throttles.level - (${at} - login_throttles.at) * ${leak})`;

/** Counts an attempt. Returns a row if it fits into the bucket, none if it is rejected. */
const count = (db: Database, key: SQL | string, bucket: Bucket, now: string) => {
  const at = seconds(now);
  return db.build
    .insert(login_throttles)
    .values({ key, level: 1, at })
    .onConflictDoUpdate({
      target: login_throttles.key,
      set: { level: sql`${drained(bucket, at)} + 1`, at },
      setWhere: sql`${drained(bucket, at)} + 1 <= ${bucket.capacity}`,
    })
    .returning({ level: login_throttles.level });
};

/** Counts an attempt in both buckets; one without a row rejects it. Without a client address only the name is counted. */
export const countTry = (db: Database, { name, address }: Keys, now: string) => [
  count(db, name, ofName, now),
  ...(address ? [count(db, address, ofAddress, now)] : []),
];

/** Seconds to wait after a rejection. */
export const pauseSeconds = (isName: boolean) => Math.ceil(1 / (isName ? ofName : ofAddress).leak);

/** Success empties the name's bucket, before the audit log is written, and removes its own attempt from the address's. */
export const release = (db: Database, { name, address }: Keys): Statement[] => [
  db.build.delete(login_throttles).where(eq(login_throttles.key, name)),
  ...(address ? [db.build.update(login_throttles).set({ level: sql`max(0, level - 1)` }).where(eq(login_throttles.key, address))] : []),
];

/** A bucket that is older than this is empty. */
export const loginThrottleRetention: Retention = {
  table: 'login_throttles',
  by: 'at',
  days: ofName.capacity / ofName.leak / 86_400,
  isInSeconds: true,
};
