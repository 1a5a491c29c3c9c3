// Joining and leaving groups. The inserting statement itself enforces the size limit.

import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { GroupContext } from '../../contexts/group';
import { readId } from '../../contexts/references';
import { isInSectionLimit } from '../../contexts/section_limit';
import type { Database, Statement } from '../../database/open';
import type { Call } from '../../http/call';
import { ascending, rows } from '../../http/listing';
import { found, invalid, Problem, unauthorized } from '../../http/problem';
import { oneOr, type Reply, row, write } from '../../http/reply';
import { stateOf } from './json';
import { belongs, isLive, mayJoin, roomOf } from './policy';
import { group_memberships, type membershipStates } from './table';

type State = (typeof membershipStates)[number];

export const isFull = () => invalid('group_id', 'invalid', 'The group is full.');

/** A user's live membership. */
export const onlyMembership = (group: { readonly id: number }, user_id: number): SQL =>
  and(eq(group_memberships.group_id, group.id), eq(group_memberships.user_id, user_id), isLive) as SQL;

/** Users of the group's course or account; section-restricted callers may add only users of their sections. */
const mayEnter = (group: GroupContext, user: SQL): SQL => and(belongs(group, user), isInSectionLimit(group.course, user)) as SQL;

/**
 * Adds the users selected by `user_id` while there is room, skipping members. Of two concurrent requests for the last place, one finds the group
 * full.
 */
export function letIn(db: Database, group: GroupContext, people: SQL, state: State, now: string): Statement {
  const room = roomOf(sql`${group.id}`);
  const left =
    state === 'accepted'
      ? sql`case when ${room} is null then -1 else max(0, ${room} - (select members_count from groups where id = ${group.id})) end`
      : sql`-1`;
  return db.build.run(sql`insert into group_memberships (group_id, user_id, workflow_state, moderator, created_at, updated_at)
    select ${group.id}, p.user_id, ${state}, 0, ${now}, ${now} from (select distinct user_id from (${people})) p
    where exists (select 1 from groups g where g.id = ${group.id} and g.workflow_state = 'available')
      and not exists (select 1 from group_memberships m where m.group_id = ${group.id} and m.user_id = p.user_id and m.${isLive})
      and ${mayEnter(group, sql`p.user_id`)} order by p.user_id limit ${left}`);
}

/** Whether the user shares a section with every other member. */
const sharesSection = (group: GroupContext, user_id: number): SQL =>
  sql`(not exists (select 1 from group_memberships m where m.group_id = ${group.id} and m.workflow_state = 'accepted')
    or exists (select 1 from enrollments mine where mine.user_id = ${user_id} and mine.course_id = ${group.context_id} and mine.enrollment_state in ('active', 'invited')
      and not exists (select 1 from group_memberships m where m.group_id = ${group.id} and m.workflow_state = 'accepted'
        and not exists (select 1 from enrollments e where e.user_id = m.user_id and e.course_section_id = mine.course_section_id and e.enrollment_state in ('active', 'invited', 'completed')))))`;

/** A user joins, or is added by a user with the permission. */
export async function join(call: Call & { group: GroupContext }, given: string | undefined): Promise<Reply> {
  const { db, me, group, now } = call;
  const user_id = given === undefined || given === 'self' ? me.id : (readId(given) ?? call.named_id ?? 0);
  const isMe = user_id === me.id;
  const asks = isMe && mayJoin(group, group.category, group.course, me, now);
  if (isMe && group.membership) return row(group.membership, { just_created: false });
  if (!asks && !group.can('manage_groups_manage')) throw unauthorized();
  const [[standing], before] = await db.perform([
    db.build
      .select({
        is_known: sql<number>`${mayEnter(group, sql`${user_id}`)}`.as('is_known'),
        shares: sql<number>`${group.category.self_signup === 'restricted' && asks ? sharesSection(group, user_id) : sql`1`}`.as('shares'),
        room: sql<number | null>`${roomOf(sql`${group.id}`)}`.as('room'),
        count: sql<number>`(select members_count from groups where id = ${group.id})`.as('count'),
      })
      .from(sql`(select 1)`),
    db.build.select().from(group_memberships).where(onlyMembership(group, user_id)),
  ]);
  if (before[0]) return row(before[0], { just_created: false });
  const { is_known, shares, room, count } = found(standing);
  if (!is_known) throw invalid('user_id', 'invalid', 'is not a member of the context');
  if (!shares) throw invalid('user_id', 'invalid', "must share a section with the group's members");
  const state = stateOf(group.category, group.join_level, asks);
  if (state === 'accepted' && room !== null && count >= room) throw isFull();
  return write([letIn(db, group, sql`select ${user_id} as user_id`, state, now)], {
    ...oneOr(rows(group_memberships, { where: onlyMembership(group, user_id) }), isFull),
    beside: { just_created: true },
  } as Reply);
}

/** The membership of the path: by its id or by user, `self` in either case. */
export async function membershipNamed(call: Call & { group: GroupContext }): Promise<typeof group_memberships.$inferSelect> {
  const { db, group, path, me, user } = call;
  const which = user
    ? onlyMembership(group, user.id)
    : path.membership_id === 'self'
      ? onlyMembership(group, me.id)
      : and(eq(group_memberships.group_id, group.id), eq(group_memberships.id, readId(path.membership_id ?? '') ?? 0), isLive);
  const [[it]] = await db.perform([db.build.select().from(group_memberships).where(which)]);
  return found(it);
}

interface Change {
  readonly workflow_state?: string;
  readonly moderator?: boolean;
}

/** Accepts pending members and appoints moderators. Invited users accept for themselves. */
export async function updateMembership(call: Call & { group: GroupContext; params: Change }): Promise<Reply> {
  const { db, group, me, now, params } = call;
  const it = await membershipNamed(call);
  const answersInvitation =
    it.user_id === me.id && it.workflow_state === 'invited' && params.workflow_state === 'accepted' && params.moderator === undefined;
  if (!group.manages && !answersInvitation) throw unauthorized();
  const accepts = params.workflow_state === 'accepted' && it.workflow_state !== 'accepted';
  const room = roomOf(sql`${group.id}`);
  const hasRoom = sql`(${room} is null or (select members_count from groups where id = ${group.id}) < ${room})`;
  const its = eq(group_memberships.id, it.id);
  return write(
    [
      ...(accepts
        ? [
            db.build
              .update(group_memberships)
              .set({ workflow_state: 'accepted', updated_at: now })
              .where(and(its, isLive, hasRoom)),
          ]
        : []),
      ...(params.moderator === undefined
        ? []
        : [db.build.update(group_memberships).set({ moderator: params.moderator, updated_at: now }).where(and(its, isLive))]),
    ],
    oneOr(
      rows(group_memberships, { where: and(its, isLive, accepts ? eq(group_memberships.workflow_state, 'accepted') : undefined) }),
      isFull,
    ),
  );
}

export const leaveGroup = (db: Database, which: SQL, now: string): Statement =>
  db.build.update(group_memberships).set({ workflow_state: 'deleted', updated_at: now }).where(and(which, isLive));

/** Replaces the members by the named users who belong to the group's context. */
export function replaceMembers(db: Database, group: GroupContext, ids: readonly number[], now: string): Statement[] {
  const named = sql`select value from json_each(${JSON.stringify(ids)})`;
  const max = [group.max_membership, group.category.group_limit].filter((one): one is number => one !== null);
  if (group.category.role !== 'student_organized' && max.some((one) => ids.length > one)) throw isFull();
  return [
    leaveGroup(db, sql`${group_memberships.group_id} = ${group.id} and ${group_memberships.user_id} not in (${named})`, now),
    letIn(
      db,
      group,
      sql`select value as user_id from json_each(${JSON.stringify(ids)})`,
      stateOf(group.category, group.join_level, false),
      now,
    ),
  ];
}

/** Invites the users with these email addresses or login ids. */
export function invite(call: Call & { group: GroupContext }, addresses: readonly string[]): Reply {
  const { db, group, now } = call;
  if (addresses.length > 500) throw new Problem(400, { message: 'Too many invitees' });
  const asked = JSON.stringify(addresses.map((one) => one.trim().toLowerCase()).filter((one) => one !== ''));
  const people = sql`select c.user_id as user_id from json_each(${asked}) a join communication_channels c on lower(c.address) = a.value and c.type = 'email' and c.workflow_state = 'active'
    union select l.user_id from json_each(${asked}) a join logins l on l.account_id = 1 and lower(l.unique_id) = a.value and l.workflow_state <> 'deleted' and l.workflow_state = 'active'`;
  return write([letIn(db, group, people, stateOf(group.category, group.join_level, false), now)], {
    kind: 'all',
    listing: rows(group_memberships, {
      where: and(eq(group_memberships.group_id, group.id), isLive, sql`${group_memberships.user_id} in (select user_id from (${people}))`),
      order: ascending(group_memberships.id),
    }),
  });
}
