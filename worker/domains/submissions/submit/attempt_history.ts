// Attempts: the submission row holds the current one; earlier ones are versions.

import { sql } from 'drizzle-orm';
import { among } from '../../../database/ids';
import type { Database, Statement } from '../../../database/open';
import type { SubmissionRow } from '../../assignments/submissions/columns';
import { submission_versions } from '../table';

/** Columns that differ between attempts. */
const kept = [
  'attempt',
  'submission_type',
  'body',
  'url',
  'media_comment_id',
  'media_comment_type',
  'proxy_submitter_id',
  'submitted_at',
  'score',
  'grade',
  'graded_attempt',
  'graded_at',
  'grader_id',
  'posted_at',
  'excused',
  'late_policy_status',
  'seconds_late_override',
  'custom_grade_status_id',
  'points_deducted',
  'entered_score',
  'entered_grade',
  'workflow_state',
] as const satisfies readonly (keyof SubmissionRow)[];

/** Saves the current attempts as versions before new ones replace them. */
export const keepVersions = (db: Database, ids: readonly number[], now: string): Statement =>
  db.build
    .insert(submission_versions)
    .select(
      sql`select id, attempt, json_object(${sql.raw(kept.map((name) => `'${name}', ${name}`).join(', '))}, 'attachment_ids', json(attachment_ids)), ${now}
        from submissions where ${among(sql`id`, ids)} and attempt is not null`,
    )
    .onConflictDoUpdate({
      target: [submission_versions.submission_id, submission_versions.attempt],
      set: { version: sql`excluded.version` },
    });
