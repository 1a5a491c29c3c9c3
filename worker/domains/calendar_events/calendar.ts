// Calendar requests: which contexts, which time range, events or assignments.

import { bool, choice, listOf, optional, referenceTo, text } from '@carrel/shared/wire/fields';
import { and, type SQL, sql } from 'drizzle-orm';
import { shared } from '../../database/shared';
import type { Call } from '../../http/call';
import { startAfter } from '../../http/page';
import { judged, list, pageOfRows, type Reply } from '../../http/reply';
import { submissionTypes } from '../../rules/submission_types';
import { reservationIds, slotCodes } from './appointment_groups/in_calendar';
import { planAssignmentEvents } from './assignment_events';
import { eventListing } from './listing';
import { calendarCodes, coursesByCode, idsIn, refuseUnreadable, unreadable } from './readable_contexts';
import { calendarWindowOf, isInWindow, userZoneOf } from './window';

export const filters = {
  type: choice('event', 'assignment'),
  start_date: optional(text),
  end_date: optional(text),
  undated: optional(bool),
  all_events: optional(bool),
  context_codes: optional(listOf(referenceTo('context'))),
  excludes: optional(listOf(text)),
  important_dates: optional(bool),
  blackout_date: optional(bool),
  submission_types: optional(listOf(text)),
  exclude_submission_types: optional(listOf(text)),
};

interface Filters {
  readonly type?: 'event' | 'assignment';
  readonly start_date?: string;
  readonly end_date?: string;
  readonly undated?: boolean;
  readonly all_events?: boolean;
  readonly context_codes?: readonly string[];
  readonly important_dates?: boolean;
  readonly blackout_date?: boolean;
  readonly submission_types?: readonly string[];
  readonly exclude_submission_types?: readonly string[];
}

const mostContexts = 10;

/** The contexts of a calendar. A caller who observes the user in some courses sees only those courses. */
function placesOf(user_id: number, asked: readonly string[], { me, user }: Pick<Call, 'me' | 'user'>) {
  const courses = coursesByCode(asked);
  if (!user || user.isMe || user.isObservedByMe || user.isAdmin) return { codes: asked, courses };
  return {
    codes: [],
    courses: sql`select enrollments.course_id from enrollments where enrollments.user_id = ${shared('user', me.id)} and enrollments.observed_user_id = ${user_id}
      and enrollments.enrollment_state in ('active', 'completed') and enrollments.course_id in (${courses})`,
  };
}

/** A user's calendar, limited to what the caller may see. */
export async function calendarOf(user_id: number, params: Filters, call: Call): Promise<Reply> {
  const named = (params.context_codes?.length ? params.context_codes : [`user_${user_id}`]).slice(0, mostContexts);
  const { codes, courses } = placesOf(user_id, named, call);
  // Access to the user's own calendar follows from access to the user.
  const closedOf = unreadable(
    named.filter((code) => !call.user || code !== `user_${user_id}`),
    call,
  );
  const asked = calendarWindowOf(params, userZoneOf(call), call.now);
  // A page starts at its bookmark, so the index is entered there.
  const from = startAfter(call.page, params.type === 'assignment' ? 3 : 2)?.[0];
  const window = typeof from === 'string' && from > asked.start ? { ...asked, start: from } : asked;
  if (params.type !== 'assignment') {
    const chosen = (event: SQL) =>
      sql.join(
        [
          isInWindow(sql`coalesce(${event}.start_at, '')`, params, window),
          ...(params.important_dates ? [sql`${event}.important_dates`] : []),
          ...(params.blackout_date ? [sql`${event}.blackout_date`] : []),
        ],
        sql` and `,
      );
    return judged(
      closedOf,
      refuseUnreadable(call),
      list(
        idsIn(named, 'course').length === 0
          ? eventListing(calendarCodes(codes, courses, user_id, call), chosen, call)
          : eventListing(
              // D1 allows five terms in a compound select, so each part is a subselect.
              sql`select code from (${calendarCodes(codes, courses, user_id, call)}) union ${slotCodes(courses, params.all_events || params.undated ? '' : window.start, call)}`,
              chosen,
              call,
              reservationIds(courses, user_id, codes),
            ),
      ),
    );
  }
  const { per_page, number } = call.page;
  const after = startAfter(call.page, 3);
  const types = (given: readonly string[]) =>
    sql`exists (select 1 from json_each(assignments.submission_types) t where t.value in (select value from json_each(${JSON.stringify(given)})))`;
  const known = (given?: readonly string[]) => given?.filter((one) => (submissionTypes as readonly string[]).includes(one));
  const plan = planAssignmentEvents(
    {
      courses,
      user_id,
      within: (at) => isInWindow(at, params, window),
      where: and(
        params.important_dates ? sql`assignments.important_dates` : undefined,
        known(params.submission_types)?.length ? types(params.submission_types ?? []) : undefined,
        known(params.exclude_submission_types)?.length ? sql`not ${types(params.exclude_submission_types ?? [])}` : undefined,
      ),
      limit: per_page + 1,
      offset: number === undefined ? 0 : (number - 1) * per_page,
      after,
    },
    call,
  );
  const [closed, ...results] = await call.db.perform([closedOf, ...plan.statements]);
  refuseUnreadable(call)(closed as unknown[]);
  const result = plan.tell(results);
  const last = result[per_page - 1]?.slot;
  return pageOfRows(
    result.slice(0, per_page).map(({ json }) => json),
    result.length > per_page && last ? [last.at, last.assignment_id, last.override_id] : null,
  );
}
