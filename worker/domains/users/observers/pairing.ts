// Pairing codes: six alphanumeric characters, valid for a week and one observer.

import { wireTime } from '@carrel/shared/wire/fields';
import { and, eq, gt, type SQL, sql } from 'drizzle-orm';
import type { Database, Statement } from '../../../database/open';
import type { Retention } from '../../../database/retention';
import { randomText } from '../../../database/tokens';
import { refused } from '../../../http/problem';
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

/** The student of a code; none when it is used or expired. */
export const studentOfCode = (db: Database, code: string, now: string) =>
  db.build.select({ id: codes.user_id }).from(codes).where(good(code, now));

/** Marks a code as used; of concurrent requests only one succeeds. */
export const useCode = (db: Database, code: string, observer_id: SQL | number, now: string): Statement =>
  db.build
    .update(codes)
    .set({ workflow_state: 'used', observer_id: observer_id as number, updated_at: now })
    .where(good(code, now));

/** True within the batch that used the code. */
export const isUsedBy = (code: string, observer_id: SQL | number) =>
  sql`exists (select 1 from observer_pairing_codes p where p.code = ${code} and p.observer_id = ${observer_id})`;

export const codeRetention: Retention = { table: 'observer_pairing_codes', by: 'expires_at', days: 30 };

/** The error does not reveal whether a code, a password or a token was wrong (reference 01 B8). */
export const notPaired = (message = 'Invalid pairing code.') => refused(422, message);
