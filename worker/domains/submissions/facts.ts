// What a submission needs to know of its assignment, read in its own row.

import { type SQL, sql } from 'drizzle-orm';
import type { Call } from '../../http/call';
import type { RowOf } from '../../http/listing';
import { effectiveDate, reaching } from '../assignments/reach';
import type { submissions } from './table';

export type SubmissionRow = RowOf<typeof submissions>;

export interface AssignmentFacts {
  /** As it binds the student. */
  readonly due_at: string | null;
  readonly submission_types: readonly string[];
  readonly post_manually: boolean;
}

/** A row as a listing of the serializer reads it. */
export type ToldRow = SubmissionRow & { readonly facts: string };

/** The due date that binds the student of a row of `submissions`, where its row of `assignments` is at hand. */
export const dueDate = (now: string): SQL<string | null> =>
  effectiveDate('due_at', reaching(sql.raw('= assignments.id'), sql.raw('submissions.user_id')), now);

export const facts = (call: Pick<Call, 'now'>) => ({
  facts:
    sql<string>`(select json_object('due_at', ${dueDate(call.now)}, 'submission_types', json(assignments.submission_types), 'post_manually', assignments.post_manually)
    from assignments where assignments.id = submissions.assignment_id)`.as('facts'),
});

export const factsOf = (row: { readonly facts: string }): AssignmentFacts => {
  const { due_at, submission_types, post_manually } = JSON.parse(row.facts) as Record<string, unknown>;
  return { due_at: due_at as string | null, submission_types: submission_types as string[], post_manually: post_manually === 1 };
};
