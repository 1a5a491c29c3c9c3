// Copies folders with their content, level by level.

import { lookUp } from '@carrel/shared/wire/look_up';
import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { Statement } from '../../../database/open';
import { freshVersion } from '../../../database/version';
import type { Call } from '../../../http/call';
import { rows } from '../../../http/listing';
import { badParameter, found, problem, unauthorized } from '../../../http/problem';
import { one, type Reply, write } from '../../../http/reply';
import { type FileContext, thePlace } from '../place';
import { freeFolderName } from './change';
import { copyRows } from './copy_file';
import { copySourceOf, sourceStatements } from './copy_source';
import type { FolderRow } from './json';
import { type Holder, heldBy } from './paths';
import { subtree } from './policy';
import { folders } from './table';

/** @throws Problem 400 without a source, or for a copy into itself; 401 when the source may not be managed */
export async function copyFolder(
  call: Call & { readonly params: { readonly source_folder_id?: number } },
  folder_id: number,
): Promise<Reply> {
  const { db, params } = call;
  const place = thePlace(call);
  const source_id = params.source_folder_id;
  if (source_id === undefined) throw badParameter('source_folder_id', 'is missing');
  const [[source], [target], [deepest], [free], ...about] = await db.perform([
    db.build
      .select()
      .from(folders)
      .where(and(eq(folders.id, source_id), eq(folders.workflow_state, 'visible'))),
    db.build
      .select()
      .from(folders)
      .where(and(heldBy(place), eq(folders.id, folder_id))),
    db.build
      .select({ slashes: sql<number>`max(length(full_name) - length(replace(full_name, '/', '')))`.as('slashes') })
      .from(folders)
      .where(sql`${folders.id} in (${subtree(sql`select ${source_id}`)})`),
    db.build
      .select({ name: freeFolderName(sql`select ${folder_id}`, sql`(select name from folders where id = ${source_id})`).as('name') })
      .from(sql`(select 1)`),
    ...sourceStatements(call, sql`select context_id from folders where id = ${source_id} and context_type = 'Course'`),
  ]);
  const original = found(source);
  const into = found(target);
  const from = copySourceOf(call, original, about)?.place;
  // Hidden and locked files are copied too, so the caller must see all files of the source.
  if (!from?.edits || !from.seesAll || into.for_submissions || original.for_submissions) throw unauthorized();
  const isHere = from.context_type === place.context_type && from.context_id === place.context_id;
  if (isHere && (into.id === original.id || into.full_name.startsWith(`${original.full_name}/`)))
    throw problem(400, 'A folder cannot be copied into itself');
  const name = found(free).name;
  const full_name = `${into.full_name}/${name}`;
  const depth = (deepest?.slashes ?? 0) - (original.full_name.split('/').length - 1);
  const levels = Array.from({ length: depth + 1 }, (_, level) =>
    copyLevel(call, place, original, { full_name, name, parent_id: into.id }, level),
  );
  return write(
    [
      ...levels,
      copyRows(call, place, sql`folder_id in (${subtree(sql`select ${original.id}`)})`, {
        uuid: sql`lower(hex(randomblob(20)))`,
        folder_id: sql`(select p.id from folders p where ${livingIn('p', place)} and p.full_name = ${full_name} || substr((select s.full_name from folders s where s.id = files.folder_id), length(${original.full_name}) + 1))`,
        display_name: sql`display_name`,
        workflow_state: 'available',
      }),
    ],
    one(rows(folders, { where: and(heldBy(place), eq(folders.full_name, full_name)) })),
    { 'folders.name': () => problem(409, 'a folder with this name has just been created there') },
  );
}

interface NewTop {
  readonly full_name: string;
  readonly name: string;
  readonly parent_id: number;
}

/** Copies the folders at a given depth below the original; those above already exist. */
function copyLevel({ db, now }: Pick<Call, 'db' | 'now'>, place: FileContext, original: FolderRow, top: NewTop, level: number): Statement {
  const { context_type, context_id } = place;
  const path = (text: SQL) => sql`${top.full_name} || substr(${text}, length(${original.full_name}) + 1)`;
  // The parent's full name is the folder's without the last segment; lengths are in characters, as in SQL.
  const parent = sql`(select p.id from folders p where ${livingIn('p', place)} and p.full_name = ${path(sql`substr(o.full_name, 1, length(o.full_name) - length(o.name) - 1)`)})`;
  const made: Record<string, SQL> = {
    id: sql`null`,
    context_type: sql`${context_type}`,
    context_id: sql`${context_id}`,
    parent_folder_id: level === 0 ? sql`${top.parent_id}` : parent,
    name: level === 0 ? sql`${top.name}` : sql`o.name`,
    full_name: path(sql`o.full_name`),
    for_submissions: sql`0`,
    unique_type: sql`null`,
    files_count: sql`0`,
    folders_count: sql`0`,
    version: sql.raw(freshVersion),
    created_at: sql`${now}`,
    updated_at: sql`${now}`,
  };
  const values = Object.keys(getTableColumns(folders)).map((column) => lookUp(made, column) ?? sql`o.${sql.identifier(column)}`);
  const slashes = original.full_name.split('/').length - 1 + level;
  return db.build
    .insert(folders)
    .select(
      sql`select ${sql.join(values, sql`, `)} from folders o where o.id in (${subtree(sql`select ${original.id}`)}) and length(o.full_name) - length(replace(o.full_name, '/', '')) = ${slashes}`,
    );
}

const livingIn = (alias: string, { context_type, context_id }: Holder) => {
  const of = sql.raw(alias);
  return sql`${of}.context_type = ${context_type} and ${of}.context_id = ${context_id} and ${of}.workflow_state = 'visible'`;
};
