// Step 2 of an upload: receives the multipart POST and streams its file part into R2 (reference 01 A12).

import { eq, sql } from 'drizzle-orm';
import { fileLimit, fileTooLarge } from '../../../http/body_limit';
import type { Call } from '../../../http/call';
import type { Reply } from '../../../http/reply';
import { blobs, files } from '../table';
import { newBlobKey, type StoredBlob, storeBlob, TooLarge } from './blobs';
import { BrokenMultipart, boundaryOf, type MultipartPart, multipartParts, readText } from './multipart';
import { overLimit, publishUpload, refusedTicket } from './publish';
import { bytesFor, roomFor } from './submission_limits';
import { readTicket } from './ticket';

const longestParameter = 65_536;

type Waiting = Awaited<ReturnType<typeof expect>>;

/** Reads the pending file, and creates the blob's row before its first byte. */
async function expect({ db, now }: Call, uuid: string) {
  const key = newBlobKey();
  const [found, added, used, stored] = await db.perform([
    db.build.select().from(files).where(eq(files.uuid, uuid)),
    db.build
      .insert(blobs)
      .select(
        sql`select null, ${key}, 0, '', ${now}, ${now} from files where uuid = ${uuid} and workflow_state = 'pending' and json_extract(upload, '$.url') is null`,
      )
      .returning({ id: blobs.id }),
    db.build
      .select({ bytes: sql<number>`bytes`.as('bytes') })
      .from(sql`storage join files using (context_type, context_id)`)
      .where(sql`uuid = ${uuid}`),
    db.build
      .select({ bytes: bytesFor(sql`files.submission_id`, sql`files.user_id`).as('bytes') })
      .from(files)
      .where(eq(files.uuid, uuid)),
  ]);
  const file = found[0];
  if (!file?.upload) throw refusedTicket();
  return { file, upload: file.upload, key, blob_id: added[0]?.id, used: { bytes: used[0]?.bytes ?? 0, stored: stored[0]?.bytes ?? 0 } };
}

/** Streams the file part to R2. Returns undefined when the file already has its bytes: a retry gets the first response again. */
async function take(
  call: Call,
  { upload, key, blob_id, used }: Waiting,
  part: MultipartPart,
): Promise<(StoredBlob & { id: number }) | undefined> {
  if (blob_id === undefined) return undefined;
  const room = roomFor(upload, used);
  const most = fileLimit(call.env);
  const keeping = storeBlob(call.env.FILES, key, part.content, Math.min(room, most), call.meter);
  const kept = await keeping.catch((error: unknown) => {
    if (!(error instanceof TooLarge)) throw error;
    throw room <= most ? overLimit(upload) : fileTooLarge(call.env);
  });
  return { id: blob_id, ...kept };
}

async function read(call: Call) {
  const boundary = boundaryOf(call.request.headers.get('content-type'));
  const { body } = call.request;
  if (!boundary || !body) throw refusedTicket();
  const sent = new Map<string, string>();
  let taken: { waiting: Waiting; blob: (StoredBlob & { id: number }) | undefined } | undefined;
  for await (const part of multipartParts(body, boundary)) {
    if (part.name === 'file' && !taken) {
      const { uuid, isExpired } = await readTicket(call, Object.fromEntries(sent));
      if (isExpired) throw refusedTicket();
      const waiting = await expect(call, uuid);
      taken = { waiting, blob: await take(call, waiting, part) };
    } else if (!taken) sent.set(part.name, await readText(part.content, longestParameter));
  }
  if (!taken) throw refusedTicket();
  return taken;
}

/**
 * Responds with 412, and the file under its conflict name, when the ticket's precondition fails.
 * @throws Problem 400 for an invalid ticket, too many bytes, or a truncated body, 413 for more than a request may carry; nothing has changed then
 */
export async function receive(call: Call): Promise<Reply> {
  const { waiting, blob } = await read(call).catch((error: unknown) => {
    if (error instanceof BrokenMultipart) throw refusedTicket();
    throw error;
  });
  return publishUpload(call, waiting, blob);
}
