// Conditions on enrollments that many statements share. A static test refuses another spelling of their lists of types.

import { type SQL, sql } from 'drizzle-orm';
import { gradersOf, staffOf, studentsOf } from '../domains/enrollments/table';

const listed = (words: readonly string[]) => `(${words.map((word) => `'${word}'`).join(', ')})`;

/** For statements that are plain text. */
export const textOfType = (types: readonly string[], alias: string): string => `${alias}.type in ${listed(types)}`;

const isOfType =
  (types: readonly string[], states = '') =>
  /** @param alias of `enrollments` in the statement */
  (alias = 'enrollments'): SQL<boolean> =>
    sql.raw(`${textOfType(types, alias)}${states && ` and ${alias}.enrollment_state ${states}`}`) as SQL<boolean>;

const active = "= 'active'";
const activeOrPast = "in ('active', 'completed')";
const activeOrInvited = "in ('active', 'invited')";
const present = "not in ('deleted', 'rejected')";

/** A student, or the test student of the student view. */
export const isStudent = isOfType(studentsOf);
/** One who is in the course in whatever state. */
export const isEnrolledStudent = isOfType(studentsOf, present);
export const isActiveStudent = isOfType(studentsOf, active);
export const isActiveOrInvitedStudent = isOfType(studentsOf, activeOrInvited);

/** A teacher, teaching assistant or designer. */
export const isStaff = isOfType(staffOf);
export const isActiveStaff = isOfType(staffOf, active);
export const isActiveOrPastStaff = isOfType(staffOf, activeOrPast);

/** A teacher or teaching assistant, who grades unless an account has taken that from the role. */
export const isGrader = isOfType(gradersOf);
export const isActiveGrader = isOfType(gradersOf, active);
export const isActiveOrInvitedGrader = isOfType(gradersOf, activeOrInvited);
