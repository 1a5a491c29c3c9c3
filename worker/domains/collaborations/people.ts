// Who may join a collaboration: visible users of its course or group, and groups of the course.

import { and, eq, type SQL, sql } from 'drizzle-orm';
import { isInSectionLimit } from '../../contexts/section_limit';
import { among, theIds } from '../../database/ids';
import type { Call } from '../../http/call';
import { ascending, type Listing, rows } from '../../http/listing';
import { badParameter } from '../../http/problem';
import { courseUsersOf } from '../course_users/policy';
import { enrollments } from '../enrollments/table';
import { group_memberships, groups } from '../groups/table';
import { users } from '../users/table';
import type { MembersGiven } from './input';

/** Members of the group who are visible to the caller. */
const inGroup = ({ group }: Call) =>
  and(
    eq(group_memberships.group_id, group?.id ?? 0),
    eq(group_memberships.workflow_state, 'accepted'),
    group?.isMember ? undefined : isInSectionLimit(group?.course, sql`${users.id}`),
  );

/** Members of the group, or active users of the course, by sortable name. */
export function possibleCollaborators(call: Call): Listing {
  const { course, group } = call;
  if (group || !course)
    return rows(users, {
      from: group_memberships,
      join: (select) => select.innerJoin(users, eq(users.id, group_memberships.user_id)),
      where: inGroup(call),
      order: ascending(group_memberships.sortable_name, group_memberships.user_id),
    });
  return rows(users, {
    from: enrollments,
    join: (select) => select.innerJoin(users, eq(users.id, enrollments.user_id)),
    where: sql`${courseUsersOf(course, { enrollment_state: ['active'] }, call)}`,
    order: ascending(enrollments.sortable_name, enrollments.user_id),
  });
}

const texts = (values: readonly string[]): SQL => sql`select value from json_each(${JSON.stringify(values)})`;

/** The named users whom the caller may add. */
function peopleNamed(call: Call, { users: ids, ltiUsers }: MembersGiven) {
  const { course, group, db } = call;
  const named = sql`(users.id in (${theIds(ids)}) or users.uuid in (${texts(ltiUsers)}))`;
  const fields = { id: users.id, uuid: users.uuid };
  if (group || !course)
    return db.build
      .select(fields)
      .from(group_memberships)
      .innerJoin(users, eq(users.id, group_memberships.user_id))
      .where(and(inGroup(call), named));
  return db.build
    .select(fields)
    .from(enrollments)
    .innerJoin(users, eq(users.id, enrollments.user_id))
    .where(and(sql`${courseUsersOf(course, { enrollment_state: ['active'] }, call)}`, named));
}

/** The named groups that belong to the course; without `read_roster`, only the caller's own. */
const groupsNamed = ({ db, me, course, group }: Call, { groups: ids, ltiGroups }: MembersGiven) =>
  db.build
    .select({ id: groups.id, uuid: groups.uuid })
    .from(groups)
    .where(
      and(
        sql`(${among(groups.id, ids)} or groups.uuid in (${texts(ltiGroups)}))`,
        eq(groups.context_type, 'Course'),
        eq(groups.context_id, group ? 0 : (course?.id ?? 0)),
        eq(groups.workflow_state, 'available'),
        eq(groups.non_collaborative, false),
        course?.can('read_roster')
          ? undefined
          : sql`groups.id in (select m.group_id from group_memberships m where m.user_id = ${me.id} and m.workflow_state = 'accepted')`,
      ),
    );

/** Reads the named members; `membersFound` validates them. */
export const readMembers = (call: Call, named: MembersGiven) => [peopleNamed(call, named), groupsNamed(call, named)] as const;

interface Found {
  readonly id: number;
  readonly uuid: string;
}

function allOf(parameter: string, found: readonly Found[], ids: readonly number[], uuids: readonly string[]): number[] {
  const [known, knownUuids] = [new Set(found.map(({ id }) => id)), new Set(found.map(({ uuid }) => uuid))];
  if (ids.some((id) => !known.has(id)) || uuids.some((uuid) => !knownUuids.has(uuid)))
    throw badParameter(parameter, 'includes a user or group that cannot join');
  return [...known];
}

/** The ids of the members. @throws Problem 400 when one of them cannot join */
export const membersFound = (named: MembersGiven, people: readonly Found[], teams: readonly Found[]) => ({
  users: allOf('user', people, named.users, named.ltiUsers),
  groups: allOf('group', teams, named.groups, named.ltiGroups),
});

export type Members = ReturnType<typeof membersFound>;
