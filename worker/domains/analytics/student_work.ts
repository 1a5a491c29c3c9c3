// A student's work in a course as one column: the submissions, and the effective dates of assignments that are not the same for everyone.

import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../database/open';
import { withColumns } from '../../database/together';
import { assignedTo, effectiveDate, inRestrictedModules, reaching } from '../../rules/assigned';
import { blankHandIn, type HandIn, isDigital, type Tardiness, tardinessOf } from './tardiness';

/**
 * Published assignments with overrides or restricted visibility; evaluated once per statement for a course that is a parameter. The assignments are walked,
 * which these lists read anyway: an assignment may have an override for every student.
 */
const special = (course: SQL): SQL => sql`select a.id from assignments a where a.course_id = ${course} and a.workflow_state = 'published'
    and (a.only_visible_to_overrides = 1 or exists (select 1 from assignment_overrides d where d.assignment_id = a.id and d.workflow_state = 'active'))
  union ${inRestrictedModules(sql`= ${course}`)}`;

const fields = [
  'assignment_id',
  'submission_type',
  'submitted_at',
  'excused',
  'late_policy_status',
  'seconds_late_override',
  'grader_id',
  'graded_at',
  'posted_at',
  'score',
] as const;

/** @param course as a parameter */
export const handInsOf = (user: SQL, course: SQL, now: string): SQL<string> => sql<string>`json_object(
  'work', (select json_group_array(json_array(${sql.raw(fields.map((name) => `w.${name}`).join(', '))})) from submissions w
    where w.user_id = ${user} and w.course_id = ${course} and w.workflow_state <> 'deleted'),
  'special', case when exists (${special(course)}) then (select json_group_array(json_array(assignments.id, ${assignedTo(user)},
      ${effectiveDate('due_at', reaching(sql.raw('= assignments.id'), user), now)}))
    from assignments where assignments.id in (${special(course)}) and assignments.workflow_state = 'published') else json('[]') end)`;

export interface StudentWork extends HandIn {
  readonly posted_at: string | null;
  readonly score: number | null;
}

/** The work as users without the right to see all grades see it: a grade that is not posted does not exist. Pure. */
const asPosted = (work: StudentWork): StudentWork => (work.posted_at === null ? { ...work, score: null, graded_at: null } : work);

export interface StudentHandIns {
  readonly work: ReadonlyMap<number, StudentWork>;
  readonly special: ReadonlyMap<number, { readonly isAssigned: boolean; readonly due_at: string | null }>;
}

/**
 * @param text as read
 * @param isGrader whether grades that are not posted count
 */
export function readHandIns(text: string, isGrader: boolean): StudentHandIns {
  const { work, special } = JSON.parse(text) as { work: unknown[][]; special: [number, number, string | null][] };
  return {
    work: new Map(
      work.map((values) => {
        const row = Object.fromEntries(fields.map((name, nth) => [name, values[nth]])) as {
          [K in (typeof fields)[number]]: K extends 'assignment_id' | 'excused' ? number : never;
        };
        const one: StudentWork = { ...row, excused: row.excused === 1 };
        return [row.assignment_id, isGrader ? one : asPosted(one)];
      }),
    ),
    special: new Map(special.map(([id, isAssigned, due_at]) => [id, { isAssigned: isAssigned === 1, due_at }])),
  };
}

export interface PublishedAssignment {
  readonly id: number;
  readonly due_at: string | null;
  readonly types: string;
}

export const publishedIn = ({ build }: Database, course: SQL) =>
  withColumns(
    build.all<PublishedAssignment>(
      sql`select a.id, a.due_at, a.submission_types as types from assignments a where a.course_id = ${course} and a.workflow_state = 'published'`,
    ),
    ['id', 'due_at', 'types'],
  );

/** The tardiness of a student in each assignment of theirs that takes a digital submission. Pure. */
export const tardinessIn = (assignments: readonly PublishedAssignment[], { work, special }: StudentHandIns, now: string): Tardiness[] =>
  assignments.flatMap(({ id, due_at, types }) => {
    const own = special.get(id);
    const given = JSON.parse(types) as string[];
    if (own?.isAssigned === false || !isDigital(given)) return [];
    return [tardinessOf(work.get(id) ?? blankHandIn, own ? own.due_at : due_at, given, now)];
  });
