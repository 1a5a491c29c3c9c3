// The students whom a user observes, by the user's enrollments.

import { type SQL, sql } from 'drizzle-orm';

/** A condition on `enrollments`: those in which the user observes a student, in the states in which the sync feed has the course. */
export const observing = (userId: number): SQL =>
  sql`enrollments.user_id = ${userId} and enrollments.observed_user_id <> 0 and enrollments.enrollment_state in ('active', 'invited', 'completed', 'inactive')`;
