// Whether a grade is shown to its student yet (reference 03 §4.8).

import { type SQL, sql } from 'drizzle-orm';

export interface GradeTimes {
  readonly graded_at: string | null;
  readonly posted_at: string | null;
}

/** Whether a grade is hidden from its student: unposted, under a manual posting policy or after hiding. */
export const isHidden = ({ graded_at, posted_at }: GradeTimes, post_manually: boolean): boolean =>
  posted_at === null && (post_manually || graded_at !== null);

/** The same in SQL. @param submission, assignment aliases in the statement */
export const isHiddenSql = (submission: string, assignment: string): SQL =>
  sql.raw(`(${submission}.posted_at is null and (${assignment}.post_manually or ${submission}.graded_at is not null))`);
