// Replies of polls after the check of who asks: the owner may do everything, participants read (reference 04 §18.3). Others do not learn that a poll
// exists.

import { type SQL, sql } from 'drizzle-orm';
import { readId } from '../../contexts/references';
import type { ResultOf, Statement } from '../../database/open';
import type { Call } from '../../http/call';
import { found, notFound, unauthorized } from '../../http/problem';
import { judged, type Reply } from '../../http/reply';
import { participatesIn, pollAccess } from './policy';
import { poll_sessions } from './table';

type Asking = Pick<Call, 'db' | 'me' | 'now'>;

/** @throws Problem 404 for what cannot be an id */
export const pollIn = ({ path }: { readonly path: { readonly poll_id: string } }): number => found(readId(path.poll_id));

/** Who the caller is to a poll, or to a session of it. */
export interface PollRole {
  readonly owner_id: number;
  readonly takes_part: number;
}

/** @throws Problem 404 if there is nothing, or the caller may not know of it */
export function requireReader<R extends PollRole>(role: R | undefined, { me }: Pick<Call, 'me'>): R {
  const it = found(role);
  if (it.owner_id !== me.id && it.takes_part !== 1) throw notFound();
  return it;
}

/** @throws Problem 404 like `requireReader`, 401 for participants */
export function requireOwner<R extends PollRole>(role: R | undefined, call: Pick<Call, 'me'>): R {
  const it = requireReader(role, call);
  if (it.owner_id !== call.me.id) throw unauthorized();
  return it;
}

/** The reply for the owner and for participants. */
export const forReaders = (call: Asking, id: number, then: Reply): Reply =>
  judged(pollAccess(call, id), ([role]) => void requireReader(role, call), then);

/** The reply for the owner. */
export const forOwner = (call: Asking, id: number, then: Reply): Reply =>
  judged(pollAccess(call, id), ([role]) => void requireOwner(role, call), then);

/** Reads the poll before a write of its owner. */
export async function ownPoll(call: Asking, id: number): Promise<void> {
  const [[role]] = await call.db.perform([pollAccess(call, id)]);
  requireOwner(role, call);
}

/** The same with one more statement in the round trip. */
export async function ownPollAnd<S extends Statement>(call: Asking, id: number, beside: S): Promise<ResultOf<S>> {
  const [[role], result] = await call.db.perform([pollAccess(call, id), beside]);
  requireOwner(role, call);
  return result as ResultOf<S>;
}

/** The session of a path, with who the caller is to it. @param mayDo whether they take part */
export const sessionAccess = ({ db, ...call }: Asking, poll_id: number, id: number, mayDo: SQL = participatesIn(call)) =>
  db.build
    .select({
      id: poll_sessions.id,
      course_id: poll_sessions.course_id,
      owner_id: sql<number>`(select owned.user_id from polls owned where owned.id = poll_sessions.poll_id)`.as('owner_id'),
      takes_part: sql<number>`${participatesIn(call)}`.as('takes_part'),
      may_do: sql<number>`${mayDo}`.as('may_do'),
    })
    .from(poll_sessions)
    .where(sql`${poll_sessions.id} = ${id} and ${poll_sessions.poll_id} = ${poll_id}`);
