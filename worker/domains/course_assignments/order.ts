// Sort orders and buckets of assignment lists (reference 03 §1.1), on the dates that apply to the viewer.

import { and, type SQL, sql } from 'drizzle-orm';
import { shared } from '../../database/shared';
import type { Call } from '../../http/call';
import { ascending, firstPageSql, type Listing } from '../../http/listing';
import { scanWindow } from '../../http/scan_window';
import { effectiveDate } from '../../rules/assigned';
import { expectsWorkSql } from '../../rules/new_quizzes';
import { assignment_groups } from '../assignment_groups/table';
import { awaitingGrades } from '../assignments/computed_columns';
import { movedForAny } from '../assignments/due_walk';
import { assignments } from '../assignments/table';
import { overridesSeen, seesAsStaff, viewingUser } from '../assignments/viewpoint';
import { awaitsGrade } from '../submissions/table';
import {
  alongPlaces,
  amongFew,
  type DueState,
  dueBetween,
  everyPlace,
  fallenDue,
  type PositionContext,
  placeOrder,
  untouchedPlaces,
} from './position_walk';

export const orders = ['position', 'name', 'due_at'] as const;
export const buckets = ['past', 'overdue', 'undated', 'ungraded', 'unsubmitted', 'upcoming', 'future'] as const;
export type Bucket = (typeof buckets)[number];

const due = (call: Call): SQL => effectiveDate('due_at', overridesSeen(call), call.now);
const never = '9999';

const byPosition = ascending(assignment_groups.position, assignment_groups.id, assignments.position, assignments.id);
const beyondPosition = ([groupPosition, groupId, position, id]: readonly unknown[]): SQL =>
  sql`(assignment_groups.position, assignment_groups.id) >= (${groupPosition}, ${groupId}) and (assignments.position, assignments.id) >
    (case when assignment_groups.id = ${groupId} then ${position} else -1 end, case when assignment_groups.id = ${groupId} then ${id} else 0 end)`;

/** Reads a list in its sort order; by position it walks the groups, and each group in its own order. */
export function assignmentOrder(by: Exclude<(typeof orders)[number], 'due_at'>): Pick<Listing, 'order' | 'from' | 'join' | 'after'> {
  const { id, sort_name, position } = assignments;
  if (by === 'name') return { order: ascending(sort_name, position, id) };
  const group = assignment_groups;
  return {
    from: group,
    join: (select) => select.crossJoin(assignments),
    order: byPosition,
    after: beyondPosition,
  };
}

const inCourse = (course_id: number, groupId?: number): SQL =>
  sql`assignment_groups.course_id = ${course_id} and assignment_groups.workflow_state = 'available'${groupId === undefined ? sql`` : sql` and assignment_groups.id = ${groupId}`}`;

/** For the order by position: the groups to walk. */
export const inGroups = (course_id: number, groupId?: number): SQL =>
  sql`assignments.assignment_group_id = assignment_groups.id and ${inCourse(course_id, groupId)}`;

/** A select of the assignments whose dates overrides may move for the viewer. */
const movedFrom = (course_id: number, isStaff: boolean, call: Call): SQL => {
  const here = shared('course', course_id);
  return isStaff
    ? sql`select assignment_id from assignment_overrides where course_id = ${here} and workflow_state = 'active'`
    : movedForAny(sql`select ${here}`, viewingUser(call));
};

/** The range of stored dates of a bucket, for the index. */
const spans: Partial<Record<Bucket, (now: string) => SQL>> = {
  past: (now) => sql`assignments.sort_due < ${now}`,
  overdue: (now) => sql`assignments.sort_due < ${now}`,
  undated: () => sql`assignments.sort_due = ${never}`,
  upcoming: (now) => sql`assignments.sort_due <= ${weekLater(now)} and assignments.sort_due >= ${now}`,
  future: (now) => sql`assignments.sort_due >= ${now}`,
};

/** The conditions of a list besides its bucket: for all assignments, and for those that no override moves for the viewer. */
export interface ChosenConditions {
  readonly all: SQL | undefined;
  readonly unmoved: SQL | undefined;
}

/**
 * Assignments of a course by the viewer's dates. Most have no override and are walked along their stored dates, only as far as the page needs; those
 * that overrides move are added from a separate query.
 */
export function byDate(
  course_id: number,
  chosen: ChosenConditions,
  bucket: Bucket | undefined,
  call: Call,
): Pick<Listing, 'where' | 'order'> {
  const { sort_due, sort_name, same_id } = assignments;
  const isStaff = call.course !== undefined && seesAsStaff(call.course, call);
  const moved = movedFrom(course_id, isStaff, call);
  const bound = sql`coalesce(${due(call)}, ${never})`;
  const order = ascending(bound, sql`assignments.sort_name`, sql`assignments.same_id`);
  // On later pages, the bookmark is a tighter bound than the start of the bucket.
  const isBegun = call.page.after !== undefined && (bucket === 'future' || bucket === 'undated');
  const span = bucket && !isBegun ? spans[bucket]?.(call.now) : undefined;
  const own = firstPageSql(
    [
      {
        from: sql`assignments indexed by assignments_by_date_and_name`,
        where: and(chosen.unmoved, sql`assignments.id not in (${moved})`, span, bucket && inBucket(bucket, call, stored)),
      },
    ],
    sql`assignments.id`,
    ascending(sort_due, sort_name, same_id),
    call.page,
  );
  const others = firstPageSql(
    [
      {
        from: sql`(select distinct assignment_id as moved_id from (${moved})) moved cross join assignments`,
        where: and(sql`assignments.id = moved.moved_id`, chosen.all, bucket && inBucket(bucket, call)),
      },
    ],
    sql`assignments.id`,
    order,
    call.page,
  );
  return { where: sql`assignments.id in (${own} union all ${others})`, order };
}

/** Assignments named by their ids: few, so they are found by id and sorted. */
export function amongGiven(by: (typeof orders)[number], here: PositionContext, chosen: SQL | undefined, call: Call): Found {
  const { course_id, groupId } = here;
  const { sort_name, same_id, id, position } = assignments;
  const order = {
    position: byPosition,
    name: ascending(sort_name, position, id),
    due_at: ascending(sql`coalesce(${due(call)}, ${never})`, sort_name, same_id),
  };
  return {
    once: true,
    join: (select) => select.crossJoin(assignment_groups),
    where: and(chosen, sql`assignment_groups.id = assignments.assignment_group_id`, inCourse(course_id, groupId)),
    order: order[by],
    ...(by === 'position' && { after: beyondPosition }),
  };
}

/** The due states that make up the buckets that only dates decide. */
const stretches: Partial<Record<Bucket, readonly DueState[]>> = {
  past: ['past'],
  undated: ['undated'],
  future: ['ahead', 'undated'],
  upcoming: [],
};

type Found = Pick<Listing, 'where' | 'order' | 'from' | 'columns' | 'join' | 'after' | 'once'>;

/**
 * A bucket of a course, or of one of its groups, by position.
 * @returns undefined when the client uses numbered pages, which must be full: then the whole list is walked
 */
export function bucketByPosition(here: PositionContext, chosen: ChosenConditions, bucket: Bucket, call: Call): Found | undefined {
  const along = stretches[bucket];
  const inPlace = { order: byPosition, after: beyondPosition, once: true };
  if (along)
    return {
      ...inPlace,
      join: (select) => select.crossJoin(assignment_groups),
      where: sql`assignments.id in (${dated(along, here, chosen, bucket, call)}) and ${inGroups(here.course_id, here.groupId)}`,
    };
  if (call.page.number !== undefined) return undefined;
  const isStaff = call.course !== undefined && seesAsStaff(call.course, call);
  const places = bucket === 'unsubmitted' && isStaff ? untouchedPlaces(here) : everyPlace(here);
  const conditions = [mayBe(bucket, isStaff, call), chosen.all, inBucket(bucket, call)].filter((one) => one !== undefined);
  return {
    ...inPlace,
    ...scanWindow(places, conditions, call.page),
    join: (select) => select.crossJoin(assignments).crossJoin(assignment_groups),
    where: sql`assignments.id = found.found_id and ${inGroups(here.course_id, here.groupId)}`,
  };
}

/** A select of the first assignments of a date bucket. Places are indexed by stored dates, so assignments moved by overrides are queried separately. */
function dated(along: readonly DueState[], here: PositionContext, chosen: ChosenConditions, bucket: Bucket, call: Call): SQL {
  const { now, page } = call;
  const isStaff = call.course !== undefined && seesAsStaff(call.course, call);
  // Not materialised, only to write it once: SQLite evaluates it as if it were written in each place.
  const moved = sql.raw('select assignment_id from moved_here');
  const inside = and(chosen.unmoved, sql`assignments.id not in (${moved})`, inBucket(bucket, call, stored));
  const ways = [
    ...along.map((state) => alongPlaces(state, here, inside)),
    ...(bucket === 'past' ? [fallenDue(now, here, inside)] : []),
    ...(bucket === 'upcoming' ? [dueBetween(now, weekLater(now), here, inside)] : []),
    amongFew(moved, here, and(chosen.all, inBucket(bucket, call))),
  ];
  return sql`with moved_here(assignment_id) as not materialized (${movedFrom(here.course_id, isStaff, call)}) ${firstPageSql(ways, sql.raw('assignments.id'), placeOrder, page)}`;
}

/** Decided from the place alone, before its assignment is read: whether it can be in a bucket that submissions decide. */
function mayBe(bucket: Bucket, isStaff: boolean, call: Call): SQL | undefined {
  const work = sql`select 1 from submissions where assignment_id = place.assignment_id`;
  const mine = sql`${work} and user_id in (${viewingUser(call)})`;
  if (bucket === 'ungraded') return sql`exists (${work} and ${awaitsGrade})`;
  if (bucket === 'overdue') return sql`not exists (${mine} and (submission_type is not null or graded_at is not null))`;
  return isStaff ? undefined : sql`not exists (${mine} and submission_type is not null)`;
}

const weekLater = (now: string) => `${new Date(Date.parse(now) + 7 * 86_400_000).toISOString().slice(0, 19)}Z`;

/** The dates of the current row of `assignments`: those that apply to the viewer, or the stored ones. */
interface Dates {
  readonly due_at: SQL;
  readonly lock_at: SQL;
}
const binding = (call: Call): Dates => ({ due_at: due(call), lock_at: effectiveDate('lock_at', overridesSeen(call), call.now) });
const stored: Dates = { due_at: sql.raw('assignments.due_at'), lock_at: sql.raw('assignments.lock_at') };

export function inBucket(bucket: Bucket, call: Call, dates = binding(call)): SQL {
  const at = dates.due_at;
  const { now } = call;
  const mine = (condition: SQL) =>
    sql`exists (select 1 from submissions where submissions.assignment_id = assignments.id and submissions.user_id in (${viewingUser(call)}) and ${condition})`;
  const isStaff = call.course !== undefined && seesAsStaff(call.course, call);
  const handedIn = isStaff
    ? sql`exists (select 1 from submissions where submissions.assignment_id = assignments.id and submissions.submission_type is not null)`
    : mine(sql`submission_type is not null`);
  switch (bucket) {
    case 'past':
      return sql`${at} < ${now}`;
    case 'undated':
      return sql`${at} is null`;
    case 'upcoming':
      return sql`${at} between ${now} and ${weekLater(now)}`;
    case 'future':
      return sql`coalesce(${at}, ${never}) >= ${now}`;
    case 'overdue':
      return sql`${at} < ${now} and ${expectsWorkSql} and coalesce(${dates.lock_at}, ${never}) > ${now} and not ${mine(sql`(submission_type is not null or graded_at is not null)`)}`;
    case 'ungraded':
      return sql`${expectsWorkSql} and ${awaitingGrades(call)} > 0`;
    case 'unsubmitted':
      return sql`${expectsWorkSql} and not ${handedIn}`;
  }
}
