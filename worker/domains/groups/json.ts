// Groups and memberships as clients see them.

import { Group, GroupMembership } from '@carrel/shared/resources/group';
import { lookUp } from '@carrel/shared/wire/look_up';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { type CategoryRow, type MembershipRow, managesAnyGroups } from '../../contexts/group';
import { isInSectionLimit } from '../../contexts/section_limit';
import { feedAddress } from '../../crypto/feed_address';
import { isInSelect } from '../../database/ids';
import type { Call } from '../../http/call';
import { ascending, type RowOf, rows } from '../../http/listing';
import { embed, serializer } from '../../http/serializer';
import { when } from '../../http/when';
import { group_categories } from '../group_categories/table';
import { type DisplayRow, displayColumn, userDisplay } from '../users/display';
import { user } from '../users/json';
import { users } from '../users/table';
import { plainCategory } from './category_json';
import { type allowsMany, isInactiveIn, isLive, mayJoin } from './policy';
import { group_memberships, groups } from './table';
import { tabsOfGroup } from './tabs';

export const groupIncludes = [
  'tabs',
  'users',
  'group_category',
  'permissions',
  'favorites',
  'can_access',
  'can_message',
  'include_inactive_users',
] as const;

type Row = RowOf<typeof groups> & {
  readonly context_name?: string;
  readonly role?: string | null;
  readonly leader?: DisplayRow | null;
  readonly is_concluded?: number;
  readonly avatar?: string | null;
  readonly has_submitted?: number;
  readonly my_part?: string | null;
  readonly is_favorite?: number;
};

/** Groups in a course, as opposed to an account. */
const isCourse = sql`groups.context_type = 'Course'`;

/** Maximum number of users included in a group. */
const mostUsers = 1000;

/** In groups other than their own, section-restricted callers see only members of their sections. */
const heldTo = ({ group: place, course = place?.course, me }: Call): SQL | undefined => {
  const reached = isInSectionLimit(course, sql`${users.id}`);
  return (
    reached &&
    sql`(${reached} or exists (select 1 from group_memberships own where own.group_id = ${group_memberships.group_id} and own.user_id = ${me.id} and own.workflow_state = 'accepted'))`
  );
};

const memberRows = (ids: SQL, call: Call) =>
  rows(users, {
    join: (select) => select.innerJoin(group_memberships, eq(group_memberships.user_id, users.id)),
    columns: { member_of: sql`${group_memberships.group_id}`.as('member_of') },
    where: and(
      isInSelect(group_memberships.group_id, ids),
      heldTo(call),
      eq(group_memberships.workflow_state, 'accepted'),
      call.include.has('include_inactive_users')
        ? undefined
        : sql`not exists (select 1 from groups g where g.id = ${group_memberships.group_id} and g.context_type = 'Course' and ${isInactiveIn(sql`g.context_id`, sql`${users.id}`)})`,
    ),
    order: ascending(group_memberships.sortable_name, group_memberships.user_id, group_memberships.group_id),
  });

/** Members, and staff of the course or account around the group. */
function hasAccess({ my_part }: Row, { group, course, account }: Call): boolean {
  const around = group ?? course ?? account;
  return my_part === 'accepted' || my_part === 'moderator' || managesAnyGroups(around) || (around?.can('view_group_pages') ?? false);
}

const permissionsJson = (row: Row, category: CategoryRow | undefined, mayPost: boolean, { group, course, me, now }: Call) => ({
  create_discussion_topic: mayPost,
  create_announcement: mayPost,
  join: !row.my_part && category !== undefined && mayJoin(row, category, group?.course ?? course, me, now),
});

/** The members of a group among those of the page. */
const usersIn = (row: Row, members: readonly { readonly row: Readonly<Record<string, unknown>>; readonly json: object }[] | undefined) =>
  members
    ?.filter((one) => lookUp<unknown>(one.row, 'member_of') === row.id)
    .slice(0, mostUsers)
    .map(({ json }) => json);

const telling = (...always: (typeof groupIncludes)[number][]) => {
  const wants = (call: Call, word: (typeof groupIncludes)[number]) => always.includes(word) || call.include.has(word);
  return serializer({
    resource: Group,
    table: groups,
    columns: ({ me }) => ({
      context_name:
        sql<string>`case when ${isCourse} then (select c.name from courses c where c.id = groups.context_id) else (select a.name from accounts a where a.id = groups.context_id) end`.as(
          'context_name',
        ),
      role: sql<string | null>`(select c.role from group_categories c where c.id = groups.group_category_id)`.as('role'),
      leader: displayColumn(sql`groups.leader_id`).as('leader'),
      is_concluded:
        sql<number>`${isCourse} and exists (select 1 from courses c where c.id = groups.context_id and c.workflow_state = 'completed')`.as(
          'is_concluded',
        ),
      avatar: sql<
        string | null
      >`(select f.uuid from files f where f.id = groups.avatar_id and f.context_type = 'Group' and f.context_id = groups.id and f.workflow_state = 'available')`.as(
        'avatar',
      ),
      has_submitted:
        sql<number>`exists (select 1 from assignments a cross join group_memberships m on m.group_id = groups.id and m.workflow_state = 'accepted' join submissions s on s.assignment_id = a.id and s.user_id = m.user_id and s.submission_type is not null where a.group_category_id = groups.group_category_id and a.workflow_state <> 'deleted')`.as(
          'has_submitted',
        ),
      my_part: sql<
        string | null
      >`(select case when m.moderator then 'moderator' else m.workflow_state end from group_memberships m where m.group_id = groups.id and m.user_id = ${me.id} and m.${isLive})`.as(
        'my_part',
      ),
      is_favorite:
        sql<number>`exists (select 1 from favorites v where v.user_id = ${me.id} and v.context_type = 'Group' and v.context_id = groups.id)`.as(
          'is_favorite',
        ),
    }),
    also: (ids, call) => ({
      members: wants(call, 'users') ? embed(user, memberRows(ids, call)) : undefined,
      categories:
        wants(call, 'group_category') || wants(call, 'permissions')
          ? embed(
              plainCategory,
              rows(group_categories, {
                where: isInSelect(group_categories.id, sql`select group_category_id from groups where id in (${ids})`),
              }),
            )
          : undefined,
    }),
    json(row: Row, call, { members, categories }) {
      const { origin } = call;
      const around = call.group ?? call.course ?? call.account;
      const isOpen = hasAccess(row, call);
      const category = categories?.find((one) => one.row.id === row.group_category_id);
      return {
        ...row,
        ...(row.context_type === 'Course' ? { course_id: row.context_id } : { account_id: row.context_id }),
        context_name: row.context_name ?? '',
        avatar_url: row.avatar ? `${origin}/images/thumbnails/${row.avatar_id}/${row.avatar}` : null,
        role: row.role ?? (row.non_collaborative ? 'non_collaborative' : null),
        leader: row.leader ? userDisplay(row.leader, origin) : null,
        followed_by_user: false,
        has_submission: row.has_submitted === 1,
        concluded: row.is_concluded === 1 || row.workflow_state === 'deleted' || row.standing === 'completed',
        sis_group_id: around?.can('read_sis') ? row.sis_group_id : undefined,
        sis_import_id: around?.can('manage_sis') ? row.sis_import_id : undefined,
        users: usersIn(row, members),
        group_category: when(wants(call, 'group_category'), category?.json),
        is_favorite: when(wants(call, 'favorites'), row.is_favorite === 1),
        html_url: `${origin}/groups/${row.id}`,
        calendar: isOpen ? { ics: feedAddress(`group_${row.id}`, call) } : undefined,
        tabs: when(wants(call, 'tabs'), tabsOfGroup(row, origin)),
        permissions: when(wants(call, 'permissions'), permissionsJson(row, category?.row, isOpen, call)),
        can_access: when(wants(call, 'can_access'), isOpen),
        can_message: when(wants(call, 'can_message'), isOpen),
      };
    },
  });
};

/** A group in a list or by itself, with `include[]`. */
export const group = telling();
/** A group after an update. */
export const changedGroup = telling('users', 'group_category', 'permissions');

/** Pending members exist only in communities; elsewhere users join at once. */
export const stateOf = (category: Parameters<typeof allowsMany>[0] & { role: string | null }, joinLevel: string, asks: boolean) => {
  if (category.role !== 'communities') return 'accepted' as const;
  if (joinLevel === 'parent_context_auto_join') return 'accepted' as const;
  return joinLevel === 'parent_context_request' && asks ? ('requested' as const) : ('invited' as const);
};

export const groupMembership = serializer({
  resource: GroupMembership,
  table: group_memberships,
  json: (row: MembershipRow, { group: place }) => ({
    ...row,
    sis_group_id: place?.can('read_sis') ? place.sis_group_id : undefined,
    sis_import_id: place?.can('manage_sis') ? row.sis_import_id : undefined,
  }),
});
