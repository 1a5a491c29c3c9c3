// Signed receipts of submissions: the hashes of the stored files and the time of submission, verifiable by others.

import type { ReceiptClaims } from '@carrel/shared/sync/protocol';
import { and, eq, sql } from 'drizzle-orm';
import { signJwt } from '../../crypto/jwt';
import { among } from '../../database/ids';
import type { Call } from '../../http/call';
import { sha256 } from '../../http/idempotency';
import { notFound } from '../../http/problem';
import { answer, type Reply } from '../../http/reply';
import type { SubmissionRow } from '../assignments/submissions/columns';
import { blobs, files } from '../files/table';
import { signingKeys } from '../jwts/signing_keys';
import { submission_versions, submissions } from '../submissions/table';

type Handed = Pick<SubmissionRow, 'attempt' | 'submission_type' | 'submitted_at' | 'body' | 'url' | 'attachment_ids'>;

/** @throws Problem 404 unless the caller submitted that attempt; the latest by default */
export async function receiptOf(call: Call, id: number, attempt: number | undefined): Promise<Reply> {
  const { db, me, env, origin, now } = call;
  const { build } = db;
  const [[current], kept, attached] = await db.perform([
    build
      .select()
      .from(submissions)
      .where(and(eq(submissions.id, id), eq(submissions.user_id, me.id))),
    build
      .select()
      .from(submission_versions)
      .where(and(eq(submission_versions.submission_id, id), eq(submission_versions.attempt, attempt ?? 0))),
    build
      .select({ id: files.id, name: files.display_name, size: sql<number>`blobs.size`.as('bytes'), sha256: blobs.sha256 })
      .from(files)
      .innerJoin(blobs, eq(blobs.id, files.blob_id))
      .where(
        sql`files.id in (select a.value from submissions, json_each(submissions.attachment_ids) a where submissions.id = ${id} and ${among(sql`submissions.user_id`, [me.id])}
          union select a.value from submission_versions v, json_each(v.version, '$.attachment_ids') a where v.submission_id = ${id} and v.attempt = ${attempt ?? 0})`,
      ),
  ]);
  const handed = current && (current.attempt === (attempt ?? current.attempt) ? current : (kept[0]?.version as Handed | undefined));
  if (!current || !handed?.attempt || !handed.submitted_at || !handed.submission_type) throw notFound();
  const ids: readonly number[] = handed.attachment_ids;
  const words = handed.body ?? handed.url;
  const claims: ReceiptClaims = {
    iss: origin,
    aud: 'receipt',
    sub: String(me.id),
    iat: Math.floor(Date.parse(now) / 1000),
    submission_id: id,
    course_id: current.course_id,
    assignment_id: current.assignment_id,
    attempt: handed.attempt,
    submitted_at: handed.submitted_at,
    submission_type: handed.submission_type,
    sha256: words === null ? null : await sha256(words),
    files: ids.flatMap((file) => attached.filter((one) => one.id === file)),
  };
  const [key] = await signingKeys(env);
  return answer({ receipt: await signJwt({ ...claims }, key) });
}
