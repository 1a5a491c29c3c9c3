// Assignments of several courses in date order: each course is walked along its index, only as far as the page needs.

import { type SQL, sql } from 'drizzle-orm';

/** The due date as the index expression stores it; '' without one. */
export const storedDue = sql.raw("coalesce(assignments.due_at, '')");

export interface DueWalk {
  /** A select of course ids. */
  readonly courses: SQL;
  /** Conditions on `assignments`: the date window (on `storedDue`) and visibility. */
  readonly chosen: SQL;
  /** A condition on `assignments` that contains deep selects: D1 adds the depth of the conditions beside it, and of none in `from`. */
  readonly deep?: SQL;
  /** The date where the page begins, inclusive. */
  readonly after?: unknown;
  /** At most this many per course; all when absent. */
  readonly most?: number;
  readonly isDescending?: boolean;
}

/** A select of the assignments of the courses with an individual due date for the user. */
export const movedFor = (courses: SQL, user: SQL): SQL => movedForAny(courses, user);

/** The same for several users; accepts anything that is valid inside `in (…)`. */
export const movedForAny = (courses: SQL, users: SQL): SQL => sql`
  select s.assignment_id from assignment_override_students s join assignments moved on moved.id = s.assignment_id where s.user_id in (${users}) and moved.course_id in (${courses})
  union select o.assignment_id from assignment_overrides o where o.course_id in (${courses}) and o.set_type in ('Course', 'CourseSection', 'Group') and o.workflow_state = 'active'`;

/**
 * A select of the first assignments of each course, by stored date. `chosen` must exclude assignments that overrides move. The result contains all
 * assignments with the date of the bookmark, chosen or not, so the caller checks again.
 */
export const firstDue = ({ courses, chosen, deep, after, most = -1, isDescending = false }: DueWalk): SQL => {
  const order = sql.raw(isDescending ? 'desc' : 'asc');
  const beyond = after === undefined ? sql`` : sql` and ${storedDue} ${sql.raw(isDescending ? '<' : '>')} ${after}`;
  const here = sql.raw("assignments.course_id = place.id and assignments.workflow_state <> 'deleted'");
  const shallow = sql`assignments where ${here} and ${chosen}${beyond}`;
  const found = deep ? sql`(select * from ${shallow}) assignments where ${deep}` : shallow;
  const walked = sql`select assignments.id from ${found} order by ${storedDue} ${order}, assignments.id ${order} limit ${sql.raw(String(most))}`;
  const place = sql`(with own(id) as (${courses}) select id from own) place`;
  // In `from`, because D1 limits expressions to a depth of 100 and does not count subqueries there.
  const all = sql`select found.id from ${place} cross join assignments found on found.id in (select id from (${walked}))`;
  return after === undefined
    ? all
    : sql`${all} union all select assignments.id from ${place} cross join assignments on ${here} and ${storedDue} = ${after}`;
};
