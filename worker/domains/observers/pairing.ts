// Codes that pair an observer with a student: six letters and digits, good for a week and for one observer.

import { wireTime } from '@carrel/shared/wire/fields';
import { and, eq, gt, lt, type SQL, sql } from 'drizzle-orm';
import type { Database, Statement } from '../../database/open';
import { randomText } from '../../database/tokens';
import { refused } from '../../http/problem';
import { observer_pairing_codes as codes } from './table';

const day = 86_400_000;
const life = 7 * day;

export interface PairingCode {
  readonly user_id: number;
  readonly code: string;
  readonly expires_at: string;
  readonly workflow_state: 'active';
}

export const newPairingCode = (user_id: number, now: string): PairingCode => ({
  user_id,
  code: randomText(6),
  expires_at: wireTime(Date.parse(now) + life),
  workflow_state: 'active',
});

export const insertPairingCode = (db: Database, code: PairingCode, now: string): Statement =>
  db.build.insert(codes).values({ ...code, created_at: now, updated_at: now });

const good = (code: string, now: string) => and(eq(codes.code, code), eq(codes.workflow_state, 'active'), gt(codes.expires_at, now));

/** Whom a code lets one observe; nobody once it is used or old. */
export const studentOfCode = (db: Database, code: string, now: string) =>
  db.build.select({ id: codes.user_id }).from(codes).where(good(code, now));

/** Uses a code up; only one of those who come with it at once succeeds. */
export const useCode = (db: Database, code: string, observer_id: SQL | number, now: string): Statement =>
  db.build
    .update(codes)
    .set({ workflow_state: 'used', observer_id: observer_id as number, updated_at: now })
    .where(good(code, now));

/** Holds within the batch that has used the code. */
export const isUsedBy = (code: string, observer_id: SQL | number) =>
  sql`exists (select 1 from observer_pairing_codes p where p.code = ${code} and p.observer_id = ${observer_id})`;

export const forgetCodes = (db: Database, now: string): Statement[] => [
  db.build.delete(codes).where(lt(codes.expires_at, wireTime(Date.parse(now) - 30 * day))),
];

/** The words do not tell what was wrong: a code, a password or a token (reference 01 B8). */
export const notPaired = (message = 'Invalid pairing code.') => refused(422, message);
