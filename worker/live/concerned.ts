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

/** The connected users of each place, one row for a place. A group by would read every user once more. */
const usersIn = (kind: string, places: readonly number[], from: string) =>
  sql`select '${sql.raw(kind)}_' || p.value as scope, (select json_group_array(json_array(l.user_id, l.object)) from ${sql.raw(from)}) as users
    from json_each(${JSON.stringify(places)}) p`;

const connected = (column: string) => `cross join live_users l on l.user_id = ${column}`;
const enrolled = (condition: string) =>
  `enrollments e ${connected('e.user_id')} where e.course_id = p.value and e.enrollment_state in ${condition}`;
const members = (condition: string) => `group_memberships m ${connected('m.user_id')} where ${condition}`;
/** Of the student of a submission, in its course. */
const observers = `submissions s cross join enrollments e indexed by enrollments_by_user on e.course_id = s.course_id and e.type = 'ObserverEnrollment'
  and e.enrollment_state in ('active', 'invited', 'completed', 'inactive') and e.observed_user_id = s.user_id ${connected('e.user_id')} where s.id = p.value`;

/** Of the course of a submission, whose id shows its assignment. */
const graders = (submissions: readonly number[]) =>
  sql`select 'graders_' || c.id as scope, (select json_group_array(json_array(l.user_id, l.object)) from enrollments e indexed by enrollments_by_user ${sql.raw(connected('e.user_id'))}
      where e.course_id = c.id and ${sql.raw(textOfType(staffOf, 'e'))} and e.enrollment_state in ('active', 'completed')) as users
    from (select distinct a.course_id as id from json_each(${JSON.stringify(submissions)}) p cross join assignments a on a.id = p.value / 67108864) c`;

interface UsersOfPlace {
  readonly scope: string;
  readonly users: string;
}
type Connected = readonly [user: number, object: number];

/** The states are those in which the feed contains the place. */
export async function readConcerned(
  db: Database,
  { scopes, memberships, submissions, isCut }: FreshChanges,
): Promise<readonly ConcernedUsers[] | typeof everyone> {
  const { course, staff, group, user } = placesIn(scopes);
  if (isCut || scopes.has('accounts') || course.length + staff.length + group.length > mostPlaces) return everyone;
  const lists = [
    db.build.all<UsersOfPlace>(
      sql.join(
        [
          usersIn('course', course, enrolled("('active', 'invited', 'completed', 'inactive')")),
          usersIn('staff', staff, enrolled(`('active', 'completed') and ${textOfType(staffOf, 'e')}`)),
          usersIn('group', group, members("m.group_id = p.value and m.workflow_state = 'accepted'")),
          usersIn('membership', memberships, members('m.id = p.value')),
          usersIn('user', user, 'live_users l where l.user_id = p.value'),
        ],
        sql` union all `,
      ),
    ),
    ...(submissions.length > 0
      ? [db.build.all<UsersOfPlace>(sql`${usersIn('observers', submissions, observers)} union all ${graders(submissions)}`)]
      : []),
  ];
  const rows = (await db.perform(lists)).flat();
  return byAudience(rows.map(({ users }) => JSON.parse(users) as Connected[]));
}

function byAudience(found: readonly (readonly Connected[])[]): ConcernedUsers[] {
  const least = new Map<number, { readonly object: number; readonly audience: number }>();
  for (const users of found) {
    // A user with several enrollments in a course is listed several times.
    const audience = new Set(users.map(([user]) => user)).size;
    for (const [user, object] of users)
      if (audience < (least.get(user)?.audience ?? Number.POSITIVE_INFINITY)) least.set(user, { object, audience });
  }
  const groups = Map.groupBy(least, ([, { object, audience }]) => `${object} ${audience}`);
  return [...groups.values()].map((group) => ({ ...(group[0] as (typeof group)[number])[1], users: group.map(([user]) => user) }));
}
