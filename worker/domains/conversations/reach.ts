// Whom a person may write to: those met in a course, those observed, those administered.

import { type SQL, sql } from 'drizzle-orm';
import { chainOf } from '../../contexts/institution';
import { roleHolds } from '../../contexts/permissions';
import type { Viewer } from '../../contexts/viewer';
import type { Database } from '../../database/open';
import type { Call } from '../../http/call';
import { below, isBelow } from '../accounts/tree';

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

const staff = "('TeacherEnrollment', 'TaEnrollment', 'DesignerEnrollment')";

/** `mine` and `theirs` are enrollments in one course `c`; who is held to a section meets only that section. */
const meet = (me: number): SQL => sql`mine.user_id = ${me}
  and (mine.limit_privileges_to_course_section = 0 or mine.course_section_id = theirs.course_section_id)
  and theirs.enrollment_state in ('active', 'invited', 'completed')
  and (
    (mine.type in ${sql.raw(staff)} and mine.enrollment_state in ('active', 'completed') and c.workflow_state <> 'deleted')
    or (mine.enrollment_state = 'active' and c.workflow_state = 'available' and theirs.enrollment_state <> 'completed' and (
      (mine.type in ('StudentEnrollment', 'StudentViewEnrollment') and (theirs.type <> 'ObserverEnrollment' or theirs.observed_user_id = ${me}))
      or (mine.type = 'ObserverEnrollment' and (theirs.type in ${sql.raw(staff)} or theirs.user_id = mine.observed_user_id or theirs.user_id = ${me}))
    ))
  )`;

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

/** Ids among these of people whom somebody may write to. */
export const reachable = ({ me, accounts, isEverybody }: Reach, userIds: SQL): SQL =>
  isEverybody
    ? userIds
    : sql`select theirs.user_id from enrollments theirs join enrollments mine on mine.course_id = theirs.course_id join courses c on c.id = theirs.course_id
        where theirs.user_id in (${userIds}) and ${meet(me)}
        union select e.user_id from enrollments e join courses c on c.id = e.course_id
        where e.user_id in (${userIds}) and e.enrollment_state not in ('deleted', 'rejected') and ${isBelow(sql`c.account_id`, named(accounts))}
        union select ${me} where ${me} in (${userIds})`;

/** Ids of everybody whom somebody may write to, where that is not simply everybody. */
export const everyoneMet = ({ me, accounts }: Reach): SQL =>
  sql`select theirs.user_id from enrollments mine cross join courses c on c.id = mine.course_id cross join enrollments theirs on theirs.course_id = mine.course_id
      where ${meet(me)}
      union select e.user_id from courses c cross join enrollments e on e.course_id = c.id
      where c.account_id in (${below(named(accounts))}) and e.enrollment_state not in ('deleted', 'rejected')
      union select ${me}`;

/** Whether somebody may write to the person of the enrollment `theirs` for having met him in its course. */
export const meetsIn = ({ me, accounts }: Reach): SQL =>
  sql`(exists (select 1 from enrollments mine cross join courses c on c.id = mine.course_id where mine.course_id = theirs.course_id and ${meet(me)})
      or theirs.course_id in (select id from courses where ${isBelow(sql`account_id`, named(accounts))}))`;

/** Accounts that somebody administers, and all below them. */
export const rosterAccounts = ({ adminLinks }: Viewer): SQL => below(named(adminLinks.map((link) => link.account_id)));
