// How many bytes may be uploaded for a submission. These files do not count against a quota, so they have limits of their own.

import { type SQL, sql } from 'drizzle-orm';
import { problem } from '../../../http/problem';
import type { Platform } from '../../../platform';

const mebibyte = 1_048_576;

export interface SubmissionLimits {
  /** Of one file. */
  readonly most: number;
  /** Of all files that one person uploads for one submission. */
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

/** The bytes that a person has uploaded for a submission, as an expression. */
export const bytesFor = (submission: SQL | number, uploader: SQL | number): SQL<number> =>
  sql<number>`(select coalesce(sum(o.size), 0) from files o where o.submission_id = ${submission} and o.user_id = ${uploader} and o.is_submitted = 1 and o.workflow_state = 'available')`;

/** @throws Problem 400 for a file whose declared size is too large, by itself or with what was uploaded before */
export function refuseTooLarge({ most, budget }: SubmissionLimits, size: number | undefined, stored: number): void {
  const declared = Math.max(0, size ?? 0);
  if (declared > most) throw problem(400, `file size exceeds the limit of ${most / mebibyte} MB for a file of a submission`);
  if (stored + declared > budget)
    throw problem(400, `file size exceeds the limit of ${budget / mebibyte} MB for the files of a submission`);
}

interface Limited extends Partial<SubmissionLimits> {
  readonly quota?: number;
}

/** How many bytes of a file may still be kept. @param used what its place holds, and what its uploader has stored for the submission */
export const roomFor = ({ quota, most, budget }: Limited, used: { readonly bytes: number; readonly stored: number }): number =>
  Math.min(
    quota === undefined ? Number.POSITIVE_INFINITY : quota - used.bytes,
    most ?? Number.POSITIVE_INFINITY,
    budget === undefined ? Number.POSITIVE_INFINITY : budget - used.stored,
  );

/** Why the bytes that came are too many. */
export const sizeRefused = ({ budget }: Limited): string =>
  budget === undefined ? 'file size exceeds quota limits' : 'file size exceeds the limits for files of a submission';
