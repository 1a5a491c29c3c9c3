// Who takes part in polls: the owner, and the members of courses in which a session of the poll was opened (reference 04 §18).

import { and, eq, type SQL, sql } from 'drizzle-orm';
import { enrollmentsWithState, isShutOut } from '../../contexts/effective_enrollments';
import { isStaff } from '../../contexts/predicates';
import { shared } from '../../database/shared';
import type { Call } from '../../http/call';
import { poll_sessions, polls } from './table';

type Asking = Pick<Call, 'me' | 'now'>;

const me = (call: Asking) => shared('user', call.me.id);

/** Enrollments with which the caller has access to courses; past ones only for reading. */
const seats = (call: Asking, column: SQL, states: SQL, courseStates: SQL): SQL =>
  sql`select ${column} from (${enrollmentsWithState(sql`e.user_id = ${me(call)}`, call.now)}) e
    where e.effective in (${states}) and e.course_state <> 'deleted' and (${isStaff('e')} or (e.course_state in (${courseStates}) and not ${isShutOut}))`;

const readableSeats = (call: Asking) => (column: SQL) => seats(call, column, sql`'active', 'completed'`, sql`'available', 'completed'`);
const activeSeats = (call: Asking) => (column: SQL) => seats(call, column, sql`'active'`, sql`'available'`);

// Lists that do not depend on the session are read once for all sessions.
const isIn = (mine: (column: SQL) => SQL): SQL =>
  sql`(poll_sessions.course_id in (${mine(sql.raw('e.course_id'))})
    and (poll_sessions.course_section_id is null or poll_sessions.course_section_id in (${mine(sql.raw('e.course_section_id'))})))`;

/** Whether the caller knows of a row of `poll_sessions` as a participant. */
export const participatesIn = (call: Asking): SQL => sql`(poll_sessions.opened_at is not null and ${isIn(readableSeats(call))})`;

/** Whether the caller may answer in a row of `poll_sessions` now. */
export const mayAnswerIn = (call: Asking): SQL => sql`(poll_sessions.is_published = 1 and ${isIn(activeSeats(call))})`;

const isOwn = (call: Asking): SQL => sql`(select owned.user_id from polls owned where owned.id = poll_sessions.poll_id) = ${me(call)}`;

/** The sessions of the caller's courses and sections that are open, or closed. */
export const sessionsOfMine = (call: Asking, isOpen: boolean): SQL =>
  and(
    eq(poll_sessions.is_published, isOpen),
    isIn(isOpen ? activeSeats(call) : readableSeats(call)),
    isOpen ? undefined : sql`(poll_sessions.opened_at is not null or ${isOwn(call)})`,
  ) as SQL;

/** The poll with its owner, and whether the caller takes part in a session of it. @param has another condition */
export const pollAccess = ({ db, ...call }: Asking & Pick<Call, 'db'>, id: number, has: SQL = sql`1`) => {
  const takesPart = sql`exists (select 1 from poll_sessions where poll_sessions.poll_id = polls.id and ${participatesIn(call)})`;
  return db.build
    .select({
      id: polls.id,
      owner_id: sql<number>`polls.user_id`.as('owner_id'),
      takes_part: sql<number>`${takesPart}`.as('takes_part'),
      has: sql<number>`${has}`.as('has'),
    })
    .from(polls)
    .where(eq(polls.id, id));
};
