// The planner: every endpoint, in the order of the API reference.

import { dateOn, startOfDay } from '@carrel/shared/wire/clock';
import { choice, idField, listOf, optional, referenceTo, text } from '@carrel/shared/wire/fields';
import { sql } from 'drizzle-orm';
import type { Statement } from '../../database/open';
import type { Call } from '../../http/call';
import { get } from '../../http/endpoint';
import { unauthenticated, unauthorized } from '../../http/problem';
import { pageOfRows, type Reply } from '../../http/reply';
import { coursesByCode, refuseUnreadable, unreadable } from '../calendar_events/readable_contexts';
import { givenTimes, userZoneOf } from '../calendar_events/window';
import { type ItemFilter, itemFilters } from './filters';
import { itemRows } from './items';
import { bookmarkOf, itemJson, plannerItem } from './items_json';
import { badPlannerDate, plannerNoteRoutes } from './note_routes';
import { plannerOverrideRoutes } from './override_routes';
import { observes, plannerScopeOf } from './reach';

export const about = { title: 'Planner', description: 'Planner items, notes and overrides of a user.' };

const include = ['concluded', 'account_calendars', 'all_courses'] as const;
const params = {
  start_date: optional(text),
  end_date: optional(text),
  context_codes: optional(listOf(referenceTo('context'))),
  observed_user_id: optional(idField('user')),
  filter: choice(...itemFilters),
  order: choice('asc', 'desc'),
};

interface Given {
  readonly start_date?: string;
  readonly end_date?: string;
  readonly context_codes?: readonly string[];
  readonly filter?: ItemFilter;
  readonly order?: 'asc' | 'desc';
}

const day = 86_400_000;
const away = (now: string, days: number) => new Date(Date.parse(now) + days * day).toISOString();

/** Two weeks back and two ahead; with one bound given, the other is ten years away. */
function stretchOf(given: Given, call: Pick<Call, 'me' | 'institution' | 'now'>) {
  const zone = userZoneOf(call);
  const { start, end } = givenTimes(given, zone, badPlannerDate);
  const midnight = (days: number) => startOfDay(dateOn(away(call.now, days), zone), zone);
  const far = start === undefined && end === undefined ? 14 : 3653;
  return { start: start ?? midnight(-far), end: end ?? midnight(far) };
}

/** Only ungraded to-do items of named courses may be requested anonymously. @throws Problem 401 otherwise */
function refuseNameless({ filter, context_codes }: Given, { me }: Pick<Call, 'me'>): void {
  if (!me.isKnown && !(filter === 'all_ungraded_todo_items' && context_codes?.length)) throw unauthenticated();
}

/** The codes whose courses have a public syllabus, for ungraded to-do items. */
const openCodes = (codes: readonly string[], { filter }: Given, { db, me }: Call) =>
  db.build.all<{ code: string }>(
    sql`select 'course_' || id as code from courses where ${filter === 'all_ungraded_todo_items' ? 1 : 0} and id in (${coursesByCode(codes)})
      and workflow_state = 'available' and (public_syllabus${sql.raw(me.isKnown ? ' or public_syllabus_to_auth' : '')})`,
  );

async function plan(subject: number, given: Given, call: Call, mayLook: Statement | undefined): Promise<Reply> {
  const asked = {
    reach: plannerScopeOf({ subject, context_codes: given.context_codes, include: call.include }, call),
    stretch: stretchOf(given, call),
    filter: given.filter,
    isDescending: given.order === 'desc',
  };
  const codes = given.context_codes ?? [];
  const [found, closed, open, looking] = await call.db.perform([
    itemRows(asked, call),
    unreadable(
      codes.filter((code) => code !== `user_${subject}`),
      call,
    ),
    openCodes(codes, given, call),
    mayLook ?? call.db.build.all(sql`select 1`),
  ]);
  if ((looking as unknown[]).length === 0) throw unauthorized();
  refuseUnreadable(call)(closed.filter(({ code }) => !open.some((one) => one.code === code)));
  const { per_page } = call.page;
  const last = found[per_page - 1];
  return pageOfRows(
    found.slice(0, per_page).map((row) => itemJson(row, subject, call)),
    found.length > per_page && last ? bookmarkOf(last) : null,
  );
}

export const plannerRoutes = [
  get(
    '/planner/items',
    { can: 'anyone', include, params, returns: [plannerItem], bookmarked: true, tagged: true, summary: 'List planner items' },
    (narrow) => {
      const call = narrow;
      refuseNameless(narrow.params, call);
      const observed = narrow.params.observed_user_id;
      const isOther = observed !== undefined && observed !== call.me.id;
      return plan(isOther ? observed : call.me.id, narrow.params, call, isOther ? observes(call, observed) : undefined);
    },
  ),

  get(
    '/users/:user_id/planner/items',
    {
      // Callers who observe the user in some courses see only items of those courses.
      can: ['self', 'course_observer', 'manage_user_logins'],
      include,
      params,
      returns: [plannerItem],
      bookmarked: true,
      tagged: true,
      summary: 'List planner items of a student',
    },
    (narrow) => plan(narrow.user.id, narrow.params, narrow, undefined),
  ),

  ...plannerNoteRoutes,
  ...plannerOverrideRoutes,
];
