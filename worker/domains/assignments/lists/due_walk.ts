// Assignments of several courses in the order of their dates: each course is walked along its index no further than a page reaches.

import { type SQL, sql } from 'drizzle-orm';

/** A stored date in the words of its index; '' without one. */
export const storedDue = sql.raw("coalesce(assignments.due_at, '')");

export interface DueWalk {
  /** A select of course ids. */
  readonly courses: SQL;
  /** Conditions on `assignments`: the window as one on `storedDue`, and whether they count. */
  readonly chosen: SQL;
  /** The date at which the page begins; whatever is due at that moment is there. */
  readonly after?: unknown;
  /** As many as the page could take, were all of it of one course; all of them when absent. */
  readonly most?: number;
  readonly isDescending?: boolean;
}

/** A select of the assignments of the courses that have dates of their own for the person. */
export const movedFor = (courses: SQL, user: SQL): SQL => movedForAny(courses, user);

/** The same for several people: what may stand inside `in (…)`. */
export const movedForAny = (courses: SQL, users: SQL): SQL => sql`
  select s.assignment_id from assignment_override_students s join assignments moved on moved.id = s.assignment_id where s.user_id in (${users}) and moved.course_id in (${courses})
  union select o.assignment_id from assignment_overrides o where o.course_id in (${courses}) and o.set_type in ('Course', 'CourseSection', 'Group') and o.workflow_state = 'active'`;

/** A select of the first of each course, by their stored dates. What overrides move is no part of that order: `chosen` leaves it out. */
export const firstDue = ({ courses, chosen, after, most = -1, isDescending = false }: DueWalk): SQL => {
  const order = sql.raw(isDescending ? 'desc' : 'asc');
  const beyond = after === undefined ? sql`` : sql` and ${storedDue} ${sql.raw(isDescending ? '<' : '>')} ${after}`;
  const here = sql`assignments.course_id = place.id and assignments.workflow_state <> 'deleted' and ${chosen}`;
  const walked = sql`select assignments.id from assignments where ${here}${beyond} order by ${storedDue} ${order}, assignments.id ${order} limit ${sql.raw(String(most))}`;
  const place = sql`(with own(id) as (${courses}) select id from own) place`;
  // Within `from`, so that D1, which takes no expressions deeper than a hundred, does not count its depth.
  const found = sql`select found.id from ${place} cross join assignments found on found.id in (select id from (${walked}))`;
  return after === undefined
    ? found
    : sql`${found} union all select assignments.id from ${place} cross join assignments on ${here} and ${storedDue} = ${after}`;
};
