// Whom a user may write to: classmates, group members, observed students, and users of administered accounts.

import { type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { below, isBelow } from '../../../contexts/account_tree';
import { chainOf } from '../../../contexts/institution';
import { roleHolds } from '../../../contexts/permissions';
import { isActiveOrPastStaff, isStaff, isStudent } from '../../../contexts/predicates';
import { meets } from '../../../contexts/section_limit';
import type { Viewer } from '../../../contexts/viewer';
import type { Database } from '../../../database/open';
import { shared } from '../../../database/shared';
import type { Call } from '../../../http/call';
import { courses } from '../../courses/table';

const c = alias(courses, 'c');

/** Plain data, so that it can be sent to a Durable Object. */
export interface RecipientReach {
  readonly me: number;
  /** Accounts whose rosters the user may read. */
  readonly accounts: readonly number[];
  /** Whether the root account is one of them. */
  readonly isEverybody: boolean;
}

export function recipientReachOf({ me, institution }: Pick<Call, 'me' | 'institution'>): RecipientReach {
  const accounts = me.adminLinks
    .filter((link) => roleHolds('read_roster', link.role, chainOf(link.account_id, institution), institution.overrides))
    .map((link) => link.account_id);
  return { me: me.id, accounts, isEverybody: accounts.includes(institution.root.id) };
}

/** Whether enrollments `mine` and `theirs` in a course `c` may contact each other; section-restricted users only within their section. */
const meet = (id: number, who = 'theirs'): SQL => {
  const [me, theirs] = [shared('user', id), sql.raw(who)];
  return sql`mine.user_id = ${me}
  and ${meets('mine', who)}
  and ${theirs}.enrollment_state in ('active', 'invited', 'completed')
  and (
    (${isActiveOrPastStaff('mine')} and c.workflow_state <> 'deleted')
    or (mine.enrollment_state = 'active' and c.workflow_state = 'available' and ${theirs}.enrollment_state <> 'completed' and (
      (${isStudent('mine')} and (${theirs}.type <> 'ObserverEnrollment' or ${theirs}.observed_user_id = ${me}))
      or (mine.type = 'ObserverEnrollment' and (${isStaff(who)} or ${theirs}.user_id = mine.observed_user_id or ${theirs}.user_id = ${me}))
    ))
  )`;
};

interface Meeting {
  readonly user_id: number;
  readonly course_id: number;
  readonly type: string;
}

/** The shared courses of the caller and these users, with the users' roles there. */
export const meetings = ({ build }: Database, userIds: SQL, me: number) =>
  build.all<Meeting>(
    sql`select distinct theirs.user_id, theirs.course_id, theirs.type from enrollments theirs
      join enrollments mine on mine.course_id = theirs.course_id join courses c on c.id = theirs.course_id
      where theirs.user_id in (${userIds}) and ${meet(me)} order by theirs.user_id, theirs.course_id, theirs.type`,
  );

const named = (accounts: readonly number[]): SQL => sql`select value from json_each(${shared('accounts', JSON.stringify(accounts))})`;

/** `mine` and `theirs` are memberships of one active group `g`. */
const inOneGroup = (
  me: SQL,
): SQL => sql`mine.user_id = ${me} and mine.workflow_state = 'accepted' and theirs.group_id = mine.group_id and theirs.workflow_state = 'accepted'
  and g.id = mine.group_id and g.workflow_state = 'available' and not g.non_collaborative
  and (g.context_type = 'Account' or exists (select 1 from courses c where c.id = g.context_id and c.workflow_state = 'available'))`;
const memberships = sql.raw('group_memberships theirs cross join group_memberships mine cross join groups g');

/** The groups that the caller shares with a user, as JSON of ids. */
export const teamsWith = (user: SQL, me: number): SQL =>
  sql`(select json_group_array(theirs.group_id) from ${memberships} where theirs.user_id = ${user} and ${inOneGroup(shared('user', me))})`;

/** Ids of the members of the caller's account groups, who need not share a course. */
export const inAccountGroups = ({ me }: RecipientReach): SQL =>
  sql`select theirs.user_id as found from group_memberships mine cross join groups g cross join group_memberships theirs where g.context_type = 'Account' and ${inOneGroup(shared('user', me))}`;

/** The ids that the user may write to. */
export const reachable = ({ me, accounts, isEverybody }: RecipientReach, userIds: SQL): SQL =>
  isEverybody
    ? userIds
    : sql`select theirs.user_id from enrollments theirs join enrollments mine on mine.course_id = theirs.course_id join courses c on c.id = theirs.course_id
        where theirs.user_id in (${userIds}) and ${meet(me)}
        union select e.user_id from enrollments e join courses c on c.id = e.course_id
        where e.user_id in (${userIds}) and e.enrollment_state not in ('deleted', 'rejected') and ${isBelow(c.account_id, named(accounts))}
        union select theirs.user_id from ${memberships} where theirs.user_id in (${userIds}) and ${inOneGroup(shared('user', me))}
        union select ${shared('user', me)} where ${shared('user', me)} in (${userIds})`;

/** The courses that the caller shares with a user, and the user's role there, as JSON of `[course_id, type]`. */
export const metWith = (user: SQL, me: number): SQL =>
  sql`(select json_group_array(json_array(course_id, type)) from (select distinct theirs.course_id, theirs.type from enrollments theirs
      cross join enrollments mine on mine.course_id = theirs.course_id cross join courses c on c.id = theirs.course_id
      where theirs.user_id = ${user} and ${meet(me)} order by theirs.course_id, theirs.type))`;

/** Whether a user is in a course of the accounts whose rosters the caller may read. */
export const isInAccounts = ({ accounts }: RecipientReach, user: SQL): SQL =>
  sql`exists (select 1 from enrollments e join courses c on c.id = e.course_id where e.user_id = ${user} and e.enrollment_state not in ('deleted', 'rejected') and ${isBelow(c.account_id, named(accounts))})`;

/** Whether the caller may write to a user; only for callers who may not write to everyone. */
export const reaches = (reach: RecipientReach, user: SQL): SQL =>
  sql`(${user} = ${shared('user', reach.me)} or exists (select 1 from enrollments theirs cross join enrollments mine on mine.course_id = theirs.course_id cross join courses c on c.id = theirs.course_id
      where theirs.user_id = ${user} and ${meet(reach.me)})
    or exists (select 1 from ${memberships} where theirs.user_id = ${user} and ${inOneGroup(shared('user', reach.me))})${reach.accounts.length === 0 ? sql`` : sql` or ${isInAccounts(reach, user)}`})`;

interface Span {
  readonly after: readonly [name: string, id: number] | undefined;
  readonly limit: SQL;
}

/**
 * Ids of the first classmates by name in each of the caller's courses; each roster is walked at most one page deep. Observers have few contacts, who
 * are queried directly.
 */
export function firstMet({ me }: RecipientReach, chosen: SQL, { after, limit }: Span): SQL {
  const beyond = after ? sql` and (theirs.sortable_name, theirs.user_id) > (${after[0]}, ${after[1]})` : sql``;
  // The unary plus stops SQLite from walking a roster to find one user.
  const beyondThem = after ? sql` and (+theirs.sortable_name, theirs.user_id) > (${after[0]}, ${after[1]})` : sql``;
  const isOpen = sql`mine.user_id = ${me} and ((${isActiveOrPastStaff('mine')}) or (mine.enrollment_state = 'active' and c.workflow_state = 'available'))`;
  const roster = (
    isObserver: boolean,
    theirs: SQL,
  ) => sql`select distinct theirs.sortable_name, theirs.user_id from enrollments theirs indexed by ${sql.raw(isObserver ? 'enrollments_in_course' : 'enrollments_people')} cross join users on users.id = theirs.user_id
    where theirs.course_id = mine.course_id and ${theirs} and ${meet(me)} and ${chosen}${beyond} order by theirs.sortable_name, theirs.user_id limit ${limit}`;
  const each = (isObserver: boolean, theirs: SQL) => sql`select j.value from enrollments mine cross join courses c on c.id = mine.course_id
    cross join json_each((select json_group_array(user_id) from (${roster(isObserver, theirs)}))) j where ${isOpen} and mine.type ${sql.raw(isObserver ? '=' : '<>')} 'ObserverEnrollment'`;
  const watched = sql`(${isStaff('theirs')})`;
  return sql`${each(false, sql`1`)} union ${each(true, watched)}
    union select mine.observed_user_id from enrollments mine cross join courses c on c.id = mine.course_id cross join enrollments theirs on theirs.course_id = mine.course_id and theirs.user_id = mine.observed_user_id
      cross join users on users.id = theirs.user_id where ${isOpen} and ${meet(me)} and ${chosen}${beyondThem}`;
}

/** Whether the caller may write to the user of an enrollment because of its course. */
export const meetsIn = ({ me, accounts }: RecipientReach, who: 'theirs' | 'twin' = 'theirs'): SQL =>
  sql`(exists (select 1 from enrollments mine cross join courses c on c.id = mine.course_id where mine.course_id = ${sql.raw(who)}.course_id and ${meet(me, who)})
      or exists (select 1 from courses c where c.id = ${sql.raw(who)}.course_id and ${isBelow(c.account_id, named(accounts))}))`;

/** Accounts that a user administers, with their descendants. */
export const rosterAccounts = ({ adminLinks }: Viewer): SQL => below(named(adminLinks.map((link) => link.account_id)));
