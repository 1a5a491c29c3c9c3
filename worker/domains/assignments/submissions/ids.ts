// Submission ids are derived from assignment and user, so that they are known before the row exists.

import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';

/** Room for 2^26 users and 2^27 assignments within the safe integers of JSON clients. */
const people = 2 ** 26;

export const submissionId = (assignmentId: number, userId: number): number => assignmentId * people + userId;
export const submissionIdOf = (assignment: SQLWrapper, user: SQLWrapper): SQL<number> => sql<number>`(${assignment} * 67108864 + ${user})`;
