// Starts a copy, for course copies, content migrations and blueprint syncs.

import { type SQL, sql } from 'drizzle-orm';
import type { Database, Statement } from '../../database/open';
import { queueProgress } from '../progress/progress';
import type { Choice } from './table';
import { course_copies } from './table';

export interface NewCopy {
  readonly course_id: number;
  readonly source_course_id: number;
  readonly user_id: number;
  readonly choice: Choice;
}

/**
 * Statements that create a copy and its progress; read it back by `last_insert_rowid()`, then send its id to the job `course_copy`.
 * @param progress the tag and context of its progress; the course by default
 */
export const beginCopy = (
  db: Database,
  { course_id, source_course_id, user_id, choice }: NewCopy,
  now: string,
  progress: { readonly tag: string; readonly context_type: string; readonly context_id: number | SQL } = {
    tag: 'course_copy',
    context_type: 'Course',
    context_id: course_id,
  },
): Statement[] => [
  queueProgress(db, { ...progress, user_id }, now),
  db.build.insert(course_copies).values({
    course_id,
    source_course_id,
    user_id,
    choice,
    progress_id: sql`last_insert_rowid()`,
    created_at: now,
    updated_at: now,
  }),
];
