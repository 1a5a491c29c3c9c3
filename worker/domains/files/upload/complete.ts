// Completes an upload: the file appears under its name, replacing an older one or next to it, in one batch.

import { and, eq, exists, ne, type SQL, sql } from 'drizzle-orm';
import type { Database, Statement } from '../../../database/open';
import { isMetBy } from '../../../http/conditional';
import { changeUnlocked } from '../../../rules/blueprint_locks';
import { notifyOfUpdate } from '../../../rules/notify';
import { isLocked } from '../../blueprint_templates/locked';
import { module_items } from '../../modules/table';
import { isForAttachments } from '../folders/paths';
import { displayName, namesInTurn, storedName } from '../names';
import { blobs, files, type Upload } from '../table';
import type { StoredBlob } from './blobs';
import { bytesFor } from './submission_limits';

/** What the duplicate rules need to know about a new file. */
interface Incoming {
  readonly id: number | SQL<number>;
  readonly folder_id: number;
  readonly uuid: string;
  readonly display_name: string;
}

/** The first name that is not used in the folder. */
export const freeName = (
  folder_id: number | SQL,
  { id, uuid, display_name }: Pick<Incoming, 'id' | 'uuid' | 'display_name'>,
): SQL<string> => {
  const names = JSON.stringify(namesInTurn(display_name, uuid));
  return sql`(select value from json_each(${names}) where value not in (select f.display_name from files f where f.folder_id = (${folder_id}) and f.workflow_state = 'available' and f.id <> ${id} and f.display_name in (select value from json_each(${names}))) order by key limit 1)`;
};

/** Deletes the file with that name in the folder; everything that referred to it refers to the new one (reference 02 §8.6). */
export function replaceOlder(db: Database, file: Incoming, when: SQL, now: string): Statement[] {
  const older = sql`select id from files where replacement_file_id = ${file.id} and workflow_state = 'deleted'`;
  return [
    ...changeUnlocked(
      db,
      files,
      { workflow_state: 'deleted', replacement_file_id: file.id, updated_at: now },
      and(
        eq(files.folder_id, file.folder_id),
        eq(files.display_name, file.display_name),
        eq(files.workflow_state, 'available'),
        ne(files.id, file.id),
        when,
      ),
    ),
    // Files that the replaced file had replaced point to the new one, so that a chain has at most one step.
    db.build.update(files).set({ replacement_file_id: file.id }).where(sql`${files.replacement_file_id} in (${older})`),
    db.build
      .update(module_items)
      .set({ content_id: file.id, updated_at: now })
      .where(and(eq(module_items.type, 'File'), sql`${module_items.content_id} in (${older})`)),
  ];
}

type Waiting = Incoming & { readonly id: number } & Pick<Upload, 'on_duplicate' | 'quota' | 'budget' | 'condition' | 'conflict_name'>;

/** Whether the upload's precondition failed, as recorded by the first statement of the batch. */
const isAside = sql`coalesce(json_extract(upload, '$.held'), 1) = 0`;

/** Evaluates the precondition once, before anything is replaced. */
function lookAtCondition(db: Database, { id, folder_id, condition }: Waiting): Statement[] {
  if (!condition) return [];
  const there = sql`(select f.version from files f where f.folder_id = ${folder_id} and f.display_name = ${condition.name} and f.workflow_state = 'available' and f.id <> ${id})`;
  return [
    db.build
      .update(files)
      .set({ upload: sql`json_set(upload, '$.held', ${isMetBy(condition, there)})` })
      .where(and(eq(files.id, id), eq(files.workflow_state, 'pending'))),
  ];
}

/**
 * Makes a pending file visible with its bytes; under the conflict name if its precondition failed. Does nothing when it is already visible, its
 * folder was deleted, other uploads have used up the quota, or it has no conflict name.
 */
export function completion(db: Database, file: Waiting, blob: StoredBlob & { readonly id: number }, now: string): Statement[] {
  const used = sql`coalesce((select s.bytes from storage s where s.context_type = p.context_type and s.context_id = p.context_id), 0)`;
  const isWelcome = and(
    file.quota === undefined ? undefined : sql`${used} + ${blob.size} <= ${file.quota}`,
    file.budget === undefined ? undefined : sql`${bytesFor(sql`p.submission_id`, sql`p.user_id`)} + ${blob.size} <= ${file.budget}`,
    file.condition && file.conflict_name === undefined ? sql`json_extract(p.upload, '$.held') = 1` : undefined,
    sql`true`,
  );
  const isWaiting = exists(
    sql`(select 1 from files p join folders d on d.id = p.folder_id where p.id = ${file.id} and p.workflow_state = 'pending' and d.workflow_state = 'visible' and ${isWelcome})`,
  );
  // Files locked by a blueprint are never overwritten, nor are attachments of messages.
  const older = sql`(select f.id from files f where f.folder_id = ${file.folder_id} and f.display_name = ${file.display_name} and f.workflow_state = 'available' and f.id <> ${file.id})`;
  const isKept = sql`(${isLocked('file', older)} or (${older} is not null and exists (select 1 from folders d where d.id = ${file.folder_id} and d.context_type = 'User' and ${isForAttachments(sql`d.name`)})))`;
  const name =
    file.on_duplicate === 'rename'
      ? freeName(file.folder_id, file)
      : sql`case when ${isKept} then ${freeName(file.folder_id, file)} else display_name end`;
  const inConflict = { ...file, display_name: displayName(file.conflict_name ?? '') };
  return [
    ...lookAtCondition(db, file),
    db.build
      .update(blobs)
      .set({ size: blob.size, sha256: blob.sha256, unsure_since: null })
      .where(and(eq(blobs.id, blob.id), isWaiting)),
    ...(file.on_duplicate === 'overwrite'
      ? replaceOlder(
          db,
          file,
          sql`${isWaiting} and not ${isKept} and not exists (select 1 from files p where p.id = ${file.id} and ${isAside})`,
          now,
        )
      : []),
    ...notifyOfUpdate(db, files, { set: { workflow_state: 'available' }, where: and(eq(files.id, file.id), isWaiting) }, now),
    db.build
      .update(files)
      .set({
        workflow_state: 'available',
        blob_id: blob.id,
        size: blob.size,
        display_name: file.condition ? sql`case when ${isAside} then ${freeName(file.folder_id, inConflict)} else ${name} end` : name,
        filename: file.condition ? sql`case when ${isAside} then ${storedName(inConflict.display_name)} else filename end` : undefined,
        modified_at: now,
        updated_at: now,
      })
      .where(and(eq(files.id, file.id), isWaiting)),
  ];
}
