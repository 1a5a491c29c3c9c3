// Assignments in calendars: students see each on the due date that applies to them, staff on every due date that applies to anyone.

import type { CalendarEvent } from '@carrel/shared/resources/calendar_event';
import type { Json } from '@carrel/shared/resources/resource';
import { eq, type SQL, sql } from 'drizzle-orm';
import { isActiveOrPastStaff } from '../../contexts/predicates';
import { atMost } from '../../database/at_most';
import { isInSelect } from '../../database/ids';
import type { Statement } from '../../database/open';
import { shared } from '../../database/shared';
import { together, withColumns } from '../../database/together';
import type { Call } from '../../http/call';
import { rows } from '../../http/listing';
import { type Plan, planListing } from '../../http/serializer';
import { assignedTo, closedIn, decidedDue, reachingAny } from '../../rules/assigned';
import { allDay } from '../assignments/dates/midnight';
import { firstDue, movedForAny, storedDue } from '../assignments/due_walk';
import { assignment, type ComputedRow } from '../assignments/json';
import { assignments } from '../assignments/table';
import { viewingUser } from '../assignments/viewpoint';
import { asAdmin } from './administered';
import { colorOf, courseNameIn } from './json';

/** One appearance of an assignment in a calendar. */
interface Slot {
  readonly assignment_id: number;
  /** For staff: 0 for the assignment's own date. */
  readonly override_id: number;
  /** For other viewers: the override that decides their date. */
  readonly moved_by: number | null;
  /** '' without a date. */
  readonly at: string;
  readonly context_name: string;
  readonly time_zone: string | null;
}

export interface SlotFilter {
  /** A select of course ids. */
  readonly courses: SQL;
  /** Whose dates count when the caller is not staff; for the caller this includes their observed students. */
  readonly user_id: number;
  /** A condition on a date, which is '' when undated. */
  readonly within: (at: SQL) => SQL;
  /** Additional conditions on `assignments`. */
  readonly where?: SQL;
  /** The one assignment, where it is known. */
  readonly only?: number;
  readonly limit: number;
  readonly offset?: number;
  readonly after?: readonly unknown[];
}

const live = sql.raw("o.workflow_state = 'active' and o.due_at_overridden");
/** The assignment's own date applies to no one once every section has an override. */
const replaced =
  sql.raw(`(exists (select 1 from assignment_overrides o where o.assignment_id = assignments.id and o.workflow_state = 'active')
  and not exists (select 1 from sections s where s.course_id = assignments.course_id and s.workflow_state = 'active' and not exists (
    select 1 from assignment_overrides o where o.assignment_id = assignments.id and o.set_type = 'CourseSection' and o.set_id = s.id and o.workflow_state = 'active' and o.due_at_overridden)))`);

/** Users whose dates count in the course of the current row of `assignments`, as a select. */
const datesOf = (user_id: number, call: Call): SQL =>
  user_id === call.me.id ? viewingUser({ ...call, course: undefined, user: undefined }) : sql`select ${shared('user', user_id)}`;

/** The slots in a time range, in date order, as a select. */
function slots(filter: SlotFilter, call: Call): SQL {
  const { courses, user_id, within: inside, limit, offset = 0, after } = filter;
  const staffed = sql`select place.id from place where place.id in (select course_id from enrollments where user_id = ${shared('user', call.me.id)} and ${isActiveOrPastStaff()})
    or ${asAdmin(sql.raw('place.id'), call)}`;
  const isStaff = sql.raw('assignments.course_id in (select id from staffed)');
  const where = filter.only === undefined ? filter.where : eq(assignments.id, filter.only);
  const extra = where ? sql` and ${where}` : sql``;
  const isOwn = user_id === call.me.id;
  const whose = datesOf(user_id, call);
  const anywhere = isOwn
    ? sql`select ${shared('user', user_id)} union all select observed_user_id from enrollments where user_id = ${shared('user', user_id)} and observed_user_id <> 0`
    : whose;
  const observed = sql` union all select observed_user_id, course_id from enrollments where user_id = ${shared('user', user_id)} and type = 'ObserverEnrollment' and observed_user_id <> 0 and enrollment_state in ('active', 'completed')`;
  const viewers = sql`select ${shared('user', user_id)}, id from place${isOwn ? observed : sql``}`;
  const isTheirs = sql`assignments.workflow_state = 'published' and assignments.id not in (select id from closed)`;
  const places = sql`select id from place`;
  const closed = closedIn(
    sql`exists (select 1 from viewer where viewer.course_id = assignments.course_id and ${assignedTo(sql.raw('viewer.user_id'))})`,
    places,
    sql`(${inside(storedDue)} or assignments.id in (select id from moved)) and assignments.workflow_state = 'published'${extra}`,
  );
  // With their own date in the range.
  const walked = firstDue({
    courses: places,
    chosen: sql`${inside(storedDue)}${extra}`,
    deep: sql`case when ${isStaff} then not ${replaced} else assignments.id not in (select id from moved) and ${isTheirs} end`,
    after: after?.[0],
    most: offset + limit,
  });
  const candidates = sql`${walked}
    union select o.assignment_id from assignment_overrides o where o.course_id in (${places}) and ${live} and ${inside(sql.raw("coalesce(o.due_at, '')"))}
    union select id from moved`;
  const decided = decidedDue(reachingAny(sql.raw('= assignments.id'), whose), call.now);
  const beyond = after ? sql` and (at, assignment_id, override_id) > (${after[0]}, ${after[1]}, ${after[2]})` : sql``;
  return sql`with place(id) as materialized (${courses}), staffed(id) as materialized (${staffed}), viewer(user_id, course_id) as materialized (${viewers}), moved(id) as materialized (${movedForAny(places, anywhere)}), closed(id) as materialized (${closed}), candidate(id) as materialized (${candidates})
    select * from (
      select own.id as assignment_id, 0 as override_id, coalesce(own.decided ->> 0, own.due_at, '') as at, own.decided ->> 1 as moved_by
        from (select assignments.id, assignments.due_at, iif(${isStaff}, null, ${decided}) as decided
          from candidate cross join assignments on assignments.id = candidate.id${extra}
          where case when ${isStaff} then assignments.workflow_state <> 'deleted' and not ${replaced} else ${isTheirs} end limit -1) own
      union all select assignments.id, min(o.id), coalesce(o.due_at, ''), null from candidate cross join assignment_overrides o on o.assignment_id = candidate.id join assignments on assignments.id = o.assignment_id
        where ${live} and o.due_at is not assignments.due_at and assignments.workflow_state <> 'deleted'${extra} and ${isStaff}
        group by o.assignment_id, o.due_at
    ) where ${inside(sql.raw('at'))}${beyond} order by at, assignment_id, override_id limit ${atMost(limit)} offset ${offset}`;
}

export type AssignmentEvent = Json<typeof CalendarEvent>;

/** Plans the read of the slots and their serialisation as events. */
export function planAssignmentEvents(filter: SlotFilter, call: Call) {
  const chosen = slots(filter, call);
  const read = withColumns(
    call.db.build.all<Slot>(sql`select slot.assignment_id, slot.override_id, case when slot.at <> ${storedDue} then slot.moved_by end as moved_by, slot.at, ${courseNameIn('c', call)} as context_name, c.time_zone
    from (${chosen}) slot join assignments on assignments.id = slot.assignment_id join courses c on c.id = assignments.course_id
    order by slot.at, slot.assignment_id, slot.override_id`),
    ['assignment_id', 'override_id', 'moved_by', 'at', 'context_name', 'time_zone'],
  );
  const eventsWith = (beside: Plan<ComputedRow>) => ({
    statements: [read, ...beside.statements] as Statement[],
    tell(results: readonly unknown[]): { slot: Slot; json: AssignmentEvent }[] {
      const [found, ...others] = results;
      const result = new Map(beside.tell(others).map((one) => [one.row.id, one]));
      return (found as Slot[]).flatMap((slot) => {
        const one = result.get(slot.assignment_id);
        return one ? [{ slot, json: eventOf(slot, one.row, one.json, call) }] : [];
      });
    },
  });
  // A known assignment does not depend on the slots, and one statement for both would only be larger.
  if (filter.only !== undefined)
    return eventsWith(planListing(assignment, rows(assignments, { where: eq(assignments.id, filter.only), once: true }), call));
  return together(call.db, (all) => {
    const ids = sql`select assignment_id from ${all?.source(read) ?? sql`(${chosen})`}`;
    return eventsWith(planListing(assignment, rows(assignments, { where: isInSelect(assignments.id, ids) }), call, undefined, all));
  });
}

function eventOf(slot: Slot, row: ComputedRow, json: Record<string, unknown>, call: Call): AssignmentEvent {
  const start_at = slot.at || null;
  const isExcluded = [call.tree.excludes].flat().includes('assignment');
  const override_id = slot.override_id || slot.moved_by;
  return {
    id: `assignment_${row.id}`,
    type: 'assignment',
    title: row.name,
    start_at,
    end_at: start_at,
    ...allDay(start_at, slot.time_zone),
    ...([call.tree.excludes].flat().includes('description') ? {} : { description: (json.description as string | null) ?? null }),
    workflow_state: row.workflow_state,
    submission_types: row.submission_types,
    context_code: `course_${row.course_id}`,
    context_name: slot.context_name,
    context_color: colorOf(`course_${row.course_id}`, call),
    important_dates: row.important_dates,
    created_at: row.created_at,
    updated_at: row.updated_at,
    url: `${call.origin}/api/v1/calendar_events/assignment_${row.id}`,
    html_url: `${call.origin}/courses/${row.course_id}/assignments/${row.id}`,
    ...(isExcluded ? {} : { assignment: { ...json, due_at: start_at } as AssignmentEvent['assignment'] }),
    ...(override_id && { assignment_overrides: [{ id: override_id, assignment_id: row.id, due_at: start_at }] }),
  };
}
