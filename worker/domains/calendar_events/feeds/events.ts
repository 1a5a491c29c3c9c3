// The contents of a calendar feed: visible events and assignment due dates, from three months back to a year ahead.

import type { FeedEvent } from '@carrel/shared/wire/icalendar';
import { sql } from 'drizzle-orm';
import type { NamedFeed } from '../../../crypto/feed_address';
import { shared } from '../../../database/shared';
import { htmlToText } from '../../../html/plain';
import type { Call } from '../../../http/call';
import { planListing } from '../../../http/serializer';
import { ownCourseIds } from '../../courses/own_courses';
import { planAssignmentEvents } from '../assignment_events';
import { calendarEvent } from '../json';
import { eventListing } from '../listing';
import { calendarCodes, visibleCalendars } from '../readable_contexts';

/** Maximum of events and of assignments each; the earliest first. */
const most = 1000;
const day = 86_400_000;

/**
 * What a user's feed contains besides their own events and courses: groups, observed students, and accounts whose calendars are shown
 * automatically.
 */
const besideOwn = ({ me }: Call) => sql`
  select 'group_' || m.group_id as code from group_memberships m join groups g on g.id = m.group_id where m.user_id = ${shared('user', me.id)} and m.workflow_state = 'accepted' and g.workflow_state = 'available'
  union select 'user_' || student_id from observers where observer_id = ${shared('user', me.id)}
  union select 'account_' || id from accounts where calendar_auto_subscribe and id in (${visibleCalendars(me.id)})`;

/** The codes of a calendar, a select of its courses, and a select of further codes. */
function placesOf({ kind, id }: Pick<NamedFeed, 'kind' | 'id'>, call: Call) {
  if (kind === 'user')
    return { codes: [`user_${id}`], courses: ownCourseIds(id, { enrollment_state: 'active' }, call.now), beside: besideOwn(call) };
  if (kind === 'course') return { codes: [], courses: sql`select ${id}`, beside: sql`select '' as code where 0` };
  return { codes: [`group_${id}`], courses: sql`select 0 where 0`, beside: sql`select '' as code where 0` };
}

type Json = Readonly<Record<string, string | null>>;

/**
 * One event of a feed. Canvas clients find the course by the brackets in the title and by `include_contexts`, and the assignment or event by the URL
 * fragment.
 */
function feedEvent(json: Json, name: string, { me, origin, now }: Call, courseCodes: ReadonlyMap<string, string | null>): FeedEvent {
  const start_at = json.start_at ?? '';
  // Appointments may name several courses.
  const context = (json.effective_context_code || json.context_code || '').split(',', 1)[0] ?? '';
  const fragment = json.type === 'assignment' ? json.id : `calendar_event_${json.id}`;
  return {
    uid: `event-${name}`,
    title: json.context_code === `user_${me.id}` ? (json.title ?? '') : `${json.title} [${courseCodes.get(context) ?? json.context_name}]`,
    start_at,
    end_at: json.end_at ?? null,
    all_day_date: json.type === 'event' ? (json.all_day_date ?? null) : null,
    description: json.description ? htmlToText(json.description) : null,
    location: [json.location_name, json.location_address].filter(Boolean).join(', ') || null,
    url: `${origin}/calendar?include_contexts=${context}&month=${start_at.slice(5, 7)}&year=${start_at.slice(0, 4)}#${fragment}`,
    updated_at: json.updated_at ?? now,
  };
}

/** Every event of a calendar, read as its user. */
export async function feedEvents(feed: Pick<NamedFeed, 'kind' | 'id'>, asking: Call): Promise<FeedEvent[]> {
  const call: Call = {
    ...asking,
    course: undefined,
    group: undefined,
    user: undefined,
    include: new Set(),
    tree: { excludes: ['assignment', 'child_events'] },
    page: { per_page: most },
  };
  const { now } = call;
  const at = (days: number) => `${new Date(Date.parse(now) + days * day).toISOString().slice(0, 19)}Z`;
  const [from, to] = [at(-92), at(366)];
  const { codes, courses, beside } = placesOf(feed, call);
  // An event with section events is shown as those.
  const listing = eventListing(
    // D1 allows five terms in a compound select.
    sql`select code from (${calendarCodes(codes, courses, call.me.id, call)}) union select code from (${beside})`,
    (event) =>
      sql`${event}.start_at between ${from} and ${to} and not exists (select 1 from calendar_events part where part.parent_event_id = ${event}.id and part.workflow_state <> 'deleted')`,
    call,
  );
  const dated = planListing(calendarEvent, listing, call, { limit: most });
  const due = planAssignmentEvents(
    {
      courses,
      user_id: call.me.id,
      within: (moment) => sql`${moment} between ${from} and ${to}`,
      where: sql`assignments.workflow_state = 'published'`,
      limit: most,
    },
    call,
  );
  const courseCodes = call.db.build.all<{ code: string; course_code: string | null }>(
    sql`select 'course_' || courses.id as code, courses.course_code from courses where courses.id in (${courses})`,
  );
  const [codesFound, ...results] = await call.db.perform([courseCodes, ...dated.statements, ...due.statements]);
  const codeOf = new Map(codesFound.map((one) => [one.code, one.course_code]));
  const eventsFound = dated.tell(results.slice(0, dated.statements.length)) as { json: Json }[];
  const assignmentsFound = due.tell(results.slice(dated.statements.length));
  return [
    ...eventsFound.map(({ json }) => feedEvent(json, `calendar-event-${json.id}`, call, codeOf)),
    ...assignmentsFound.map(({ slot, json }) => {
      const override_id = slot.override_id || slot.moved_by;
      const name = override_id ? `assignment-override-${override_id}` : `assignment-${slot.assignment_id}`;
      return feedEvent(json as unknown as Json, name, call, codeOf);
    }),
  ];
}
