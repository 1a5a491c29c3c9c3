// The work of the students of courses that the caller has chosen for grading: its changes in the log, and walks along its tables. Rights are known only
// after the trip that reads these rows, so each row has what decides whether the caller may know of it (graded_rows.ts).

import { type SQL, sql } from 'drizzle-orm';
import { isStaff } from '../../contexts/predicates';
import type { Viewer } from '../../contexts/viewer';
import { atMost } from '../../database/at_most';
import type { Database } from '../../database/open';
import type { Home } from './cursor';

/** Parts of a backlog. Those of the visibility key are walked when it changes. */
export const partOfWork = 10;
export const partOfRoster = 11;
/** The submissions of a range of assignments that have changed. */
export const partOfAssignments = 12;
/** The submissions of students whose enrollments have changed. */
export const partOfStudents = 13;

/** One entry of a backlog that walks tables instead of the log. */
export interface GradedWalk {
  /** Its place in the backlog. */
  readonly place: number;
  readonly home: Home;
  readonly part: number;
  readonly after: number;
  /** The last id of a range, or the change after which enrollments count. */
  readonly bound: number;
}

/** What decides whether a grader may know of a row. */
export interface Known {
  readonly home: Home;
  /** The sections of the student, as JSON. */
  readonly sections: string;
  /** 1 for a submission of an anonymous assignment, 2 for an id of one that is sent whether or not there is a submission. */
  readonly is_anonymous: number;
}

export interface GradedChange extends Known {
  readonly seq: number;
  readonly scope: string;
  readonly kind: string;
  /** The changed items, as JSON of kinds and ids. */
  readonly items: string;
}

export interface GradedItem extends Known {
  readonly place: number;
  readonly seq: number;
  readonly kind: 'submission' | 'enrollment';
  readonly item_id: number;
}

const ofStudent = sql.raw("type = 'StudentEnrollment'");
const anonymityOf = (assignment: string): SQL =>
  sql.raw(`coalesce((select a.anonymize_students from assignments a where a.id = ${assignment}), 0)`);

const sectionsOf = (user: string, home: string): SQL =>
  sql`(select json_group_array(e.course_section_id) from enrollments e indexed by enrollments_of_user_in_course where e.user_id = ${sql.raw(user)} and e.course_id = ${sql.raw(home)} and e.${ofStudent})`;

/**
 * Changes in the scopes of the students of courses in which the caller may grade, also of users who were merged into a student.
 * @param courses ids of courses
 */
export function gradedChangesSince({ build }: Database, me: Viewer, courses: readonly number[], seq: number, limit: number) {
  const isAdmin = me.adminLinks.length > 0 ? 1 : 0;
  const graded = sql`graded(id) as materialized (select distinct course_id from enrollments where user_id = ${me.id} and enrollment_state in ('active', 'invited', 'completed', 'inactive') and (${isStaff()} or ${isAdmin}) and course_id in (select value from json_each(${JSON.stringify(courses)})))`;
  const theirs = sql`from graded cross join enrollments e indexed by enrollments_by_user on e.course_id = graded.id and e.${ofStudent}`;
  const named = sql`(select 'user_' || e.user_id as scope, e.user_id as user_id, e.course_id as course_id ${theirs}
    union all select 'user_' || m.source_id, e.user_id, e.course_id ${theirs} cross join user_merges m on m.destination_id = e.user_id)`;
  const enrolled = sql`(select json_group_array(json_array('enrollment', e.id)) from enrollments e indexed by enrollments_of_user_in_course where e.user_id = n.user_id and e.course_id = n.course_id and e.${ofStudent})`;
  const items = sql`case c.kind when 'user' then ${enrolled} when 'assignment' then json_array(json_array('submission', c.item_id * 67108864 + n.user_id)) else json_array(json_array(c.kind, c.item_id)) end`;
  // The id of a submission shows its assignment, also where it has no row any more.
  const assignment = "case c.kind when 'submission' then c.item_id / 67108864 when 'assignment' then c.item_id end";
  const isHere = sql`case c.kind when 'user' then c.item_id = n.user_id
    when 'enrollment' then coalesce((select e.course_id = n.course_id and e.${ofStudent} from enrollments e where e.id = c.item_id), 1)
    else (select a.course_id from assignments a where a.id = ${sql.raw(assignment)}) = n.course_id end`;
  // A student with several enrollments is found several times.
  return build.all<GradedChange>(
    sql`with ${graded} select c.seq as seq, c.scope as scope, c.kind as kind, n.course_id as home, ${sectionsOf('n.user_id', 'n.course_id')} as sections, ${anonymityOf(assignment)} as is_anonymous, ${items} as items
      from ${named} n cross join changes c indexed by changes_in_scope on c.scope = n.scope and c.seq > ${seq}
      where c.kind in ('submission', 'enrollment', 'user', 'assignment') and ${isHere} group by c.seq, n.course_id order by c.seq limit ${atMost(limit + 1)}`,
  );
}

const placesOf = (walks: readonly GradedWalk[]): SQL =>
  sql`places(place, home, walked, bound) as materialized (select value ->> 0, value ->> 1, value ->> 2, value ->> 3 from json_each(${JSON.stringify(
    walks.map(({ place, home, after, bound }) => [place, home, after, bound]),
  )}))`;

const submissionsIn = (from: SQL, position: string): SQL =>
  sql`select p.place as place, ${sql.raw(position)} as seq, 'submission' as kind, s.id as item_id, p.home as home, ${sectionsOf('s.user_id', 'p.home')} as sections, ${anonymityOf('s.assignment_id')} as is_anonymous from ${from}`;

// A cross join keeps the order of places and of the index without sorting, so that the limit ends the walk.
const byId = (walks: readonly GradedWalk[]): SQL =>
  sql`with ${placesOf(walks)} ${submissionsIn(sql`places p cross join submissions s indexed by submissions_in_course on s.course_id = p.home and s.id > p.walked and s.id <= p.bound`, 's.id')}`;

/**
 * Of anonymous assignments in a range: an id for each student, whether or not there is a submission, so that the deletes do not reveal who has
 * submitted.
 */
const ofAnonymous = (walks: readonly GradedWalk[]): SQL =>
  sql`with ${placesOf(walks)} select p.place as place, a.id * 67108864 + e.user_id as seq, 'submission' as kind, a.id * 67108864 + e.user_id as item_id, p.home as home, json_group_array(e.course_section_id) as sections, 2 as is_anonymous
    from places p cross join assignments a indexed by assignments_anonymous on a.course_id = p.home and a.anonymize_students = 1 and a.id between p.walked / 67108864 and p.bound / 67108864
    cross join enrollments e indexed by enrollments_by_user on e.course_id = p.home and e.${ofStudent} where a.id * 67108864 + e.user_id > p.walked
    group by p.place, a.id, e.user_id order by p.place, a.id, e.user_id`;

const students = (walks: readonly GradedWalk[]): SQL =>
  sql`with ${placesOf(walks)} select p.place as place, e.id as seq, 'enrollment' as kind, e.id as item_id, p.home as home, json_array(e.course_section_id) as sections, 0 as is_anonymous
    from places p cross join enrollments e indexed by enrollments_by_user on e.course_id = p.home and e.${ofStudent} where e.id > p.walked order by p.place, e.id`;

/** By student, then assignment. A section that was moved to another course leaves its changes in the scope of the staff. */
const ofChangedStudents = (walks: readonly GradedWalk[]): SQL =>
  sql`with ${placesOf(walks)}, moved(place, home, user_id, walked) as materialized (select * from (
      select p.place, p.home, e.user_id, p.walked from places p cross join enrollments e indexed by enrollments_by_user on e.course_id = p.home and e.${ofStudent} and e.user_id >= p.walked / 67108864
        cross join changes c on c.scope = 'user_' || e.user_id and c.kind = 'enrollment' and c.item_id = e.id and c.seq > p.bound
      union select p.place, p.home, e.user_id, p.walked from places p cross join changes c indexed by changes_in_scope on c.scope = 'staff_' || p.home and c.seq > p.bound and c.kind = 'enrollment'
        cross join enrollments e on e.id = c.item_id and e.user_id >= p.walked / 67108864) order by 1, 3)
    ${submissionsIn(sql`moved p cross join submissions s indexed by submissions_of_user_in_course on s.user_id = p.user_id and s.course_id = p.home where s.user_id * 67108864 + s.assignment_id > p.walked`, 's.user_id * 67108864 + s.assignment_id')}`;

/** Each statement returns its rows in the order of places and positions. */
export function gradedWalksOf({ build }: Database, walks: readonly GradedWalk[], limit: number) {
  const statement = (parts: readonly number[], select: (some: readonly GradedWalk[]) => SQL) => {
    const some = walks.filter(({ part }) => parts.includes(part));
    return some.length > 0 ? [build.all<GradedItem>(sql`${select(some)} limit ${atMost(limit + 1)}`)] : [];
  };
  return [
    ...statement([partOfWork, partOfAssignments], byId),
    ...statement([partOfAssignments], ofAnonymous),
    ...statement([partOfRoster], students),
    ...statement([partOfStudents], ofChangedStudents),
  ];
}
