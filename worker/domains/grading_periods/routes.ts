// Grading periods of courses and accounts: every endpoint, in the order of the API reference.

import { idField, listOf, maybe, number, object, optional, text, time } from '@carrel/shared/wire/fields';
import { and, eq, sql } from 'drizzle-orm';
import type { CourseContext, PeriodRow } from '../../contexts/course';
import { readId } from '../../contexts/references';
import type { Call } from '../../http/call';
import { del, get, patch, put } from '../../http/endpoint';
import { ascending, type Listing, rows } from '../../http/listing';
import { found, invalid } from '../../http/problem';
import { all, answer, listWithin, type Reply, write } from '../../http/reply';
import { draftOf, errorsOfPeriods, type PeriodDraft, type PeriodGiven } from './change_rules';
import { gradingPeriod } from './json';
import { managesPeriods, managesTerms, periodsOfAccount, periodsOfSet } from './policy';
import { grading_period_sets, grading_periods } from './table';
import { claimSet, contests, createSetOfCourse, deletePeriod, type PeriodSet, refuseErrors, savePeriods } from './writes';

export const about = { title: 'Grading periods', description: 'Parts of a term or course, each with totals of its own.' };

const returns = { wrapped: 'grading_periods', of: gradingPeriod } as const;
const byStart = ascending(grading_periods.start_date, grading_periods.id);
/** More than any year has; limits the statements of a batch. */
const mostPeriods = 60;

const periodFields = {
  id: optional(idField('grading_period')),
  title: optional(text),
  start_date: optional(maybe(time)),
  end_date: optional(maybe(time)),
  close_date: optional(maybe(time)),
  weight: optional(maybe(number)),
};
const params = { grading_periods: optional(listOf(object(periodFields))) };
const batchParams = { ...params, set_id: optional(idField('grading_period_set')) };

/** A page with what Canvas returns beside it. */
function listed(listing: Listing, { page }: Pick<Call, 'page'>, manages: boolean): Reply {
  return listWithin(listing, (periods) => ({
    grading_periods: periods,
    grading_periods_read_only: !manages,
    can_create_grading_periods: manages,
    can_toggle_grading_periods: manages,
    meta: { pagination: { per_page: page.per_page }, primaryCollection: 'grading_periods' },
  }));
}

/** @throws Problem 404 */
const periodIn = ({ grading: { periods } }: CourseContext, id: number): PeriodRow => found(periods.find((one) => one.id === id));

const onlyPeriod = (set: number, id: number) => rows(grading_periods, { where: and(periodsOfSet(set), eq(grading_periods.id, id)) });

/**
 * The drafts of the periods that change.
 * @throws Problem 404 for a period that is not in the set, 422 for periods that are not valid together
 */
function changesTo(periods: readonly PeriodRow[], given: readonly PeriodGiven[], isOfCourse: boolean): PeriodDraft[] {
  if (given.length > mostPeriods) refuseErrors([`At most ${mostPeriods} grading periods can be saved at once`]);
  const ids = given.flatMap(({ id }) => id ?? []);
  if (new Set(ids).size < ids.length) refuseErrors(['A grading period is listed twice']);
  const changed = given.map((one) =>
    draftOf(one, one.id === undefined ? undefined : found(periods.find(({ id }) => id === one.id)), isOfCourse),
  );
  refuseErrors(errorsOfPeriods([...periods.filter(({ id }) => !ids.includes(id)), ...changed]));
  return changed;
}

/** Saves periods of a set in one batch, and returns all of them. */
function saveIn(call: Pick<Call, 'db' | 'now'>, set: PeriodSet, periods: readonly PeriodRow[], given: readonly PeriodGiven[]): Reply {
  const drafts = changesTo(periods, given, set.course_id !== null);
  return write(
    [claimSet(call, set), ...savePeriods(call, sql`${set.id}`, set, drafts)],
    all(rows(grading_periods, { where: periodsOfSet(set.id), order: byStart })),
    contests,
  );
}

/** A course whose term has no set gets a set of its own with its first periods. */
function saveFirst(call: Pick<Call, 'db' | 'now'>, course: CourseContext, given: readonly PeriodGiven[]): Reply {
  const drafts = changesTo([], given, true);
  const set = sql`(select id from grading_period_sets where course_id = ${course.id} and workflow_state = 'active')`;
  const owner = { account_id: course.root_account_id, course_id: course.id };
  return write(
    [createSetOfCourse(call, course), ...savePeriods(call, set, owner, drafts)],
    all(
      rows(grading_periods, {
        where: and(eq(grading_periods.grading_period_group_id, set), eq(grading_periods.workflow_state, 'active')),
        order: byStart,
      }),
    ),
    contests,
  );
}

const courseBase = '/courses/:course_id/grading_periods';
const accountBase = '/accounts/:account_id/grading_periods';

export const gradingPeriodRoutes = [
  get(courseBase, { can: 'read', returns, summary: 'List the grading periods of a course' }, (call) =>
    listed(rows(grading_periods, { where: periodsOfSet(call.course.grading.set?.id ?? 0), order: byStart }), call, managesPeriods(call)),
  ),

  get(accountBase, { can: 'manager', returns, summary: 'List the grading periods of an account' }, (call) =>
    listed(rows(grading_periods, { where: periodsOfAccount(call.account), order: byStart }), call, managesTerms(call)),
  ),

  get(`${courseBase}/:id`, { can: 'read', returns, summary: 'Get a grading period' }, ({ course, id }) => {
    const { grading_period_group_id } = periodIn(course, id);
    return all(onlyPeriod(grading_period_group_id, id));
  }),

  put(`${courseBase}/:id`, { can: (call) => managesPeriods(call), params, returns, summary: 'Update a grading period' }, (call) => {
    const { course, id, params: given } = call;
    const { set, periods } = course.grading;
    const before = periodIn(course, id);
    const own = found(set);
    const [first = {}] = given.grading_periods ?? [];
    const draft = draftOf(first, before, own.course_id !== null);
    const [message] = errorsOfPeriods([...periods.filter((one) => one.id !== id), draft]);
    if (message) throw invalid('base', 'invalid', message, 422);
    return write([claimSet(call, own), ...savePeriods(call, sql`${own.id}`, own, [draft])], all(onlyPeriod(own.id, id)), contests);
  }),

  del(
    `${courseBase}/:id`,
    {
      can: (call) => managesPeriods(call),
      returns: { json: null },
      status: 204,
      summary: 'Delete a grading period of a course',
    },
    (call) => {
      periodIn(call.course, call.id);
      return write([deletePeriod(call, call.id)], answer(null));
    },
  ),

  del(
    `${accountBase}/:id`,
    { can: 'manage_account_settings', returns: { json: null }, summary: 'Delete a grading period' },
    async (call) => {
      const { db, account, id } = call;
      const [[there]] = await db.perform([
        db.build
          .select({ id: grading_periods.id })
          .from(grading_periods)
          .where(and(periodsOfAccount(account), eq(grading_periods.id, id))),
      ]);
      found(there);
      // Clients read the result from this body, although Canvas returns 204.
      return write([deletePeriod(call, id)], answer({ delete: true }));
    },
  ),

  patch(
    `${courseBase}/batch_update`,
    {
      can: (call) => managesPeriods(call),
      params: batchParams,
      returns,
      summary: 'Save the grading periods of a course',
    },
    (call) => {
      const { course, params: given } = call;
      const { set, periods } = course.grading;
      if (given.set_id !== undefined && given.set_id !== set?.id) refuseErrors(['set_id is not the set of the course']);
      return set ? saveIn(call, set, periods, given.grading_periods ?? []) : saveFirst(call, course, given.grading_periods ?? []);
    },
  ),

  patch(
    '/grading_period_sets/:set_id/grading_periods/batch_update',
    { can: (call) => managesTerms(call), params, returns, summary: 'Save the grading periods of a set' },
    async (call) => {
      const { db, path, params: given } = call;
      const id = found(readId(path.set_id));
      const [[set], periods] = await db.perform([
        db.build
          .select()
          .from(grading_period_sets)
          .where(and(eq(grading_period_sets.id, id), eq(grading_period_sets.workflow_state, 'active'))),
        db.build.select().from(grading_periods).where(periodsOfSet(id)),
      ]);
      return saveIn(call, found(set), periods, given.grading_periods ?? []);
    },
  ),
];
