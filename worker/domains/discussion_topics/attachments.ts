// Uploads an attachment of a topic or entry: its bytes first, then its row, in the batch that creates the topic or entry.

import { eq, type SQL, sql } from 'drizzle-orm';
import type { ResultsOf, Statement } from '../../database/open';
import { shared } from '../../database/shared';
import { randomText } from '../../database/tokens';
import type { Call } from '../../http/call';
import { problem, unauthorized } from '../../http/problem';
import { type FolderLevel, folderAt } from '../files/folders/paths';
import { displayName } from '../files/names';
import { blobs, files } from '../files/table';
import { newBlobKey, storeBlob } from '../files/upload/blobs';
import { freeName } from '../files/upload/complete';
import { courseQuota, groupQuota, usedStorage } from '../files/upload/quota';
import { pendingFile } from '../files/upload/ticket';
import { type ForumPlace, forumContextOf, isGroup } from './place';

/** The folder is hidden from students, who open the files from the posts. */
const path: readonly FolderLevel[] = [{ name: 'discussion attachments', hidden: true, unique_type: 'discussion attachments' }];

/** Files up to this size do not count against the quota. */
const free = 1024;

interface Attached {
  readonly statements: readonly Statement[];
  /** Selects the file's id once the statements have run. */
  readonly id: SQL<number>;
}

type Around = Pick<Call, 'db' | 'env' | 'me' | 'now' | 'origin' | 'meter' | 'institution'> & { readonly course: ForumPlace };

const isSent = (given: unknown): given is File => given instanceof File && given.size > 0;

/**
 * Reads what is needed to authorise the upload, in the request's round trip; `receive` then stores the bytes.
 * @param given the parameter as sent; ignored unless it is a file
 */
export function attachment(call: Around, given: unknown) {
  const { db, course, now } = call;
  const holder = forumContextOf(course);
  const key = newBlobKey();
  const statements = [
    db.build
      .insert(blobs)
      .select(sql`select null, ${key}, 0, '', ${shared('time', now)}, ${shared('time', now)} where ${isSent(given) ? 1 : 0}`)
      .returning({ id: blobs.id }),
    usedStorage(db, holder),
  ] as const;

  /** @throws Problem 401 for callers who may not attach files, 400 over quota */
  async function receive([[blob], [used]]: ResultsOf<typeof statements>, isAllowed: boolean): Promise<Attached | undefined> {
    if (!isSent(given)) return undefined;
    if (!isAllowed) throw unauthorized();
    const room = (isGroup(course) ? groupQuota(course.group) : courseQuota(course, call.institution)) - (used?.bytes ?? 0);
    if (given.size > free && given.size > room) throw problem(400, 'file size exceeds quota');
    const kept = await storeBlob(call.env.FILES, key, given.stream() as AsyncIterable<Uint8Array>, Number.POSITIVE_INFINITY, call.meter);
    return rowOf(given, { ...kept, id: blob?.id });
  }

  function rowOf({ name, type }: File, blob: { size: number; sha256: string; id: number | undefined }): Attached {
    const uuid = randomText(40);
    const upload = { on_duplicate: 'rename', expires_at: now } as const;
    const { folders, file } = pendingFile(call, { holder, folder: { path }, name, content_type: type || undefined }, uuid, upload);
    const id = sql<number>`(select id from files where uuid = ${uuid})`;
    const display_name = freeName(sql`(${folderAt(holder, path)})`, { id, uuid, display_name: displayName(name) });
    return {
      id,
      statements: [
        ...folders,
        db.build.update(blobs).set({ size: blob.size, sha256: blob.sha256, unsure_since: null }).where(eq(blobs.key, key)),
        file,
        db.build
          .update(files)
          .set({ workflow_state: 'available', blob_id: blob.id, size: blob.size, display_name, modified_at: now })
          .where(eq(files.uuid, uuid)),
      ],
    };
  }

  return { statements, receive };
}
