// The connected users whom fresh changes concern, found from the changed courses and groups and never from all connected users.

import { sql } from 'drizzle-orm';
import { textOfType } from '../contexts/predicates';
import type { Database } from '../database/open';
import { staffOf } from '../domains/enrollments/table';
import type { FreshChanges } from './fresh_changes';

/** Changes for the whole institution, or in so many places that most users are in one of them. */
export const everyone = 'everyone';

/** Connected users of one object. The audience is the smallest number of users whom one of the user's changes concerns. */
export interface ConcernedUsers {
  readonly object: number;
  readonly audience: number;
  readonly users: readonly number[];
}

const mostPlaces = 1000;

const placesIn = (scopes: ReadonlySet<string>) => {
  const places = { course: [] as number[], staff: [] as number[], group: [] as number[], user: [] as number[] };
  for (const scope of scopes) {
    const [kind, id] = scope.split('_');
    if (kind === 'course' || kind === 'staff' || kind === 'group' || kind === 'user') places[kind].push(Number(id));
  }
  return places;
};

const listed = (ids: readonly number[]) => sql`json_each(${JSON.stringify(ids)})`;

/** The states are those in which the feed contains the place. */
export async function readConcerned(
  db: Database,
  { scopes, memberships, isCut }: FreshChanges,
): Promise<readonly ConcernedUsers[] | typeof everyone> {
  const { course, staff, group, user } = placesIn(scopes);
  if (isCut || scopes.has('accounts') || course.length + staff.length + group.length > mostPlaces) return everyone;
  const [rows] = await db.perform([
    db.build.all<{ object: number; audience: number; users: string }>(sql`
      with concerned(scope, user_id) as (
        select 'course_' || p.value, e.user_id from ${listed(course)} p cross join enrollments e on e.course_id = p.value
          where e.enrollment_state in ('active', 'invited', 'completed', 'inactive')
        union select 'staff_' || p.value, e.user_id from ${listed(staff)} p cross join enrollments e on e.course_id = p.value
          where e.enrollment_state in ('active', 'completed') and ${sql.raw(textOfType(staffOf, 'e'))}
        union select 'group_' || p.value, m.user_id from ${listed(group)} p cross join group_memberships m on m.group_id = p.value
          where m.workflow_state = 'accepted'
        union select 'user_' || m.user_id, m.user_id from ${listed(memberships)} p cross join group_memberships m on m.id = p.value
        union select 'user_' || p.value, p.value from ${listed(user)} p
      ), connected as (
        select c.user_id, l.object, count(*) over (partition by c.scope) as audience from concerned c cross join live_users l on l.user_id = c.user_id
      ), each_once as (
        select user_id, object, min(audience) as audience from connected group by user_id, object
      )
      select object, audience, json_group_array(user_id) as users from each_once group by object, audience`),
  ]);
  return rows.map(({ object, audience, users }) => ({ object, audience, users: JSON.parse(users) as number[] }));
}
