// A user's favorite courses: the chosen ones that are still active, or else the current courses.

import { and, type SQL, sql } from 'drizzle-orm';
import { datedEnrollments, effective } from '../../contexts/effective_enrollments';
import { isStaff } from '../../contexts/predicates';
import { atMost } from '../../database/at_most';
import { courseNameFor } from '../courses/policy';
import { courses } from '../courses/table';

/** The number of courses shown to users without favorites. */
const fewest = 20;

const live = (user_id: number, now: string) => sql`select e.course_id, e.enrollment_state, e.course_state, ${effective(now)} as effective
  from (${datedEnrollments(sql`e.user_id = ${user_id}`)}) e
  where e.enrollment_state in ('active', 'invited')
    and (e.course_state = 'available' or (e.course_state in ('created', 'claimed') and ${isStaff('e')}))`;

const ongoing = (user_id: number, now: string) => sql`select course_id from (${live(user_id, now)}) where effective <> 'completed'`;
const chosen = (user_id: number) => sql`select context_id from favorites where user_id = ${user_id} and context_type = 'Course'`;

/** Active published courses, accepted enrollments before invitations, then by name. */
const defaults = (user_id: number, now: string) => sql`select id from (
  select courses.id, max(l.enrollment_state = 'active') as accepted from courses join (${live(user_id, now)}) l on l.course_id = courses.id
  where l.effective <> 'completed' and l.course_state = 'available' group by courses.id order by accepted desc, ${courseNameFor(user_id)}, courses.id limit ${atMost(fewest)})`;

/** A select of the ids of favorite courses, chosen or default. */
export const favoriteIds = (user_id: number, now: string): SQL => sql`select id from courses where
  (courses.id in (${chosen(user_id)}) and courses.id in (${ongoing(user_id, now)}))
  or (not exists (${chosen(user_id)}) and courses.id in (${defaults(user_id, now)}))`;

export const isFavorite = (user_id: number, now: string): SQL | undefined => and(sql`${courses.id} in (${favoriteIds(user_id, now)})`);

/** Stores the default favorites as chosen ones before one of them is removed. */
export const keepDefaults = (user_id: number, now: string): SQL =>
  sql`insert into favorites (user_id, context_type, context_id, created_at) select ${user_id}, 'Course', id, ${now} from (${favoriteIds(user_id, now)}) where not exists (${chosen(user_id)})`;

/** The user's groups, in accounts and in courses that are not deleted. */
const ownGroups = (
  user_id: number,
) => sql`select g.id from group_memberships m join groups g on g.id = m.group_id where m.user_id = ${user_id} and m.workflow_state = 'accepted'
  and g.workflow_state = 'available' and g.non_collaborative = 0 and not exists (select 1 from courses c where g.context_type = 'Course' and c.id = g.context_id and c.workflow_state = 'deleted')`;
const chosenGroups = (user_id: number) => sql`select context_id from favorites where user_id = ${user_id} and context_type = 'Group'`;

/** The chosen groups that the user is still in; without any, all the user's groups. */
export const isFavoriteGroup = (user_id: number): SQL =>
  sql`groups.id in (${ownGroups(user_id)}) and (groups.id in (${chosenGroups(user_id)}) or not exists (${chosenGroups(user_id)}))`;

/** The same for groups. */
export const keepGroups = (user_id: number, now: string): SQL =>
  sql`insert into favorites (user_id, context_type, context_id, created_at) select ${user_id}, 'Group', id, ${now} from (${ownGroups(user_id)}) where not exists (${chosenGroups(user_id)})`;
