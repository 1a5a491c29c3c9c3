// Every course that the caller is in, and through which eyes they see it.

import { sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import type { Institution } from '../../contexts/institution';
import { type CourseRows, courseStatements, coursesOf } from '../../contexts/several';
import type { Viewer } from '../../contexts/viewer';
import type { Database, ResultsOf } from '../../database/open';
import type { Call } from '../../http/call';
import type { Lens } from './cursor';
import { lensOf, ownLens } from './lens';

/** Where those whom the caller observes are enrolled, in the same courses. */
const observedIn = ({ build }: Database, me: Viewer) =>
  build
    .select({
      course_id: sql<number>`theirs.course_id`.as('course_id'),
      standing: sql<string>`theirs.user_id || ' ' || theirs.course_section_id || ' ' || theirs.enrollment_state`.as('standing'),
    })
    .from(
      sql`enrollments mine cross join enrollments theirs on theirs.user_id = mine.observed_user_id and theirs.course_id = mine.course_id and theirs.type = 'StudentEnrollment'`,
    )
    .where(sql`mine.user_id = ${me.id} and mine.observed_user_id <> 0 and mine.enrollment_state <> 'deleted'`)
    .orderBy(sql`theirs.id`);

/** The statements that read the caller's courses, in the order that `membershipsOf` takes their results. */
export const membershipStatements = (db: Database, me: Viewer) =>
  [
    observedIn(db, me),
    ...courseStatements(
      db,
      sql`select course_id from enrollments where user_id = ${me.id} and enrollment_state in ('active', 'invited', 'completed', 'inactive')`,
      me,
    ),
  ] as const;

export type MembershipRows = ResultsOf<ReturnType<typeof membershipStatements>>;

export interface Memberships {
  /** The courses that the caller is in and can read, by id. */
  readonly courses: ReadonlyMap<number, CourseContext>;
  /** By course; under 0 that of the caller's own things. */
  readonly lenses: Readonly<Record<string, Lens>>;
  /** With the accounts of all these courses. */
  readonly institution: Institution;
}

export function membershipsOf([observed, ...rows]: MembershipRows, call: Call): Memberships {
  const { me, now } = call;
  const found: CourseRows = rows;
  const institution: Institution = {
    ...call.institution,
    accounts: new Map([...call.institution.accounts, ...found[5].map((account) => [account.id, account] as const)]),
  };
  const courses = coursesOf(found, me, call.institution, now).filter((course) => course.canRead && course.mine.length > 0);
  const around = { institution, observed, sections: found[4] };
  return {
    courses: new Map(courses.map((course) => [course.id, course])),
    lenses: {
      0: ownLens(call),
      ...Object.fromEntries(courses.map((course) => [String(course.id), lensOf(course, around, call)])),
    },
    institution,
  };
}
