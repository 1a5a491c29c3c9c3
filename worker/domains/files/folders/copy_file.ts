// Copies of files: rows of their own that share the blob.

import { lookUp } from '@carrel/shared/wire/look_up';
import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { Statement } from '../../../database/open';
import { randomText } from '../../../database/tokens';
import { freshVersion } from '../../../database/version';
import type { Call } from '../../../http/call';
import { rows } from '../../../http/listing';
import { badParameter, found, problem, unauthorized } from '../../../http/problem';
import { one, type Reply, write } from '../../../http/reply';
import { notifyOfUpdate } from '../../../rules/notify';
import { displayName } from '../names';
import { type FileContext, thePlace } from '../place';
import { files } from '../table';
import { freeName, replaceOlder } from '../upload/complete';
import { duplicateRule } from '../upload/parameters';
import { copySourceOf, isOpen, openStatements, sourceStatements } from './copy_source';
import { heldBy } from './paths';
import { folders } from './table';

interface FileGiven {
  readonly source_file_id?: number;
  readonly source_file?: number;
  readonly on_duplicate?: string;
  readonly name?: string;
}

/** @throws Problem 400 without a source, 401 when it may not be downloaded, 404 when missing, 409 when the name is taken and `on_duplicate` is missing */
export async function copyFile(call: Call & { readonly params: FileGiven }, folder_id: number): Promise<Reply> {
  const { db, params, now, me } = call;
  const place = thePlace(call);
  const source_id = params.source_file_id ?? params.source_file;
  if (source_id === undefined) throw badParameter('source_file_id', 'is missing');
  const on_duplicate = duplicateRule(params.on_duplicate);
  const [[source], [target], above, modules, ...about] = await db.perform([
    db.build
      .select()
      .from(files)
      .where(and(eq(files.id, source_id), eq(files.workflow_state, 'available'))),
    db.build
      .select()
      .from(folders)
      .where(and(heldBy(place), eq(folders.id, folder_id))),
    ...openStatements(call, source_id),
    ...sourceStatements(call, sql`select context_id from files where id = ${source_id} and context_type = 'Course'`),
  ]);
  const original = found(source);
  const from = copySourceOf(call, original, about);
  if (!from || found(target).for_submissions || !isOpen(from, original, [above, modules], now)) throw unauthorized();
  const uuid = randomText(40);
  const display_name = on_duplicate === 'rename' && params.name ? displayName(params.name) : original.display_name;
  const copied = { id: sql<number>`(select id from files where uuid = ${uuid})`, folder_id, uuid, display_name };
  const taken = () => problem(409, 'file already exists; set on_duplicate to overwrite or rename');
  return write(
    [
      copyRows(call, place, sql`files.id = ${original.id}`, {
        uuid: sql`${uuid}`,
        folder_id: sql`${folder_id}`,
        display_name:
          on_duplicate === 'rename' ? freeName(folder_id, { id: 0, uuid: uuid.slice(0, 12), display_name }) : sql`${display_name}`,
        // Pending until the older file with that name has been replaced.
        workflow_state: on_duplicate === 'overwrite' ? 'pending' : 'available',
      }),
      ...(on_duplicate === 'overwrite'
        ? [
            ...replaceOlder(db, copied, sql`true`, now),
            ...notifyOfUpdate(db, files, { set: { workflow_state: 'available' }, where: eq(files.uuid, uuid) }, now),
            db.build.update(files).set({ workflow_state: 'available', user_id: me.id }).where(eq(files.uuid, uuid)),
          ]
        : []),
    ],
    one(rows(files, { where: eq(files.uuid, uuid) })),
    { 'files.display_name': taken },
  );
}

export interface CopyOf {
  readonly uuid: SQL;
  readonly folder_id: SQL;
  readonly display_name: SQL;
  readonly workflow_state: 'pending' | 'available';
}

/** Rows for copies of the files that a condition finds. */
export function copyRows(
  { db, me, now }: Pick<Call, 'db' | 'me' | 'now'>,
  { context_type, context_id, wantsUsageRights }: FileContext,
  which: SQL,
  as: CopyOf,
): Statement {
  const made: Record<string, SQL> = {
    id: sql`null`,
    context_type: sql`${context_type}`,
    context_id: sql`${context_id}`,
    user_id: sql`${me.id}`,
    lock_at: sql`null`,
    unlock_at: sql`null`,
    hidden: sql`0`,
    locked: sql`${wantsUsageRights ? sql`usage_rights is null` : sql`0`}`,
    visibility_level: sql`'inherit'`,
    replacement_file_id: sql`null`,
    copied_from_id: sql`id`,
    is_submitted: sql`0`,
    submission_id: sql`null`,
    upload: sql`null`,
    modified_at: sql`coalesce(modified_at, updated_at)`,
    workflow_state: sql`${as.workflow_state}`,
    version: sql.raw(freshVersion),
    created_at: sql`${now}`,
    updated_at: sql`${now}`,
    uuid: as.uuid,
    folder_id: as.folder_id,
    display_name: as.display_name,
  };
  const values = Object.keys(getTableColumns(files)).map((name) => lookUp(made, name) ?? sql.identifier(name));
  return db.build
    .insert(files)
    .select(sql`select ${sql.join(values, sql`, `)} from files where ${which} and workflow_state = 'available' and blob_id is not null`);
}
