// Files of an import: in a hidden folder of the account, one per import.

import { sql } from 'drizzle-orm';
import type { Database, Statement } from '../../../database/open';
import { randomText } from '../../../database/tokens';
import { type FolderLevel, folderAt, makePath } from '../../files/folders/paths';
import { displayName, storedName } from '../../files/names';
import { newBlobKey, type StoredBlob, storeBlob } from '../../files/upload/blobs';
import { type ImportWork, rootId } from '../work';

/** The folder of an import. */
export const importFolderOf = (importUuid: string) => ({
  holder: { context_type: 'Account', context_id: rootId } as const,
  levels: [
    { name: 'SIS imports', hidden: true, unique_type: 'sis imports' },
    { name: importUuid, hidden: true },
  ] as FolderLevel[],
});

export interface Paper {
  readonly uuid: string;
  readonly statements: readonly Statement[];
}

/** The row of a file whose bytes are already in R2. */
export function paper(
  db: Database,
  given: {
    holder: { context_type: 'Account'; context_id: number };
    levels: FolderLevel[];
    user_id: number;
    name: string;
    content_type: string;
    blob: StoredBlob & { key: string };
  },
  now: string,
): Paper {
  const { holder, levels, user_id, name, content_type, blob } = given;
  const uuid = randomText(40);
  const display_name = displayName(name.split('/').at(-1) ?? name);
  // Two files with the same name, from different folders of an archive, are both kept.
  const folder = sql`(${folderAt(holder, levels)})`;
  const free = sql`case when exists (select 1 from files f where f.folder_id = ${folder} and f.display_name = ${display_name} and f.workflow_state = 'available') then ${`${uuid.slice(0, 8)}-${display_name}`} else ${display_name} end`;
  return {
    uuid,
    statements: [
      ...makePath(db, holder, levels, now),
      db.build.run(sql`update blobs set size = ${blob.size}, sha256 = ${blob.sha256}, unsure_since = null where key = ${blob.key}`),
      db.build.run(sql`insert into files (context_type, context_id, folder_id, uuid, display_name, filename, content_type, size, blob_id, user_id, category, modified_at, workflow_state, created_at, updated_at)
        select ${holder.context_type}, ${holder.context_id}, ${folder}, ${uuid}, ${free}, ${storedName(display_name)}, ${content_type}, ${blob.size}, (select id from blobs where key = ${blob.key}), ${user_id}, 'uncategorized', ${now}, 'available', ${now}, ${now}`),
    ],
  };
}

export const fileId = (uuid: string) => sql`(select id from files where uuid = ${uuid})`;

/** Creates the row of a blob, before its first byte. */
export const expectBlob = (db: Database, key: string, now: string): Statement =>
  db.build.run(sql`insert into blobs (key, size, sha256, created_at, unsure_since) values (${key}, 0, '', ${now}, ${now})`);

/** Streams content into a file of the import; the caller adds its statements to the batch that needs it. */
export async function writePaper(
  work: ImportWork,
  name: string,
  content_type: string,
  content: AsyncIterable<Uint8Array>,
): Promise<Paper & StoredBlob> {
  const key = newBlobKey();
  await work.read([expectBlob(work.db, key, work.now())]);
  const kept = await storeBlob(work.env.FILES, key, content, Number.POSITIVE_INFINITY, { r2_calls: 0 });
  const { uuid: importUuid, user_id } = work.it;
  return { ...paper(work.db, { ...importFolderOf(importUuid), user_id, name, content_type, blob: { key, ...kept } }, work.now()), ...kept };
}

const encoder = new TextEncoder();

/** Lines as bytes, some thousands at a time. */
export async function* encoded(lines: AsyncIterable<string> | Iterable<string>): AsyncGenerator<Uint8Array> {
  let text = '';
  for await (const line of lines) {
    text += line;
    if (text.length < 65_536) continue;
    yield encoder.encode(text);
    text = '';
  }
  if (text !== '') yield encoder.encode(text);
}
