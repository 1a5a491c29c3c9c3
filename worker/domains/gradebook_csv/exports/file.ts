// The file of a gradebook export: among the files of the caller, pending until it is complete.

import { sql } from 'drizzle-orm';
import type { Database, Statement } from '../../../database/open';
import { contentType } from '../../files/content_types';
import { folderAt, type Holder, makePath, unfiled } from '../../files/folders/paths';
import { displayName, storedName } from '../../files/names';
import type { StoredBlob } from '../../files/upload/blobs';

const holderOf = (user_id: number): Holder => ({ context_type: 'User', context_id: user_id });

/** `2026-11-23T081255_Grades-CS101.csv`, as in Canvas, but with seconds: two exports of a minute have different names. */
export const exportName = (now: string, course_code: string): string =>
  displayName(`${now.slice(0, 19).replaceAll(':', '')}_Grades-${course_code.replace(/[^\p{L}\p{N}]+/gu, '_').slice(0, 100)}.csv`);

/** `2026-11-23T081255_Midterm_student_analysis.csv`. */
export const reportName = (now: string, title: string, type: string): string =>
  displayName(`${now.slice(0, 19).replaceAll(':', '')}_${title.replace(/[^\p{L}\p{N}]+/gu, '_').slice(0, 100)}_${type}.csv`);

/** Reserves the id of the file, which the response names before the file exists. */
export function expectFile(db: Database, user_id: number, name: string, uuid: string, now: string): Statement[] {
  const holder = holderOf(user_id);
  return [
    ...makePath(db, holder, unfiled, now),
    db.build.run(sql`insert into files (context_type, context_id, folder_id, uuid, display_name, filename, content_type, size, user_id, category, workflow_state, created_at, updated_at)
      values ('User', ${user_id}, (${folderAt(holder, unfiled)}), ${uuid}, ${name}, ${storedName(name)}, ${contentType(undefined, name)}, 0, ${user_id}, 'uncategorized', 'pending', ${now}, ${now})`),
  ];
}

/** Shows the file. Another file with its name, from the same second, is kept. */
export const completeFile = (db: Database, uuid: string, blob: StoredBlob & { readonly key: string }, now: string): Statement[] => [
  db.build.run(sql`update blobs set size = ${blob.size}, sha256 = ${blob.sha256}, unsure_since = null where key = ${blob.key}`),
  db.build.run(sql`update files set size = ${blob.size}, blob_id = (select id from blobs where key = ${blob.key}), modified_at = ${now}, workflow_state = 'available', updated_at = ${now},
    display_name = case when exists (select 1 from files f where f.folder_id = files.folder_id and f.display_name = files.display_name and f.workflow_state = 'available') then substr(files.uuid, 1, 8) || '-' || files.display_name else files.display_name end
    where files.uuid = ${uuid} and files.workflow_state = 'pending'`),
];

export const deleteFile = (db: Database, uuid: string, now: string): Statement =>
  db.build.run(
    sql`update files set workflow_state = 'deleted', updated_at = ${now} where uuid = ${uuid} and workflow_state in ('available', 'pending')`,
  );
