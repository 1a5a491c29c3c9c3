// Step 2 of an upload: receives the multipart POST and streams its file part into R2 (reference 01 A12).

import { and, eq, ne, type SQL, sql } from 'drizzle-orm';
import type { Call } from '../../../http/call';
import { failedPrecondition } from '../../../http/conditional';
import { rows } from '../../../http/listing';
import { Problem, problem } from '../../../http/problem';
import { answer, type Reply } from '../../../http/reply';
import { noteWrite } from '../../../http/replicas';
import { planListing } from '../../../http/serializer';
import { uploadedFile, uploadedOnCondition } from '../json';
import { isSigned } from '../signature';
import { blobs, files, type Upload } from '../table';
import { newBlobKey, type StoredBlob, storeBlob, TooLarge } from './blobs';
import { completion } from './complete';
import { BrokenMultipart, boundaryOf, type MultipartPart, multipartParts, readText } from './multipart';
import { bytesFor, roomFor, sizeRefused } from './submission_limits';
import { signedNames } from './ticket';

/** A changed ticket is rejected with an empty body. */
const refusedTicket = () => new Problem(400, '');
const overLimit = (upload: Upload) => problem(400, sizeRefused(upload));

const longestParameter = 65_536;

/** The uuid of the pending file, from valid and unexpired parameters. */
async function readTicket({ env, now }: Call, sent: ReadonlyMap<string, string>): Promise<string> {
  const signed = Object.fromEntries(signedNames.flatMap((name) => (sent.has(name) ? [[name, sent.get(name) as string]] : [])));
  if (!(await isSigned(env.SIGNING_SECRET, signed, sent.get('signature') ?? ''))) throw refusedTicket();
  if (!signed.uuid || (signed.expires_at ?? '') <= now) throw refusedTicket();
  return signed.uuid;
}

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
  const keeping = storeBlob(call.env.FILES, key, part.content, roomFor(upload, used), call.meter);
  const kept = await keeping.catch((error: unknown) => {
    throw error instanceof TooLarge ? overLimit(upload) : error;
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
      const waiting = await expect(call, await readTicket(call, sent));
      taken = { waiting, blob: await take(call, waiting, part) };
    } else if (!taken) sent.set(part.name, await readText(part.content, longestParameter));
  }
  if (!taken) throw refusedTicket();
  return taken;
}

/**
 * Responds with 412, and the file under its conflict name, when the ticket's precondition fails.
 * @throws Problem 400 for an invalid ticket, too many bytes, or a truncated body; nothing has changed then
 */
export async function receive(call: Call): Promise<Reply> {
  const { waiting, blob } = await read(call).catch((error: unknown) => {
    if (error instanceof BrokenMultipart) throw refusedTicket();
    throw error;
  });
  const { db, env, meter, now, origin } = call;
  const { file, upload } = waiting;
  const { condition } = upload;
  const before = blob ? completion(db, { ...file, ...upload }, blob, now) : [];
  const tell = (where: SQL | undefined) =>
    planListing(
      condition ? uploadedOnCondition : uploadedFile,
      rows(files, { where: and(where, eq(files.workflow_state, 'available')), limit: 1 }),
      {
        ...call,
        include: new Set(upload.include),
      },
    );
  const plan = tell(eq(files.id, file.id));
  const there = condition && tell(and(eq(files.folder_id, file.folder_id), eq(files.display_name, condition.name), ne(files.id, file.id)));
  const heldNow = db.build.select({ held: sql<number | null>`json_extract(upload, '$.held')`.as('held') }).from(files);
  const [held, ...results] = (
    await db.perform([...before, heldNow.where(eq(files.id, file.id)), ...plan.statements, ...(there?.statements ?? [])])
  ).slice(before.length);
  // The ticket speaks for its user: this request has no caller.
  await noteWrite({ isKnown: file.user_id !== null, real_user_id: file.user_id ?? 0 }, db.bookmark(), env, meter);
  const [result] = plan.tell(results.slice(0, plan.statements.length));
  const isAside = (held as { held: number | null }[])[0]?.held === 0;
  if (there && isAside && (result || upload.conflict_name === undefined)) {
    const [current] = there.tell(results.slice(plan.statements.length));
    return answer(failedPrecondition(current?.json, result?.json), 412);
  }
  // Its folder was deleted, or other uploads used up the quota; the bytes are collected later.
  if (!result) throw blob && (upload.quota ?? upload.budget) !== undefined ? overLimit(upload) : refusedTicket();
  const include = upload.include?.map((word) => `include%5B%5D=${encodeURIComponent(word)}`).join('&');
  return answer(result.json, 201, { Location: `${origin}/api/v1/files/${file.id}${include ? `?${include}` : ''}` });
}
