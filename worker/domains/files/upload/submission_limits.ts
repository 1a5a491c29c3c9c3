// Upload limits for submissions. These files do not count against a quota, so they have limits of their own.

import { type SQL, sql } from 'drizzle-orm';
import { problem } from '../../../http/problem';
import type { Platform } from '../../../platform';

const mebibyte = 1_048_576;

export interface SubmissionLimits {
  /** Per file. */
  readonly most: number;
  /** For all files that one user uploads for one submission. */
  readonly budget: number;
}

const megabytes = (given: string | undefined, usual: number) => (Number(given) > 0 ? Number(given) : usual) * mebibyte;

export const submissionLimits = ({
  SUBMISSION_FILE_MB,
  SUBMISSION_TOTAL_MB,
}: Pick<Platform, 'SUBMISSION_FILE_MB' | 'SUBMISSION_TOTAL_MB'>): SubmissionLimits => ({
  most: megabytes(SUBMISSION_FILE_MB, 500),
  budget: megabytes(SUBMISSION_TOTAL_MB, 2000),
});

/** The bytes that a user has uploaded for a submission, as an expression. */
export const bytesFor = (submission: SQL | number, uploader: SQL | number): SQL<number> =>
  sql<number>`(select coalesce(sum(o.size), 0) from files o where o.submission_id = ${submission} and o.user_id = ${uploader} and o.is_submitted = 1 and o.workflow_state = 'available')`;

/** @throws Problem 400 when the declared size exceeds the limit, alone or with earlier uploads */
export function refuseTooLarge({ most, budget }: SubmissionLimits, size: number | undefined, stored: number): void {
  const declared = Math.max(0, size ?? 0);
  if (declared > most) throw problem(400, `file size exceeds the limit of ${most / mebibyte} MB for a submission file`);
  if (stored + declared > budget)
    throw problem(400, `file size exceeds the limit of ${budget / mebibyte} MB for all files of a submission`);
}

interface Limited extends Partial<SubmissionLimits> {
  readonly quota?: number;
}

/** The remaining bytes for a file. @param used the storage of its context, and of the uploader for the submission */
export const roomFor = ({ quota, most, budget }: Limited, used: { readonly bytes: number; readonly stored: number }): number =>
  Math.min(
    quota === undefined ? Number.POSITIVE_INFINITY : quota - used.bytes,
    most ?? Number.POSITIVE_INFINITY,
    budget === undefined ? Number.POSITIVE_INFINITY : budget - used.stored,
  );

/** The error for too many bytes. */
export const sizeRefused = ({ budget }: Limited): string =>
  budget === undefined ? 'file size exceeds quota limits' : 'file size exceeds the limits for files of a submission';
