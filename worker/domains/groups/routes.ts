// Groups: every endpoint, in the order of the API reference.

import { bool, choice, either, listOf, maybe, object, optional, referenceTo, searchTerm, text } from '@carrel/shared/wire/fields';
import { and, eq, sql } from 'drizzle-orm';
import { type GroupContext, managesAnyGroups } from '../../contexts/group';
import { idsOf, readId } from '../../contexts/references';
import { isInSectionLimit } from '../../contexts/section_limit';
import { contains } from '../../database/ids';
import type { Statement } from '../../database/open';
import type { Call } from '../../http/call';
import { del, get, put } from '../../http/endpoint';
import { ascending, rows } from '../../http/listing';
import { invalid, Problem, termTooShort, unauthorized } from '../../http/problem';
import { answer, list, one, oneOr, type Reply, row, write } from '../../http/reply';
import { user } from '../users/json';
import { holding } from '../users/search/matches';
import { users } from '../users/table';
import { changedGroup, groupIncludes, group as groupJson } from './json';
import { onlyMembership, replaceMembers } from './members';
import { groupColumnsOf, groupFields, groupRefusals, pictureGiven } from './new_group';
import { permissionsInGroup } from './permissions';
import { activeMembersOf, type CollaborationFilter, isInactiveIn, onlyGroup, presentGroups } from './policy';
import { group_memberships, groups } from './table';

export const about = { title: 'Groups', description: 'Groups of students and their memberships.' };

const include = groupIncludes;
const listed = {
  can: 'read_roster',
  params: {
    only_own_groups: optional(bool),
    filter: optional(text),
    collaboration_state: choice('all', 'collaborative', 'non_collaborative'),
    section_restricted: optional(bool),
  },
  include,
  returns: [groupJson],
} as const;

interface Filters {
  readonly only_own_groups?: boolean;
  readonly filter?: string;
  readonly collaboration_state?: CollaborationFilter;
  readonly section_restricted?: boolean;
}

const mine = (me: { readonly id: number }) =>
  sql`${groups.id} in (select m.group_id from group_memberships m where m.user_id = ${me.id} and m.workflow_state = 'accepted')`;

function listHere(call: Pick<Call, 'me' | 'course' | 'account'> & { params: Filters }): Reply {
  const { me, course, params } = call;
  const term = params.filter?.trim();
  // Section-restricted callers see only groups with members of their sections.
  const isHeld = params.section_restricted && course && (course.sectionLimit !== null || !managesAnyGroups(course));
  return list(
    rows(groups, {
      where: and(
        presentGroups(call, params.collaboration_state),
        params.only_own_groups ? mine(me) : undefined,
        term ? contains(groups.name, term) : undefined,
        isHeld
          ? sql`exists (select 1 from group_memberships m join enrollments e on e.user_id = m.user_id where m.group_id = ${groups.id} and m.workflow_state = 'accepted'
              and e.course_section_id in (select value from json_each(${JSON.stringify(course.sectionLimit ?? course.sectionIds)})))`
          : undefined,
      ),
      order: ascending(groups.group_category_id, groups.name, groups.id),
    }),
  );
}

/** Ids of the users named in the request; unknown references are ignored. */
async function people({ db }: Pick<Call, 'db'>, references: readonly string[]): Promise<number[]> {
  const ids = references.map(readId);
  if (ids.every((id) => id !== undefined)) return ids;
  const [found] = await db.perform([db.build.all<{ id: number | null }>(idsOf('user', references))]);
  return found.flatMap(({ id }) => id ?? []);
}

type Leader = string | null | { readonly id?: string | null };

/** The id of the requested leader: null for none, 0 for an unknown user, undefined to keep the current one. */
async function leaderGiven(call: Pick<Call, 'db'>, leader: Leader | undefined): Promise<number | null | undefined> {
  if (leader === undefined) return undefined;
  const reference = typeof leader === 'object' ? leader?.id : undefined;
  return reference == null ? null : ((await people(call, [reference]))[0] ?? 0);
}

/**
 * A leader is a member, now or after this request.
 * @throws Problem 400
 */
async function refuseLeader(
  leader_id: number | null | undefined,
  members: readonly number[] | undefined,
  group: GroupContext,
  { db }: Pick<Call, 'db'>,
) {
  if (leader_id == null || members?.includes(leader_id)) return;
  const [[member]] = await db.perform([db.build.select().from(group_memberships).where(onlyMembership(group, leader_id))]);
  if (member?.workflow_state !== 'accepted' || members) throw new Problem(400, {});
}

/** Members may leave meanwhile: the statement checks the leader's membership again. */
const appoint = (leader_id: number | null, group: GroupContext, { db }: Pick<Call, 'db'>): Statement =>
  db.build
    .update(groups)
    .set({ leader_id })
    .where(
      and(
        onlyGroup(group),
        leader_id === null
          ? undefined
          : sql`exists (select 1 from group_memberships m where m.group_id = ${group.id} and m.user_id = ${leader_id} and m.workflow_state = 'accepted')`,
      ),
    );

export const groupRoutes = [
  get(
    '/users/self/groups',
    {
      can: 'user',
      params: { context_type: choice('Account', 'Course') },
      include,
      returns: [groupJson],
      summary: "List the caller's groups",
    },
    ({ me, params }) =>
      list(
        rows(groups, {
          from: group_memberships,
          join: (select) => select.innerJoin(groups, eq(groups.id, group_memberships.group_id)),
          where: and(
            eq(group_memberships.user_id, me.id),
            eq(group_memberships.workflow_state, 'accepted'),
            eq(groups.workflow_state, 'available'),
            eq(groups.non_collaborative, false),
            sql`(groups.context_type = 'Account' or not exists (select 1 from courses c where c.id = groups.context_id and c.workflow_state = 'deleted'))`,
            params.context_type ? eq(groups.context_type, params.context_type) : undefined,
          ),
          order: ascending(group_memberships.group_name, group_memberships.group_id),
        }),
      ),
  ),
  get('/courses/:course_id/groups', { ...listed, summary: 'List the groups of a course' }, listHere),
  get('/accounts/:account_id/groups', { ...listed, summary: 'List the groups of an account' }, listHere),
  get('/groups/:group_id', { can: 'read', include, returns: groupJson, summary: 'Get a group' }, ({ group }) =>
    one(rows(groups, { where: onlyGroup(group) })),
  ),

  put(
    '/groups/:group_id',
    {
      can: (call) => call.group?.updates ?? false,
      params: {
        ...groupFields,
        members: optional(listOf(referenceTo('user'))),
        leader: optional(either(object({ id: optional(maybe(referenceTo('user'))) }), maybe(referenceTo('user')))),
        override_sis_stickiness: optional(bool),
      },
      include,
      returns: changedGroup,
      summary: 'Update a group',
    },
    async (call) => {
      const { db, group, params, now } = call;
      const isStuck = params.override_sis_stickiness === false && group.stuck_sis_fields?.includes(',name,');
      const columns = groupColumnsOf(isStuck ? { ...params, name: undefined } : params, group.category, group, group);
      const room = params.max_membership;
      const members = params.members && (await people(call, params.members));
      const leader_id = await leaderGiven(call, params.leader);
      if (room != null && room < group.members_count && members === undefined)
        throw invalid('max_membership', 'invalid', 'is less than the number of members');
      if (members && !group.manages) throw unauthorized();
      await refuseLeader(leader_id, members, group, call);
      const after = { ...group, max_membership: room === undefined ? group.max_membership : room };
      return write(
        [
          db.build
            .update(groups)
            // A public group cannot be made private again.
            .set({ ...columns, avatar_id: pictureGiven(params), is_public: group.is_public || columns.is_public, updated_at: now })
            .where(onlyGroup(group)),
          ...(members ? replaceMembers(db, after, members, now) : []),
          ...(leader_id === undefined ? [] : [appoint(leader_id, group, call)]),
        ],
        oneOr(rows(groups, { where: onlyGroup(group) }), () => new Problem(400, {})),
        groupRefusals,
      );
    },
  ),
  del(
    '/groups/:group_id',
    { can: (call) => call.group?.deletes ?? false, include, returns: changedGroup, summary: 'Delete a group' },
    ({ db, group, now }) =>
      write([db.build.update(groups).set({ workflow_state: 'deleted', updated_at: now }).where(onlyGroup(group))], row(group)),
  ),

  get(
    '/groups/:group_id/users',
    {
      can: 'read_roster',
      params: { search_term: searchTerm, exclude_inactive: optional(bool) },
      include: ['avatar_url'],
      returns: [user],
      summary: 'List group users',
    },
    ({ group, params }) => {
      const term = params.search_term?.trim();
      if (term !== undefined && term !== '' && term.length < 2) throw termTooShort();
      return list(
        rows(users, {
          from: group_memberships,
          join: (select) => select.innerJoin(users, eq(users.id, group_memberships.user_id)),
          where: and(
            activeMembersOf(group),
            group.isMember ? undefined : isInSectionLimit(group.course, sql`${users.id}`),
            term ? holding(term, ['name', 'sortable_name']) : undefined,
            params.exclude_inactive && group.course ? sql`not (${isInactiveIn(sql`${group.course.id}`, sql`${users.id}`)})` : undefined,
          ),
          order: ascending(group_memberships.sortable_name, group_memberships.user_id),
        }),
      );
    },
  ),
  get(
    '/groups/:group_id/permissions',
    {
      can: 'read',
      params: { permissions: optional(listOf(text)) },
      returns: { json: null },
      summary: "Get the caller's permissions in a group",
    },
    (call) => answer(permissionsInGroup(call.group, call.params.permissions, call)),
  ),
];
