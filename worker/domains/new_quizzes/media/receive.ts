// Receives the image of a question at the address that an editor was given, and keeps it among the files of the course.

import { wireTime } from '@carrel/shared/wire/fields';
import { lookUp } from '@carrel/shared/wire/look_up';
import { eq } from 'drizzle-orm';
import { seal, unseal } from '../../../database/seal';
import { fileLimit } from '../../../http/body_limit';
import type { Call } from '../../../http/call';
import { problem } from '../../../http/problem';
import { answer, type Reply } from '../../../http/reply';
import { uploadedMedia } from '../../files/folders/paths';
import { blobs, files } from '../../files/table';
import { newBlobKey, storeBlob, TooLarge } from '../../files/upload/blobs';
import { overLimit, publishUpload } from '../../files/upload/publish';
import { usedStorage } from '../../files/upload/quota';
import { roomFor } from '../../files/upload/submission_limits';
import { pendingFile, type UploadRequest, uploadOf } from '../../files/upload/ticket';

export const mediaPath = '/api/quiz/v1/quiz_media';

/** What the address of an upload says, so that a request for one writes nothing. */
interface MediaUpload {
  readonly course_id: number;
  readonly user_id: number;
  /** Bytes of the course. */
  readonly quota: number;
  readonly expires_at: string;
}

const purpose = 'uploads of quiz media';
const lifetime = 30 * 60_000;

/** The address to send an image to. Without its query, it shows the image. */
export async function mediaAddress(
  { env, origin, now }: Pick<Call, 'env' | 'origin' | 'now'>,
  uuid: string,
  given: Omit<MediaUpload, 'expires_at'>,
): Promise<string> {
  const upload: MediaUpload = { ...given, expires_at: wireTime(Date.parse(now) + lifetime) };
  return `${origin}${mediaPath}/${uuid}?upload=${await seal(env.SIGNING_SECRET, purpose, JSON.stringify(upload), uuid)}`;
}

const refused = () => problem(403, 'The address of the upload is invalid or has expired');

const endings: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
};

/** The type of an image that browsers show and that runs no scripts. @throws Problem 400 */
function imageType(request: Request): string {
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (lookUp(endings, type) === undefined) throw problem(400, `Content-Type must be one of ${Object.keys(endings).join(', ')}`);
  return type;
}

async function* chunksOfImage(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (const reader = body.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

/** @throws Problem 403 for an address that was not given out for this image or has expired */
async function readAddress({ env, now, path, params }: Sending): Promise<MediaUpload> {
  const opened = params.upload && (await unseal(env.SIGNING_SECRET, purpose, params.upload, path.uuid));
  const upload = opened ? (JSON.parse(opened) as MediaUpload) : undefined;
  if (!upload || upload.expires_at <= now) throw refused();
  return upload;
}

type Sending = Call & { readonly path: { readonly uuid: string }; readonly params: { readonly upload?: string } };

/**
 * Stores the image; an address takes one.
 * @throws Problem 400 for anything but an image, and for more bytes than the course may store, 403 for another address, 409 for a second image
 */
export async function receiveMedia(call: Sending): Promise<Reply> {
  const { db, env, me, now, origin, request, meter, path } = call;
  const { course_id, user_id, quota } = await readAddress(call);
  const content_type = imageType(request);
  const { body } = request;
  if (!body) throw problem(400, 'The image is empty');
  const holder = { context_type: 'Course', context_id: course_id } as const;
  const name = `${path.uuid.slice(0, 12)}.${lookUp(endings, content_type)}`;
  const asked: UploadRequest = { holder, folder: { path: uploadedMedia }, name, content_type, on_duplicate: 'rename', quota };
  const upload = uploadOf(asked, now);
  const { folders, file } = pendingFile({ db, me: { ...me, id: user_id }, now }, asked, path.uuid, upload);
  const key = newBlobKey();
  const results = await db.perform([
    db.build.select().from(files).where(eq(files.uuid, path.uuid)),
    usedStorage(db, holder),
    db.build.insert(blobs).values({ key, size: 0, sha256: '', created_at: now, unsure_since: now }).returning({ id: blobs.id }),
    ...folders,
    file.onConflictDoNothing(),
    db.build.select().from(files).where(eq(files.uuid, path.uuid)),
  ]);
  const [earlier, used, added] = results;
  const waiting = (results.at(-1) as (typeof files.$inferSelect)[])[0];
  if (earlier[0]?.workflow_state === 'available' || waiting?.workflow_state !== 'pending')
    throw problem(409, 'The image has already been sent');
  const room = roomFor({ quota }, { bytes: used[0]?.bytes ?? 0, stored: 0 });
  const kept = await storeBlob(env.FILES, key, chunksOfImage(body), Math.min(room, fileLimit(env)), meter).catch((error: unknown) => {
    throw error instanceof TooLarge ? overLimit(upload) : error;
  });
  await publishUpload(call, { file: waiting, upload }, { id: added[0]?.id ?? 0, ...kept });
  return answer({ url: `${origin}${mediaPath}/${path.uuid}` });
}
