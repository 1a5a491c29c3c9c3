// Uploads by URL: a job fetches the bytes, with limits and from public addresses only.

import { wireTime } from '@carrel/shared/wire/fields';
import { and, eq, sql } from 'drizzle-orm';
import { type Database, newMeter, open } from '../../../database/open';
import type { Job, Platform } from '../../../platform';
import { fetchPublic, Unfetched } from '../../../web/fetch_public';
import { advanceProgress, completeProgress, failProgress } from '../../progress/progress';
import { blobs, files } from '../table';
import { newBlobKey, storeBlob, TooLarge } from './blobs';
import { completion } from './complete';
import { bytesFor, roomFor, sizeRefused } from './submission_limits';

const longest = 5 * 60_000;

/** @throws Unfetched when the URL does not return bytes */
async function follow(first: string, signal: AbortSignal): Promise<Response> {
  const response = await fetchPublic(first, { signal });
  if (response.ok && response.body) return response;
  throw new Unfetched(`the URL returned ${response.status}`);
}

/** The chunks of a body; reports progress at each tenth of the announced length. */
async function* told(response: Response, tell: (percent: number) => Promise<unknown>): AsyncGenerator<Uint8Array> {
  const length = Number(response.headers.get('content-length') ?? 0);
  let size = 0;
  let tenth = 0;
  for (const reader = (response.body as ReadableStream<Uint8Array>).getReader(); ; ) {
    const { done, value } = await reader.read().catch(() => {
      throw new Unfetched('the download was truncated');
    });
    if (done) return;
    yield value;
    size += value.length;
    const now = length > 0 ? Math.min(9, Math.floor((10 * size) / length)) : 0;
    if (now > tenth) await tell(10 * now);
    tenth = now;
  }
}

const failed = (db: Database, id: number, progress_id: number, message: string, now: string) =>
  db.perform([
    db.build
      .update(files)
      .set({ workflow_state: 'failed', upload: sql`json_set(upload, '$.message', ${message})` })
      .where(and(eq(files.id, id), eq(files.workflow_state, 'pending'))),
    failProgress(db, progress_id, message, now),
  ]);

/** May run again for a file that is complete or has failed: then it does nothing. */
export async function fetchUpload({ ids }: Job, env: Platform): Promise<void> {
  const meter = newMeter();
  const db = open(env.DB, meter, 'first-primary');
  const clock = () => wireTime(Date.now());
  const id = ids?.[0] ?? 0;
  const key = newBlobKey();
  const [[file], [blob], [used], [stored]] = await db.perform([
    db.build.select().from(files).where(eq(files.id, id)),
    db.build.insert(blobs).values({ key, size: 0, sha256: '', created_at: clock(), unsure_since: clock() }).returning({ id: blobs.id }),
    db.build
      .select({ bytes: sql<number>`bytes`.as('bytes') })
      .from(sql`storage join files using (context_type, context_id)`)
      .where(sql`files.id = ${id}`),
    db.build
      .select({ bytes: bytesFor(sql`files.submission_id`, sql`files.user_id`).as('bytes') })
      .from(files)
      .where(eq(files.id, id)),
  ]);
  const upload = file?.upload;
  if (!file || !blob || !upload?.url || upload.progress_id === undefined) return;
  const { progress_id, url } = upload;
  const complete = () =>
    upload.submits
      ? env.WORK.send({ job: 'submit_fetched', ids: [progress_id] })
      : db.perform([completeProgress(db, progress_id, clock(), { results: { id } })]);
  // The file was complete when the work was interrupted.
  if (file.workflow_state === 'available') await complete();
  if (file.workflow_state !== 'pending') return;
  try {
    await db.perform([advanceProgress(db, progress_id, 0, clock())]);
    const response = await follow(url, AbortSignal.timeout(longest));
    const bytes = told(response, (percent) => db.perform([advanceProgress(db, progress_id, percent, clock())]));
    const room = roomFor(upload, { bytes: used?.bytes ?? 0, stored: stored?.bytes ?? 0 });
    const kept = await storeBlob(env.FILES, key, bytes, room, meter);
    const completed = completion(db, { ...file, ...upload }, { ...kept, id: blob.id }, clock());
    const results = await db.perform([
      ...completed,
      db.build
        .select({ state: files.workflow_state, held: sql<number | null>`json_extract(upload, '$.held')`.as('held') })
        .from(files)
        .where(eq(files.id, id)),
    ]);
    const [after] = results.at(-1) as { state: string; held: number | null }[];
    if (after?.held === 0 && after.state !== 'available') throw new Unfetched('the precondition failed');
    if (after?.state !== 'available') throw new TooLarge();
    await complete();
  } catch (error) {
    if (error instanceof TooLarge) await failed(db, id, progress_id, sizeRefused(upload), clock());
    else if (error instanceof Unfetched) await failed(db, id, progress_id, error.message, clock());
    else throw error;
  }
}
