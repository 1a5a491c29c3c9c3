// The caller's courses and groups, with their visibility keys.

import { and, eq, type SQL, sql } from 'drizzle-orm';
import { accountContext } from '../../contexts/account';
import type { CourseContext } from '../../contexts/course';
import { type GroupContext, groupContext } from '../../contexts/group';
import type { Institution } from '../../contexts/institution';
import { type CourseRows, courseContextsOf, courseStatements } from '../../contexts/several';
import type { Viewer } from '../../contexts/viewer';
import { isInSelect } from '../../database/ids';
import type { Database, ResultsOf } from '../../database/open';
import { shared } from '../../database/shared';
import type { Call } from '../../http/call';
import { grading_period_sets } from '../grading_periods/table';
import { group_categories } from '../group_categories/table';
import { group_memberships, groups as groupTable } from '../groups/table';
import type { VisibilityKey } from './cursor';
import { gradedCourses } from './graded_work';
import { ownVisibilityKey, visibilityKeyOf, visibilityKeyOfGroup } from './visibility_key';

/** Enrollments of observed students in the same courses. */
const observedIn = ({ build }: Database, me: Viewer) =>
  build
    .select({
      course_id: sql<number>`theirs.course_id`.as('course_id'),
      standing: sql<string>`theirs.user_id || ' ' || theirs.course_section_id || ' ' || theirs.enrollment_state`.as('standing'),
    })
    .from(
      sql`enrollments mine cross join enrollments theirs on theirs.user_id = mine.observed_user_id and theirs.course_id = mine.course_id and theirs.type = 'StudentEnrollment'`,
    )
    .where(sql`mine.user_id = ${shared('user', me.id)} and mine.observed_user_id <> 0 and mine.enrollment_state <> 'deleted'`)
    .orderBy(sql`theirs.id`);

const myCourses = (me: Viewer): SQL =>
  sql`select course_id from enrollments where user_id = ${shared('user', me.id)} and enrollment_state in ('active', 'invited', 'completed', 'inactive')`;

/** The sets of grading periods that may apply in these courses, as versions, and which of their periods are closed. */
const periodsIn = ({ build }: Database, me: Viewer, now: string) =>
  build
    .select({
      id: grading_period_sets.id,
      course_id: grading_period_sets.course_id,
      version: grading_period_sets.version,
      closed: sql<
        string | null
      >`(select group_concat(p.id) from grading_periods p where p.grading_period_group_id = grading_period_sets.id and p.workflow_state = 'active' and p.close_date < ${shared('time', now)})`.as(
        'closed',
      ),
    })
    .from(grading_period_sets)
    .where(
      sql`grading_period_sets.id in (select own.id from grading_period_sets own where own.workflow_state = 'active' and own.course_id in (${myCourses(me)})
        union select t.grading_period_group_id from terms t where t.grading_period_group_id is not null)`,
    )
    .orderBy(grading_period_sets.id);

/** Groups with an accepted membership of the caller. */
const myGroups = (me: Viewer): SQL =>
  sql`select group_id from group_memberships where user_id = ${shared('user', me.id)} and workflow_state = 'accepted'`;
const contextsOfGroups = (type: 'Course' | 'Account', me: Viewer): SQL =>
  sql`select context_id from groups where context_type = ${type} and id in (${myGroups(me)})`;

/** Statements that read the caller's courses and groups, in the order in which `membershipsOf` takes their results. */
export const membershipStatements = (db: Database, me: Viewer, now: string) =>
  [
    observedIn(db, me),
    periodsIn(db, me, now),
    db.build
      .select()

      .from(groupTable)
      .where(and(isInSelect(groupTable.id, myGroups(me)), eq(groupTable.workflow_state, 'available'))),
    db.build
      .select()
      .from(group_categories)
      .where(isInSelect(group_categories.id, sql`select group_category_id from groups where id in (${myGroups(me)})`)),
    db.build
      .select()
      .from(group_memberships)
      .where(and(eq(group_memberships.user_id, me.id), eq(group_memberships.workflow_state, 'accepted'))),
    ...courseStatements(db, sql`${myCourses(me)} union ${contextsOfGroups('Course', me)}`, me, contextsOfGroups('Account', me)),
  ] as const;

export type MembershipRows = ResultsOf<ReturnType<typeof membershipStatements>>;

export interface Memberships {
  /** The courses that the caller is enrolled in and may read, by id. */
  readonly courses: ReadonlyMap<number, CourseContext>;
  /** The caller's groups, by id. */
  readonly groups: ReadonlyMap<number, GroupContext>;
  /** By context. */
  readonly lenses: Readonly<Record<string, VisibilityKey>>;
  /** The courses whose students' work the caller has chosen and may see. */
  readonly graded: ReadonlySet<number>;
  /** Includes the accounts of these courses and groups. */
  readonly institution: Institution;
}

/** @param chosen courses whose students' work the client wants */
export function membershipsOf(
  [observed, periods, groupRows, categoryRows, memberships, ...rows]: MembershipRows,
  call: Call,
  chosen: readonly number[],
): Memberships {
  const { me, now } = call;
  const found: CourseRows = rows;
  const institution: Institution = {
    ...call.institution,
    accounts: new Map([...call.institution.accounts, ...found[5].map((account) => [account.id, account] as const)]),
  };
  const known = courseContextsOf(found, me, call.institution, now);
  const courses = known.filter((course) => course.canRead && course.mine.length > 0);
  const groups = groupRows.flatMap((row) => {
    const category = categoryRows.find(({ id }) => id === row.group_category_id);
    const membership = memberships.find(({ group_id }) => group_id === row.id);
    const course = row.context_type === 'Course' ? known.find(({ id }) => id === row.context_id) : undefined;
    const accountRow = row.context_type === 'Account' ? institution.accounts.get(row.context_id) : undefined;
    const account = accountRow && accountContext(accountRow, me, institution);
    const group = category && groupContext(row, category, membership, course, account, me);
    return group?.isMember ? [group] : [];
  });
  const byId = new Map(courses.map((course) => [course.id, course]));
  const graded = gradedCourses(chosen, byId);
  const around = { institution, observed, periods, sections: found[4], graded };
  return {
    courses: byId,
    graded,
    groups: new Map(groups.map((group) => [group.id, group])),
    lenses: {
      0: ownVisibilityKey(call, known),
      ...Object.fromEntries(courses.map((course) => [String(course.id), visibilityKeyOf(course, around, call)])),
      ...Object.fromEntries(groups.map((group) => [String(-group.id), visibilityKeyOfGroup(group, { ...call, institution })])),
    },
    institution,
  };
}
