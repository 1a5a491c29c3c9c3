// Includes of assignments: what is read with a page, and how it is serialised.

import { wordOf } from '@carrel/shared/wire/form';
import { and, type SQL, sql } from 'drizzle-orm';
import { isStudent } from '../../contexts/predicates';
import { inSectionLimit } from '../../contexts/section_limit';
import { isInSelect } from '../../database/ids';
import { shared } from '../../database/shared';
import type { Call } from '../../http/call';
import { ascending, rows } from '../../http/listing';
import { embed } from '../../http/serializer';
import { assignedTo } from '../../rules/assigned';
import { isInClosedPeriod } from '../../rules/grading_periods';
import { isHiddenSql } from '../../rules/posted';
import { moduleLocks, moduleLocksAnywhere } from '../modules/locks';
import { awaitsGrade, submissions } from '../submissions/table';
import { assignmentOverride } from './overrides/json';
import { concerning } from './overrides/policy';
import { ownReviews } from './submissions/own_reviews';
import { ownSubmission } from './submissions/serializer';
import { slotColumns, slotsOfPeople } from './submissions/slots';
import { assignment_overrides, assignments } from './table';
import { seesAsStaff, viewingUser } from './viewpoint';

export const assignmentIncludes = [
  'submission',
  'assignment_visibility',
  'all_dates',
  'overrides',
  'observed_users',
  'can_edit',
  'can_submit',
  'score_statistics',
  'ab_guid',
  'checkpoints',
  'module_ids',
  'grades_published',
  'assessment_requests',
] as const;

const saysYes = (given: unknown) => given === true || ['true', '1', 'yes', 'on'].includes(wordOf(given));
export const wantsAllDates = ({ include, tree }: Pick<Call, 'include' | 'tree'>) => include.has('all_dates') || saysYes(tree.all_dates);
const wantsSections = ({ tree }: Pick<Call, 'tree'>) => saysYes(tree.needs_grading_count_by_section);

/** The submissions of `include[]=submission`: those of the caller or the path's user; with `observed_users`, of the observed students. */
const ownWork = (ids: SQL, call: Call) => {
  const mine = shared('user', call.course && call.path.user_id !== undefined ? (call.user?.id ?? 0) : call.me.id);
  const isAny = call.include.has('observed_users');
  // Students see only assignments that are assigned to them; observers and staff see more.
  const isForeseen = !isAny && call.course !== undefined && !seesAsStaff(call.course, call) && call.course.observedIds.length === 0;
  const from = slotsOfPeople(ids, isAny ? viewingUser(call) : mine, isForeseen, call);
  return rows(submissions, { from, columns: slotColumns, where: undefined });
};

const activeStudents = sql.raw("e.course_id = assignments.course_id and e.type = 'StudentEnrollment' and e.enrollment_state = 'active'");

/** The users to whom each assignment is assigned. */
const visibility = (ids: SQL, { db, course }: Pick<Call, 'db' | 'course'>) =>
  db.build
    .select({
      assignment_id: assignments.id,
      user_ids:
        sql<string>`(select json_group_array(distinct e.user_id) from enrollments e where ${activeStudents}${inSectionLimit(course, 'e')} and ${assignedTo(sql.raw('e.user_id'))})`.as(
          'user_ids',
        ),
    })
    .from(assignments)
    .where(isInSelect(assignments.id, ids));

/** The scores of each assignment that their students see, ascending. */
const scores = (ids: SQL, { db }: Pick<Call, 'db'>) =>
  db.build
    .select({
      assignment_id: assignments.id,
      scores:
        sql<string>`(select json_group_array(score) from (select s.score from submissions s where s.assignment_id = assignments.id and s.score is not null and s.graded_at is not null and not ${isHiddenSql('s', 'assignments')} order by s.score))`.as(
          'scores',
        ),
    })
    .from(assignments)
    .where(isInSelect(assignments.id, ids));

const bySection = (ids: SQL, { db, course }: Pick<Call, 'db' | 'course'>) =>
  db.build
    .select({
      assignment_id: assignments.id,
      counts: sql<string>`(select json_group_array(json_object('section_id', section_id, 'needs_grading_count', waiting)) from (
        select e.course_section_id as section_id, count(*) as waiting from submissions join enrollments e on e.user_id = submissions.user_id and ${activeStudents}${inSectionLimit(course, 'e')}
        where submissions.assignment_id = assignments.id and ${awaitsGrade} group by e.course_section_id))`.as('counts'),
    })
    .from(assignments)
    .where(isInSelect(assignments.id, ids));

/** The ids, or none when the caller is a student nowhere: modules lock only for students. A limit, because a condition is evaluated per row. */
const studied = (ids: SQL, { me }: Pick<Call, 'me'>): SQL =>
  sql`select * from (${ids}) limit iif(exists (select 1 from enrollments where enrollments.user_id = ${shared('user', me.id)} and ${isStudent()}), -1, 0)`;

/** The same ids in a query of their own: D1 limits expression depth to 100, and the conditions of observers nest deep. */
const apart = (ids: SQL): SQL => sql`with page(id) as materialized (select * from (${ids})) select id from page`;

export function besideAssignments(ids: SQL, call: Call) {
  const { course, include } = call;
  const grades = course?.can('manage_grades') ?? false;
  const overrides = course && (include.has('overrides') || wantsAllDates(call));
  return {
    locks: course ? moduleLocks('Assignment', ids, call) : moduleLocksAnywhere('Assignment', studied(ids, call), call),
    work: include.has('submission') || include.has('can_submit') ? embed(ownSubmission, ownWork(ids, call)) : undefined,
    overrides: overrides
      ? embed(
          assignmentOverride,
          rows(assignment_overrides, {
            where: and(isInSelect(assignment_overrides.assignment_id, apart(ids)), concerning(course, call)),
            order: ascending(assignment_overrides.id),
          }),
        )
      : undefined,
    visibility: include.has('assignment_visibility') && grades ? visibility(ids, call) : undefined,
    scores: include.has('score_statistics') && include.has('submission') ? scores(ids, call) : undefined,
    reviews: include.has('assessment_requests') ? ownReviews(ids, call) : undefined,
    sections: wantsSections(call) && grades ? bySection(ids, call) : undefined,
  };
}

export type OverrideTold = { readonly row: typeof assignment_overrides.$inferSelect };

/** The base dates, if they apply to anyone, and every override; only the count when there are many. */
export function allDates(
  row: {
    readonly only_visible_to_overrides: boolean;
    readonly due_at: string | null;
    readonly unlock_at: string | null;
    readonly lock_at: string | null;
  },
  overrides: readonly OverrideTold[],
  can_edit: boolean | undefined,
  { course, now }: Pick<Call, 'course' | 'now'>,
) {
  if (overrides.length >= 25) return { all_dates_count: overrides.length + (row.only_visible_to_overrides ? 0 : 1) };
  const periods = course?.grading.periods ?? [];
  const extra = (due_at: string | null) =>
    can_edit === undefined ? {} : { in_closed_grading_period: isInClosedPeriod(periods, due_at, now), can_edit };
  const date = (field: 'due_at' | 'unlock_at' | 'lock_at', one: OverrideTold['row']) =>
    one[`${field}_overridden`] ? one[field] : row[field];
  const base = {
    base: true,
    title: overrides.length === 0 ? 'Everyone' : 'Everyone else',
    due_at: row.due_at,
    unlock_at: row.unlock_at,
    lock_at: row.lock_at,
    ...extra(row.due_at),
  };
  return {
    all_dates: [
      ...(row.only_visible_to_overrides ? [] : [base]),
      ...overrides.map(({ row: one }) => ({
        id: one.id,
        title: one.title,
        due_at: date('due_at', one),
        unlock_at: date('unlock_at', one),
        lock_at: date('lock_at', one),
        set_type: one.set_type,
        set_id: one.set_id,
        ...extra(date('due_at', one)),
      })),
    ],
  };
}

const tenth = (value: number) => Math.round(value * 10) / 10;

/** Takes scores in ascending order; rounds to one decimal. */
export function statistics(ascending: readonly number[]) {
  const at = (share: number) => {
    const place = (ascending.length - 1) * share;
    const below = ascending[Math.floor(place)] ?? 0;
    const above = ascending[Math.ceil(place)] ?? below;
    return tenth(below + (above - below) * (place - Math.floor(place)));
  };
  return {
    min: tenth(ascending[0] ?? 0),
    max: tenth(ascending.at(-1) ?? 0),
    mean: tenth(ascending.reduce((sum, score) => sum + score, 0) / ascending.length),
    upper_q: at(0.75),
    median: at(0.5),
    lower_q: at(0.25),
  };
}
