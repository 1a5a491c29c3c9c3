// Whom a person may write to: those met in a course or a group, those observed, those administered.

import { type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { chainOf } from '../../../contexts/institution';
import { roleHolds } from '../../../contexts/permissions';
import { meets } from '../../../contexts/section_limit';
import type { Viewer } from '../../../contexts/viewer';
import type { Database } from '../../../database/open';
import type { Call } from '../../../http/call';
import { below, isBelow } from '../../accounts/tree';
import { courses } from '../../courses/table';
import { staff } from '../../enrollments/table';

const c = alias(courses, 'c');

/** As plain data, so that it can be sent to a turnstile. */
export interface Reach {
  readonly me: number;
  /** Accounts whose rosters the person reads. */
  readonly accounts: readonly number[];
  /** The root is one of them. */
  readonly isEverybody: boolean;
}

export function reachOf({ me, institution }: Pick<Call, 'me' | 'institution'>): Reach {
  const accounts = me.adminLinks
    .filter((link) => roleHolds('read_roster', link.role, chainOf(link.account_id, institution), institution.overrides))
    .map((link) => link.account_id);
  return { me: me.id, accounts, isEverybody: accounts.includes(institution.root.id) };
}

/** `mine` and `theirs` are enrollments in one course `c`; who is held to a section meets only that section. */
const meet = (id: number, who = 'theirs'): SQL => {
  const [me, theirs] = [sql.raw(String(id)), sql.raw(who)];
  return sql`mine.user_id = ${me}
  and ${meets('mine', who)}
  and ${theirs}.enrollment_state in ('active', 'invited', 'completed')
  and (
    (mine.type in ${staff} and mine.enrollment_state in ('active', 'completed') and c.workflow_state <> 'deleted')
    or (mine.enrollment_state = 'active' and c.workflow_state = 'available' and ${theirs}.enrollment_state <> 'completed' and (
      (mine.type in ('StudentEnrollment', 'StudentViewEnrollment') and (${theirs}.type <> 'ObserverEnrollment' or ${theirs}.observed_user_id = ${me}))
      or (mine.type = 'ObserverEnrollment' and (${theirs}.type in ${staff} or ${theirs}.user_id = mine.observed_user_id or ${theirs}.user_id = ${me}))
    ))
  )`;
};

export interface Meeting {
  readonly user_id: number;
  readonly course_id: number;
  readonly type: string;
}

/** Where the caller meets these people, and what they are there. */
export const meetings = ({ build }: Database, userIds: SQL, me: number) =>
  build.all<Meeting>(
    sql`select distinct theirs.user_id, theirs.course_id, theirs.type from enrollments theirs
      join enrollments mine on mine.course_id = theirs.course_id join courses c on c.id = theirs.course_id
      where theirs.user_id in (${userIds}) and ${meet(me)} order by theirs.user_id, theirs.course_id, theirs.type`,
  );

const named = (accounts: readonly number[]): SQL => sql`select value from json_each(${JSON.stringify(accounts)})`;

/** `mine` and `theirs` are memberships of one group `g` that goes on. */
const inOneGroup = (
  me: SQL,
): SQL => sql`mine.user_id = ${me} and mine.workflow_state = 'accepted' and theirs.group_id = mine.group_id and theirs.workflow_state = 'accepted'
  and g.id = mine.group_id and g.workflow_state = 'available' and not g.non_collaborative
  and (g.context_type = 'Account' or exists (select 1 from courses c where c.id = g.context_id and c.workflow_state = 'available'))`;
const memberships = sql.raw('group_memberships theirs cross join group_memberships mine cross join groups g');

/** The groups that the caller shares with a person, as JSON of ids. */
export const teamsWith = (user: SQL, me: number): SQL =>
  sql`(select json_group_array(theirs.group_id) from ${memberships} where theirs.user_id = ${user} and ${inOneGroup(sql.raw(String(me)))})`;

/** Ids of those in the caller's groups of accounts, whom they may meet in no course. */
export const inAccountGroups = ({ me }: Reach): SQL =>
  sql`select theirs.user_id as found from group_memberships mine cross join groups g cross join group_memberships theirs where g.context_type = 'Account' and ${inOneGroup(sql.raw(String(me)))}`;

/** Ids among these of people whom somebody may write to. */
export const reachable = ({ me, accounts, isEverybody }: Reach, userIds: SQL): SQL =>
  isEverybody
    ? userIds
    : sql`select theirs.user_id from enrollments theirs join enrollments mine on mine.course_id = theirs.course_id join courses c on c.id = theirs.course_id
        where theirs.user_id in (${userIds}) and ${meet(me)}
        union select e.user_id from enrollments e join courses c on c.id = e.course_id
        where e.user_id in (${userIds}) and e.enrollment_state not in ('deleted', 'rejected') and ${isBelow(c.account_id, named(accounts))}
        union select theirs.user_id from ${memberships} where theirs.user_id in (${userIds}) and ${inOneGroup(sql.raw(String(me)))}
        union select ${me} where ${me} in (${userIds})`;

/** Where the caller meets a person, and what they are there, as JSON of `[course_id, type]`. */
export const metWith = (user: SQL, me: number): SQL =>
  sql`(select json_group_array(json_array(course_id, type)) from (select distinct theirs.course_id, theirs.type from enrollments theirs
      cross join enrollments mine on mine.course_id = theirs.course_id cross join courses c on c.id = theirs.course_id
      where theirs.user_id = ${user} and ${meet(me)} order by theirs.course_id, theirs.type))`;

/** Whether a person is in the courses of accounts whose rosters are read. */
export const isInAccounts = ({ accounts }: Reach, user: SQL): SQL =>
  sql`exists (select 1 from enrollments e join courses c on c.id = e.course_id where e.user_id = ${user} and e.enrollment_state not in ('deleted', 'rejected') and ${isBelow(c.account_id, named(accounts))})`;

/** Whether somebody may write to a person, where that is not simply everybody. */
export const reaches = (reach: Reach, user: SQL): SQL =>
  sql`(${user} = ${reach.me} or exists (select 1 from enrollments theirs cross join enrollments mine on mine.course_id = theirs.course_id cross join courses c on c.id = theirs.course_id
      where theirs.user_id = ${user} and ${meet(reach.me)})
    or exists (select 1 from ${memberships} where theirs.user_id = ${user} and ${inOneGroup(sql.raw(String(reach.me)))})${reach.accounts.length === 0 ? sql`` : sql` or ${isInAccounts(reach, user)}`})`;

interface Span {
  readonly after: readonly [name: string, id: number] | undefined;
  readonly limit: SQL;
}

/** Ids of the first by name of those met in each of the caller's courses: each roster is walked no further than a page. Observers meet few, who are sought by what they are. */
export function firstMet({ me }: Reach, chosen: SQL, { after, limit }: Span): SQL {
  const beyond = after ? sql` and (theirs.sortable_name, theirs.user_id) > (${after[0]}, ${after[1]})` : sql``;
  // The plus keeps the planner from walking a roster to find one person.
  const beyondThem = after ? sql` and (+theirs.sortable_name, theirs.user_id) > (${after[0]}, ${after[1]})` : sql``;
  const isOpen = sql`mine.user_id = ${me} and ((mine.type in ${staff} and mine.enrollment_state in ('active', 'completed')) or (mine.enrollment_state = 'active' and c.workflow_state = 'available'))`;
  const roster = (
    isObserver: boolean,
    theirs: SQL,
  ) => sql`select distinct theirs.sortable_name, theirs.user_id from enrollments theirs indexed by ${sql.raw(isObserver ? 'enrollments_in_course' : 'enrollments_people')} cross join users on users.id = theirs.user_id
    where theirs.course_id = mine.course_id and ${theirs} and ${meet(me)} and ${chosen}${beyond} order by theirs.sortable_name, theirs.user_id limit ${limit}`;
  const each = (isObserver: boolean, theirs: SQL) => sql`select j.value from enrollments mine cross join courses c on c.id = mine.course_id
    cross join json_each((select json_group_array(user_id) from (${roster(isObserver, theirs)}))) j where ${isOpen} and mine.type ${sql.raw(isObserver ? '=' : '<>')} 'ObserverEnrollment'`;
  const watched = sql`(theirs.type in ${staff})`;
  return sql`${each(false, sql`1`)} union ${each(true, watched)}
    union select mine.observed_user_id from enrollments mine cross join courses c on c.id = mine.course_id cross join enrollments theirs on theirs.course_id = mine.course_id and theirs.user_id = mine.observed_user_id
      cross join users on users.id = theirs.user_id where ${isOpen} and ${meet(me)} and ${chosen}${beyondThem}`;
}

/** Whether somebody may write to the person of an enrollment for having met him in its course. */
export const meetsIn = ({ me, accounts }: Reach, who: 'theirs' | 'twin' = 'theirs'): SQL =>
  sql`(exists (select 1 from enrollments mine cross join courses c on c.id = mine.course_id where mine.course_id = ${sql.raw(who)}.course_id and ${meet(me, who)})
      or exists (select 1 from courses c where c.id = ${sql.raw(who)}.course_id and ${isBelow(c.account_id, named(accounts))}))`;

/** Accounts that somebody administers, and all below them. */
export const rosterAccounts = ({ adminLinks }: Viewer): SQL => below(named(adminLinks.map((link) => link.account_id)));
