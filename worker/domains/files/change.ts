// Renames, moves, locks and deletes files.

import type { Shape } from '@carrel/shared/wire/fields';
import { bool, idField, maybe, oneOf, optional, text, time, word } from '@carrel/shared/wire/fields';
import { and, eq, ne, sql } from 'drizzle-orm';
import { adminMay } from '../../contexts/institution';
import type { Statement } from '../../database/open';
import type { Call } from '../../http/call';
import { type ConditionalCall, preconditionOf, refusedBy } from '../../http/conditional';
import { rows } from '../../http/listing';
import { found, invalid, notFound, problem, unauthorized } from '../../http/problem';
import { one, type Reply, versioned, write } from '../../http/reply';
import { changeUnlocked } from '../../rules/blueprint_locks';
import { module_items } from '../modules/table';
import { heldBy } from './folders/paths';
import { folders } from './folders/table';
import { syncedFile } from './json';
import { displayName, storedName } from './names';
import { thePlace } from './place';
import { placeholder } from './placeholder';
import { currentFileId, keptIn } from './policy';
import { blobs, file_versions, files } from './table';
import { newBlobKey, storeBlob } from './upload/blobs';
import { freeName, replaceOlder } from './upload/complete';
import { duplicateRule } from './upload/parameters';

export const fileFields = {
  name: optional(text),
  parent_folder_id: optional(idField('folder')),
  on_duplicate: optional(word),
  lock_at: optional(maybe(time)),
  unlock_at: optional(maybe(time)),
  locked: optional(bool),
  hidden: optional(bool),
  visibility_level: optional(oneOf('inherit', 'course', 'context', 'institution', 'public')),
};

type Changing = Call & ConditionalCall & { readonly id: number };

/** A conditional update: on a 412 the response contains the file with that id, or its replacement. */
export const onCondition = (call: Changing) =>
  preconditionOf(call, files, 'available', () =>
    refusedBy(call, syncedFile, rows(files, { where: and(keptIn(thePlace(call)), eq(files.id, currentFileId(call.id))) })),
  );

/** Guards against a concurrent delete of the target folder. */
const folderStays = ({ db, id }: Changing, folder_id: number): Statement =>
  db.build
    .update(files)
    .set({ folder_id: sql`null` })
    .where(and(eq(files.id, id), sql`not exists (select 1 from folders d where d.id = ${folder_id} and d.workflow_state = 'visible')`));

const taken = () => problem(409, 'file already exists; set on_duplicate to overwrite or rename');

/** Reads the file, its target folder, and the file with the same name there. */
async function load(
  { db, course, user, group, me, id }: Pick<Changing, 'db' | 'course' | 'user' | 'group' | 'me' | 'id'>,
  folder_id: number | undefined,
  name: string | undefined,
) {
  const place = thePlace({ course, user, group, me });
  const target = folder_id ?? sql`(select folder_id from files where id = ${id})`;
  const called = name ?? sql`(select display_name from files where id = ${id})`;
  const [[file], [folder], [twin]] = await db.perform([
    db.build
      .select()
      .from(files)
      .where(and(keptIn(place), eq(files.id, id))),
    db.build
      .select({ id: folders.id, for_submissions: folders.for_submissions })
      .from(folders)
      .where(and(heldBy(place), eq(folders.id, target))),
    db.build
      .select({ id: files.id })
      .from(files)
      .where(and(eq(files.folder_id, target), eq(files.display_name, called), eq(files.workflow_state, 'available'), ne(files.id, id))),
  ]);
  return { place, file: found(file), folder: found(folder), twin };
}

/**
 * @throws Problem 409 when the name is taken and `on_duplicate` is missing, 400 for unlocking a file without required usage rights, 401 for a
 * submission's file, 404 for an unknown folder, 412 when the precondition fails
 */
export async function changeFile(call: Changing & { params: Shape<typeof fileFields> }): Promise<Reply> {
  const { db, params, now, id } = call;
  const on_duplicate = duplicateRule(params.on_duplicate);
  if (params.name !== undefined && params.name.length > 255) throw invalid('name', 'too_long');
  const name = params.name ? displayName(params.name) : undefined;
  const precondition = onCondition(call);
  const { place, file, folder, twin } = await load(call, params.parent_folder_id, name);
  if (file.is_submitted || folder.for_submissions) throw unauthorized();
  await precondition.check(file);
  if (twin && on_duplicate === undefined) throw taken();
  if (place.wantsUsageRights && file.locked && params.locked === false && !file.usage_rights)
    throw problem(400, 'Usage rights must be set before the file is published');
  const display_name = name ?? file.display_name;
  const moved = { ...file, display_name, folder_id: folder.id };
  const isReplacing = twin !== undefined && on_duplicate === 'overwrite';
  const { visibility_level } = params;
  const then = versioned(one(rows(files, { where: eq(files.id, id) })));
  return write(
    [
      ...precondition.guard,
      ...(folder.id === file.folder_id ? [] : [folderStays(call, folder.id)]),
      ...(isReplacing ? replaceOlder(db, moved, sql`true`, now) : []),
      ...changeUnlocked(
        db,
        files,
        {
          display_name: twin && !isReplacing ? freeName(folder.id, moved) : display_name,
          filename: name === undefined ? undefined : storedName(name),
          folder_id: folder.id,
          lock_at: params.lock_at,
          unlock_at: params.unlock_at,
          locked: params.locked,
          hidden: params.hidden,
          visibility_level: visibility_level === 'context' ? 'course' : visibility_level,
          updated_at: now,
        },
        and(eq(files.id, id), eq(files.workflow_state, 'available')),
      ),
    ],
    then,
    { ...precondition.refusals, 'files.display_name': taken, 'files.folder_id': notFound },
  );
}

/** The permission to act as other users in the whole institution. */
export const mayBecomeOthers = ({ me, institution }: Pick<Call, 'me' | 'institution'>): boolean =>
  adminMay('become_user', me, [institution.root.id], institution);

/** @throws Problem 403 for a submitted file, 412 when the precondition fails */
export async function removeFile(call: Changing): Promise<Reply> {
  const { db, now, id } = call;
  const precondition = onCondition(call);
  const { file } = await load(call, undefined, undefined);
  if (file.is_submitted) throw problem(403, 'Cannot delete a file that has been submitted as part of an assignment');
  await precondition.check(file);
  return write(
    [
      ...precondition.guard,
      ...changeUnlocked(db, files, { workflow_state: 'deleted', updated_at: now }, eq(files.id, id)),
      db.build
        .update(module_items)
        .set({ workflow_state: 'deleted', updated_at: now })
        .where(and(eq(module_items.type, 'File'), eq(module_items.content_id, id))),
    ],
    one(rows(files, { where: eq(files.id, id) })),
    precondition.refusals,
  );
}

/** Replaces the content by a notice that it was removed: for content that must disappear, even if submitted. */
export async function blankFile(call: Changing): Promise<Reply> {
  if (!mayBecomeOthers(call)) throw unauthorized();
  const { db, env, meter, now, id } = call;
  const precondition = onCondition(call);
  const key = newBlobKey();
  const [[added]] = await db.perform([
    db.build.insert(blobs).values({ key, size: 0, sha256: '', created_at: now, unsure_since: now }).returning({ id: blobs.id }),
  ]);
  const blob_id = (added as { id: number }).id;
  const { size, sha256 } = await storeBlob(env.FILES, key, placeholder(), Number.POSITIVE_INFINITY, meter);
  const where = and(eq(files.id, id), eq(files.workflow_state, 'available'));
  return write(
    [
      ...precondition.guard,
      db.build.update(blobs).set({ size, sha256, unsure_since: null }).where(eq(blobs.id, blob_id)),
      ...changeUnlocked(
        db,
        files,
        {
          blob_id,
          size,
          display_name: freeName(sql`select folder_id from files where id = ${id}`, {
            id,
            uuid: key.slice(-12),
            display_name: 'file_removed.pdf',
          }),
          filename: 'file_removed.pdf',
          content_type: 'application/pdf',
          modified_at: now,
          updated_at: now,
        },
        where,
      ),
      // Earlier versions would still contain the removed content.
      db.build.delete(file_versions).where(eq(file_versions.file_id, id)),
    ],
    one(rows(files, { where })),
    precondition.refusals,
  );
}
