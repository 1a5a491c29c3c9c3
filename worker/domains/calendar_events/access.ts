// The context of a requested event, and what the caller may do there.

import { and, eq, ne, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { readId } from '../../contexts/references';
import type { UserContext } from '../../contexts/user';
import type { Statement } from '../../database/open';
import type { Call } from '../../http/call';
import { notFound, unauthorized } from '../../http/problem';
import { answer, type Reply } from '../../http/reply';
import { movedDates, refuseClosedDates } from '../assignments/closed_periods';
import { assignments } from '../assignments/table';
import { appointmentGroupOf, managesAppointmentGroup, reserves } from './appointment_groups/policy';
import { planAssignmentEvents } from './assignment_events';
import { calendarCodes, visibleCalendars } from './readable_contexts';
import { seriesOf } from './series/changes';
import { calendar_events } from './table';
import { mayManage } from './target';

/** An event by id, or `assignment_9` for an assignment's due date. */
export const calendarItemNamed = (given: string): { event?: number; assignment?: number } => {
  const assignment = /^assignment_(\d{1,15})$/.exec(given)?.[1];
  return assignment ? { assignment: Number(assignment) } : { event: readId(given) };
};

const place = sql.raw('coalesce(effective_context_code, context_code)');
const inContext = (path: Record<string, string>, kind: string) => {
  const { event = 0 } = calendarItemNamed(path.event ?? '');
  return sql`select cast(substr(${place}, ${kind.length + 2}) as integer) from calendar_events where id = ${event} and workflow_state <> 'deleted' and substr(${place}, 1, ${kind.length + 1}) = ${`${kind}_`}`;
};
export const whereItStands = (path: Record<string, string>) => {
  const { assignment = 0 } = calendarItemNamed(path.event ?? '');
  return {
    course: sql`${inContext(path, 'course')} union select course_id from assignments where id = ${assignment} and workflow_state <> 'deleted'`,
    user: inContext(path, 'user'),
    account: inContext(path, 'account'),
    group: inContext(path, 'group'),
  };
};

type Standing = Pick<Call, 'me' | 'account' | 'group'> & { course: CourseContext | undefined; user: UserContext | undefined };

export const mayRead = ({ course, user, account, group }: Standing): boolean =>
  group?.canRead ||
  course?.canRead ||
  user?.isMe ||
  user?.isObservedByMe ||
  user?.isAdmin ||
  account?.isAdmin ||
  account?.calendar_visible ||
  false;
export const mayWrite = ({ course, user, account, group }: Standing): boolean =>
  group?.can('manage_calendar') ||
  (course ? mayManage(course) : false) ||
  user?.isMe ||
  account?.can('manage_account_calendar_events') ||
  false;

/** The row of an event in the context of the request; a section event only in its section. */
const only = (id: number, call: Call): SQL | undefined =>
  and(
    eq(calendar_events.id, id),
    ne(calendar_events.workflow_state, 'deleted'),
    call.course
      ? sql`calendar_events.context_code in (select code from (${calendarCodes([], sql`select ${call.course.id}`, call.me.id, call)}))`
      : undefined,
    call.account && !call.account.isAdmin ? sql`${call.account.id} in (${visibleCalendars(call.me.id)})` : undefined,
  );

/** Slots and reservations: writable by managers of the group, readable also by those who may reserve. */
const appointed = (id: number, call: Call, isRead: boolean): SQL | undefined =>
  and(
    eq(calendar_events.id, id),
    ne(calendar_events.workflow_state, 'deleted'),
    sql`exists (select 1 from appointment_groups g where g.id = ${appointmentGroupOf(sql.raw('calendar_events'))} and g.workflow_state <> 'deleted' and (${managesAppointmentGroup(sql.raw('g.id'), call)}
      or (${isRead ? 1 : 0} and calendar_events.parent_event_id is null and ${reserves(sql.raw('g.id'), call)})))`,
  );

/** The requested event, if its context allows the action, or its appointment group does. */
export const meant = (id: number, may: (call: Standing) => boolean, call: Call): SQL | undefined =>
  (call.course || call.user || call.account || call.group) && may(call as Standing) ? only(id, call) : appointed(id, call, may === mayRead);

const isSomewhere = ({ course, user, account, group }: Pick<Call, 'course' | 'user' | 'account' | 'group'>) =>
  Boolean(course || user || account || group);

/** The error without permission: 401 when the caller may read the event, otherwise 404. */
export const missingEvent = (call: Call) => (isSomewhere(call) && mayRead(call as Standing) ? unauthorized() : notFound());

/** @throws Problem 404 when the event is not visible, 401 when it is read-only for the caller */
export function check(call: Standing, may: (call: Standing) => boolean): void {
  if (!isSomewhere(call) || !mayRead(call)) throw notFound();
  if (!may(call)) throw unauthorized();
}

/** An event, with its whole series if it belongs to one. */
export async function loadWithSeries(id: number | undefined, call: Call) {
  if (id === undefined) throw notFound();
  const [[event], series] = await call.db.perform([
    call.db.build
      .select()
      .from(calendar_events)
      .where(meant(id, mayWrite, call)),
    seriesOf(id, call),
  ]);
  if (!event) throw missingEvent(call);
  return { event, series };
}

/** @throws Problem 403 where the due date of an assignment is in a closed grading period, before the change or after it */
export async function refuseClosedMove(id: number, due_at: string | null, { db, course, now }: Call): Promise<void> {
  if (!course || course.grading.periods.length === 0) return;
  const [[before]] = await db.perform([db.build.select({ due_at: assignments.due_at }).from(assignments).where(eq(assignments.id, id))]);
  refuseClosedDates(course, movedDates(before?.due_at ?? null, due_at), now);
}

/** The due date of one assignment, as the caller sees it. */
export async function assignmentEvent(id: number, call: Call, before: Statement[] = []): Promise<Reply> {
  const plan = planAssignmentEvents(
    { courses: sql`select ${call.course?.id ?? 0}`, user_id: call.me.id, within: () => sql`1`, only: id, limit: 1 },
    call,
  );
  const results = await call.db.perform([...before, ...plan.statements]);
  const [event] = plan.tell(results.slice(before.length));
  if (!event) throw notFound();
  return answer(event.json);
}
