// Finds the student that a user wants to observe, and writes the link.

import { and, eq, ne, type SQL, sql } from 'drizzle-orm';
import { countTry, keysOf, release } from '../../../contexts/login_throttle';
import type { Database, Statement } from '../../../database/open';
import { verifyPassword } from '../../../database/passwords';
import { sha256 } from '../../../http/idempotency';
import { tokens } from '../../tokens/table';
import { withPassword } from '../logins/with_password';
import { logins, observers, users } from '../table';
import { observerEnrollments, observerEnrollmentsEnded } from './linked';
import { notPaired, studentOfCode } from './pairing';

/** One of: the student's login and password, an access token, or a pairing code. */
export interface Proof {
  readonly unique_id?: string;
  readonly password?: string;
  readonly token?: string;
  readonly code?: string;
}

/** The student, and statements to run once the proof is accepted. */
interface Proven {
  readonly id: number;
  readonly proven: readonly Statement[];
}

/** Password attempts are throttled as at login. */
async function ofCredentials(db: Database, unique_id: string, password: string, request: Request, now: string): Promise<Proven> {
  const keys = await keysOf(unique_id, request);
  const [[login], ...tries] = await db.perform([
    db.build.select({ user_id: logins.user_id, hash: logins.password_hash }).from(logins).where(withPassword(unique_id)),
    ...countTry(db, keys, now),
  ]);
  if (tries.some((one) => one.length === 0)) throw notPaired('Too many attempts. Try again later.');
  if (!(await verifyPassword(password, login?.hash)).isRight || !login) throw notPaired('Invalid credentials.');
  return { id: login.user_id, proven: release(db, keys) };
}

async function ofToken(db: Database, token: string, now: string): Promise<Proven> {
  const [[known]] = await db.perform([
    db.build
      .select({ user_id: tokens.user_id, expires_at: tokens.expires_at, scopes: tokens.scopes })
      .from(tokens)
      .where(and(eq(tokens.token_hash, await sha256(token)), eq(tokens.workflow_state, 'active'))),
  ]);
  if (!known || (known.expires_at !== null && known.expires_at <= now)) throw notPaired('Invalid access token.');
  return { id: known.user_id, proven: [] };
}

/**
 * The student identified by a proof.
 * @throws Problem 422 for an invalid proof
 */
export async function provenStudent(
  db: Database,
  { unique_id, password, token, code }: Proof,
  { request, now }: { request: Request; now: string },
): Promise<Proven> {
  if (code !== undefined) {
    const [[paired]] = await db.perform([studentOfCode(db, code, now)]);
    if (!paired) throw notPaired();
    return { id: paired.id, proven: [] };
  }
  if (unique_id !== undefined) return ofCredentials(db, unique_id, password ?? '', request, now);
  if (token !== undefined) return ofToken(db, token, now);
  throw notPaired('A pairing code, the credentials of the student or a token of theirs is needed.');
}

/** Deleted users cannot observe or be observed. */
const isThere = (id: SQL | number) => sql`exists (select 1 from users u where u.id = ${id} and u.workflow_state <> 'deleted')`;

/**
 * Creates the link, and the observer enrollments that follow from it.
 * @param where an additional condition
 */
export const link = (db: Database, observer_id: SQL | number, student_id: number, now: string, where: SQL = sql`1`): Statement[] => [
  db.build.run(sql`insert into observers (observer_id, student_id, created_at)
    select ${observer_id}, ${student_id}, ${now} where ${observer_id} <> ${student_id} and ${isThere(observer_id)} and ${isThere(student_id)} and ${where}
    on conflict do nothing`),
  ...observerEnrollments(db, { observer_id, student_id }, now),
];

/** Deletes the link and the enrollments created from it. */
export const unlink = (db: Database, observer_id: number, student_id: number, now: string): Statement[] => [
  db.build.delete(observers).where(and(eq(observers.observer_id, observer_id), eq(observers.student_id, student_id))),
  ...observerEnrollmentsEnded(db, { observer_id, student_id }, now),
];

/** A user who is not deleted. */
export const live = (id: SQL | number): SQL | undefined =>
  and(typeof id === 'number' ? eq(users.id, id) : sql`${users.id} = (${id})`, ne(users.workflow_state, 'deleted'));
