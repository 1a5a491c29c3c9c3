// The coming week: events of the caller's calendars and due assignments, in date order.

import { sql } from 'drizzle-orm';
import { shared } from '../../database/shared';
import type { Call } from '../../http/call';
import { planListing } from '../../http/serializer';
import { planAssignmentEvents } from '../calendar_events/assignment_events';
import { calendarEvent } from '../calendar_events/json';
import { eventListing } from '../calendar_events/listing';
import { calendarCodes } from '../calendar_events/readable_contexts';
import { ownCourseIds } from '../courses/own_courses';

const most = 20;
const week = 7 * 86_400_000;

interface Upcoming {
  readonly start_at: string;
  readonly title: string;
}

export async function upcoming(call: Call): Promise<object[]> {
  const { me, now, db } = call;
  const end = `${new Date(Date.parse(now) + week).toISOString().slice(0, 19)}Z`;
  const courses = ownCourseIds(me.id, { enrollment_state: 'active' }, now);
  const codes = sql`${calendarCodes([`user_${me.id}`], courses, me.id, call)} union select 'group_' || m.group_id
    from group_memberships m join groups g on g.id = m.group_id where m.user_id = ${shared('user', me.id)} and m.workflow_state = 'accepted' and g.workflow_state = 'available'`;
  const page = { per_page: most };
  // Course events with section events are shown as those.
  const listing = eventListing(
    codes,
    (event) =>
      sql`${event}.start_at between ${shared('time', now)} and ${end} and not exists (select 1 from calendar_events part where part.parent_event_id = ${event}.id and part.workflow_state <> 'deleted')`,
    { page },
  );
  const events = planListing(calendarEvent, listing, call, { limit: most });
  const due = planAssignmentEvents(
    {
      courses,
      user_id: me.id,
      within: (at) => sql`${at} between ${shared('time', now)} and ${end}`,
      where: sql`assignments.workflow_state = 'published'`,
      limit: most,
    },
    call,
  );
  const results = await db.perform([...events.statements, ...due.statements]);
  const result = [
    ...events.tell(results.slice(0, events.statements.length)).map(({ json }) => json),
    ...due.tell(results.slice(events.statements.length)).map(({ json }) => json),
  ] as Upcoming[];
  return result.sort((a, b) => a.start_at.localeCompare(b.start_at) || a.title.localeCompare(b.title)).slice(0, most);
}
