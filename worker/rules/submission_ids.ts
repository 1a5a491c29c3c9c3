// Submission ids are derived from assignment and user, so that they are known before the row exists.

import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';

/** Ids of users are below this. With as many assignments, ids stay below 2^52, where those of anonymous submissions begin. */
export const mostUsers = 2 ** 26;

export const submissionId = (assignmentId: number, userId: number): number => assignmentId * mostUsers + userId;
export const assignmentIn = (submissionId: number): number => Math.floor(submissionId / mostUsers);
export const studentIn = (submissionId: number): number => submissionId % mostUsers;
export const submissionIdOf = (assignment: SQLWrapper, user: SQLWrapper): SQL<number> => sql<number>`(${assignment} * 67108864 + ${user})`;
export const assignmentOfSubmission = (id: SQLWrapper): SQL<number> => sql<number>`(${id} / 67108864)`;
export const studentOfSubmission = (id: SQLWrapper): SQL<number> => sql<number>`(${id} % 67108864)`;
