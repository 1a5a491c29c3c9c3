// The id of a submission, derived from whose it is and of what: known, and the same, before and after the first thing happens.

import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';

/** Room for 2^26 people and 2^27 assignments below the largest integer that JSON clients keep exactly. */
const people = 2 ** 26;

export const submissionId = (assignmentId: number, userId: number): number => assignmentId * people + userId;
export const submissionIdOf = (assignment: SQLWrapper, user: SQLWrapper): SQL<number> => sql<number>`(${assignment} * 67108864 + ${user})`;
/** Whose and of what a submission is. */
export const partsOf = (id: number) => ({ assignment_id: Math.floor(id / people), user_id: id % people });
