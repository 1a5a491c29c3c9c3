// Replies of polls after the check of who asks: the owner may do everything, participants read (reference 04 §18.3).

import { eq, type SQL, sql } from 'drizzle-orm';
import { readId } from '../../contexts/references';
import type { ResultOf, Statement } from '../../database/open';
import type { Call } from '../../http/call';
import { found, unauthorized } from '../../http/problem';
import { judged, type Reply } from '../../http/reply';
import { participatesIn, pollAccess } from './policy';
import { poll_sessions, polls } from './table';

type Asking = Pick<Call, 'db' | 'me' | 'now'>;
type InPoll = Asking & { readonly path: { readonly poll_id: string } };

/** @throws Problem 404 for what cannot be an id */
export const pollIn = ({ path }: Pick<InPoll, 'path'>): number => found(readId(path.poll_id));

const ownerOf = ({ db }: Pick<Asking, 'db'>, id: number) => db.build.select({ user_id: polls.user_id }).from(polls).where(eq(polls.id, id));

/** The reply for the owner and for participants; 401 for other users, 404 for a poll that does not exist. */
export const forReaders = (call: Asking, id: number, then: Reply): Reply =>
  judged(
    pollAccess(call, id),
    ([poll]) => {
      if (found(poll).user_id !== call.me.id && found(poll).takes_part !== 1) throw unauthorized();
    },
    then,
  );

/** The reply for the owner; 401 for other users, 404 for a poll that does not exist. */
export const forOwner = ({ db, me }: Asking, id: number, then: Reply): Reply =>
  judged(
    ownerOf({ db }, id),
    ([poll]) => {
      if (found(poll).user_id !== me.id) throw unauthorized();
    },
    then,
  );

/**
 * Reads the poll before a write, and one more statement with it.
 * @throws Problem 404 if the poll does not exist, 401 if it belongs to another user
 */
export async function requireOwner<S extends Statement>({ db, me }: Asking, id: number, beside: S): Promise<ResultOf<S>> {
  const [[poll], result] = await db.perform([ownerOf({ db }, id), beside]);
  if (found(poll).user_id !== me.id) throw unauthorized();
  return result as ResultOf<S>;
}

/**
 * Reads the poll before a write.
 * @throws Problem 404 if it does not exist, 401 if it belongs to another user
 */
export async function ownPoll({ db, me }: Pick<Asking, 'db' | 'me'>, id: number): Promise<void> {
  const [[poll]] = await db.perform([ownerOf({ db }, id)]);
  if (found(poll).user_id !== me.id) throw unauthorized();
}

/** The session of a path, with the owner of its poll, and whether the caller takes part in it. */
export const sessionAccess = ({ db, ...call }: Asking, poll_id: number, id: number, mayDo: SQL = participatesIn(call)) =>
  db.build
    .select({
      id: poll_sessions.id,
      course_id: poll_sessions.course_id,
      owner_id: sql<number>`(select owned.user_id from polls owned where owned.id = poll_sessions.poll_id)`.as('owner_id'),
      takes_part: sql<number>`${mayDo}`.as('takes_part'),
    })
    .from(poll_sessions)
    .where(sql`${poll_sessions.id} = ${id} and ${poll_sessions.poll_id} = ${poll_id}`);
