// A calendar as it is asked for: which contexts, which stretch of time, events or assignments.

import { bool, list as listOf, oneOf, optional, text } from '@carrel/shared/wire/fields';
import { and, type SQL, sql } from 'drizzle-orm';
import type { Call } from '../../http/call';
import { startAfter } from '../../http/page';
import { judged, list, page, type Reply } from '../../http/reply';
import { submissionTypes } from '../assignments/kinds';
import { reservationIds, slotCodes } from './appointed';
import { planAssignmentEvents } from './assignment_events';
import { eventsOf } from './listing';
import { calendarCodes, coursesNamed, idsIn, refuseUnreadable, unreadable } from './readable';
import { windowOf, within, zoneOf } from './window';

export const filters = {
  type: optional(oneOf('event', 'assignment')),
  start_date: optional(text),
  end_date: optional(text),
  undated: optional(bool),
  all_events: optional(bool),
  context_codes: optional(listOf(text)),
  excludes: optional(listOf(text)),
  important_dates: optional(bool),
  blackout_date: optional(bool),
  submission_types: optional(listOf(text)),
  exclude_submission_types: optional(listOf(text)),
};

export interface Filters {
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

/** The calendar of a person, whoever looks. */
export async function calendarOf(user_id: number, params: Filters, call: Call): Promise<Reply> {
  const codes = (params.context_codes?.length ? params.context_codes : [`user_${user_id}`]).slice(0, mostContexts);
  const asked = windowOf(params, zoneOf(call), call.now);
  // A page begins no earlier than its bookmark: the index is entered there.
  const from = startAfter(call.page, params.type === 'assignment' ? 3 : 2)?.[0];
  const window = typeof from === 'string' && from > asked.start ? { ...asked, start: from } : asked;
  const courses = coursesNamed(codes);
  if (params.type !== 'assignment') {
    const chosen = (event: SQL) =>
      sql.join(
        [
          within(sql`coalesce(${event}.start_at, '')`, params, window),
          ...(params.important_dates ? [sql`${event}.important_dates`] : []),
          ...(params.blackout_date ? [sql`${event}.blackout_date`] : []),
        ],
        sql` and `,
      );
    return judged(
      unreadable(codes, call),
      refuseUnreadable(call),
      list(
        idsIn(codes, 'course').length === 0
          ? eventsOf(calendarCodes(codes, courses, user_id, call), chosen, call)
          : eventsOf(
              // D1 takes five terms to a union, so that each stands by itself.
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
      within: (at) => within(at, params, window),
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
  const [closed, ...results] = await call.db.perform([unreadable(codes, call), ...plan.statements]);
  refuseUnreadable(call)(closed as unknown[]);
  const told = plan.tell(results);
  const last = told[per_page - 1]?.slot;
  return page(
    told.slice(0, per_page).map(({ json }) => json),
    told.length > per_page && last ? [last.at, last.assignment_id, last.override_id] : null,
  );
}
