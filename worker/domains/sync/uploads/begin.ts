// Begins an upload in parts, with the ticket of the file: target, rights, quota and conditions are those of the ticket.

import { wireTime } from '@carrel/shared/wire/fields';
import { eq, sql } from 'drizzle-orm';
import type { Statement } from '../../../database/open';
import type { Call } from '../../../http/call';
import { badParameter, problem } from '../../../http/problem';
import { answer, type Reply } from '../../../http/reply';
import { blobs, files } from '../../files/table';
import { newBlobKey } from '../../files/upload/blobs';
import { overLimit, refusedTicket } from '../../files/upload/publish';
import { bytesFor, roomFor } from '../../files/upload/submission_limits';
import { readTicket } from '../../files/upload/ticket';
import { type FoundUpload, uploadIn, uploadRows } from './access';
import { mayBeDirect } from './direct';
import { uploadJson } from './json';
import { largestFile, partSizeOf } from './plan';
import { uploads } from './table';

/** Shorter than the week after which R2 drops the parts of an upload that was not completed. */
const lifetime = 3 * 24 * 3_600_000;

export interface Announced {
  readonly size: number;
  readonly sha256: string;
  readonly direct?: boolean;
}

export const isSha256 = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

/** The quota or the limits of a submission that a file counts against. Columns of the table of files. */
const countsFor = sql<string>`case when submission_id is null then context_type || ' ' || context_id else 'submission ' || submission_id || ' of ' || user_id end`;

interface Room {
  readonly used: number;
  readonly stored: number;
  /** By other uploads that are not complete. */
  readonly reserved: number;
}

async function read(call: Call, uuid: string): Promise<{ found: FoundUpload; room: Room }> {
  const { build } = call.db;
  const [file, running, parts, [used], [stored], [reserved]] = await call.db.perform([
    ...uploadRows(call, eq(files.uuid, uuid)),
    build
      .select({ bytes: sql<number>`bytes`.as('bytes') })
      .from(sql`storage join files using (context_type, context_id)`)
      .where(sql`uuid = ${uuid}`),
    build
      .select({ bytes: bytesFor(sql`files.submission_id`, sql`files.user_id`).as('bytes') })
      .from(files)
      .where(eq(files.uuid, uuid)),
    build
      .select({ bytes: sql<number>`coalesce(sum(size), 0)`.as('bytes') })
      .from(uploads)
      .where(sql`counts_for = (select ${countsFor} from files where uuid = ${uuid}) and expires_at > ${call.now}`),
  ]);
  const room = { used: used?.bytes ?? 0, stored: stored?.bytes ?? 0, reserved: reserved?.bytes ?? 0 };
  return { found: uploadIn([file, running, parts]), room };
}

/** @throws Problem 413 when the file has too many parts, 400 when there is no room for it */
function refuseTooLarge({ upload }: FoundUpload, { used, stored, reserved }: Room, size: number, part_size: number): void {
  const most = largestFile(part_size);
  if (size > most) throw problem(413, `the file exceeds the limit of ${Math.floor(most / 1_000_000)} MB for an upload in parts`);
  if (roomFor(upload, { bytes: used + reserved, stored: stored + reserved }) < size) throw overLimit(upload);
}

/** The upload, unless a request at the same time has begun it; and the row of its blob, before its bytes. */
function beginning(
  { db, now }: Call,
  file_id: number,
  row: Omit<typeof uploads.$inferInsert, 'id' | 'counts_for'>,
): readonly [Statement, Statement] {
  const { key, multipart_id, size, sha256, part_size, expires_at } = row;
  return [
    db.build
      .insert(uploads)
      .select(
        sql`select id, ${key}, ${multipart_id}, ${size}, ${sha256}, ${part_size}, ${countsFor}, ${now}, ${expires_at} from files where id = ${file_id} and workflow_state = 'pending'`,
      )
      .onConflictDoNothing(),
    // Collected a day after the upload has expired, unless a file uses it by then.
    db.build.insert(blobs).select(sql`select null, key, 0, '', ${now}, expires_at from uploads where id = ${file_id} and key = ${key}`),
  ];
}

/**
 * The same ticket begins the same upload, however often it is sent.
 * @throws Problem 400 for a ticket that was changed or has expired, or without room for the file, 409 when it has begun for other content, 413 for
 *   a file that is too large
 */
export async function beginUpload(
  call: Call,
  given: Announced & Readonly<Record<string, string | number | boolean | undefined>>,
): Promise<Reply> {
  const { db, env, now, meter } = call;
  const { size, sha256 } = given;
  if (size < 1) throw badParameter('size', 'is not positive');
  if (!isSha256(sha256)) throw badParameter('sha256', 'is not a SHA-256 in lower-case hexadecimal');
  const signed = Object.fromEntries(Object.entries(given).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])));
  const { uuid, isExpired } = await readTicket(call, signed);
  const { found, room } = await read(call, uuid);
  const { file, running } = found;
  if (running && (running.size !== size || running.sha256 !== sha256)) throw problem(409, 'this upload has begun for other content');
  if (running || file.workflow_state === 'available') return answer(await uploadJson(call, found));
  if (isExpired || found.upload.url !== undefined) throw refusedTicket();
  const part_size = partSizeOf(env);
  refuseTooLarge(found, room, size, part_size);
  const key = newBlobKey();
  const isDirect = given.direct === true && mayBeDirect(env, size);
  const multipart = isDirect ? undefined : await env.FILES.createMultipartUpload(key);
  meter.r2_calls += isDirect ? 0 : 1;
  const expires_at = wireTime(Date.parse(now) + lifetime);
  const row = { key, multipart_id: multipart?.uploadId ?? null, size, sha256, part_size, created_at: now, expires_at };
  const [, , ...rows] = await db.perform([...beginning(call, file.id, row), ...uploadRows(call, eq(files.id, file.id))]);
  const begun = uploadIn(rows);
  // A request at the same time was faster.
  if (begun.running?.key !== key) await multipart?.abort();
  return answer(await uploadJson(call, begun), 201);
}
