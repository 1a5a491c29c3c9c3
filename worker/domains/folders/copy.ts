// Copies of files and folders: rows of their own that share the bytes.

import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import type { ResultOf, Statement } from '../../database/open';
import { randomText } from '../../database/tokens';
import type { Call } from '../../http/call';
import { rows } from '../../http/listing';
import { badParameter, found, problem, unauthorized } from '../../http/problem';
import { one, type Reply, write } from '../../http/reply';
import { standingRows, standings } from '../courses/standing';
import { courses } from '../courses/table';
import { duplicateRule } from '../files/asked';
import { freeName, replaceOlder } from '../files/complete';
import { displayName } from '../files/names';
import { type Place, placeOf, thePlace } from '../files/place';
import { files } from '../files/table';
import { ancestry, chainOfFolder, lockOf } from './ancestry';
import { freeFolderName } from './change';
import type { FolderRow } from './json';
import { type Holder, heldBy } from './paths';
import { subtree } from './policy';
import { folders } from './table';

/** What tells whether the caller may take something from the course that a select names; sent with what reads the thing itself. */
const sourceStatements = (call: Call, course_id: SQL) =>
  [
    call.db.build
      .select()
      .from(courses)
      .where(eq(courses.id, sql`(${course_id})`)),
    standingRows(course_id, call),
  ] as const;

/** The place that the source is in, as the caller stands there; undefined where they stand nowhere. */
function sourcePlace(
  call: Call,
  { context_type, context_id }: Holder,
  [course]: (typeof courses.$inferSelect)[],
  standing: ResultOf<ReturnType<typeof standingRows>>,
): Place | undefined {
  const here = placeOf(call);
  if (here?.context_type === context_type && here.context_id === context_id) return here;
  if (context_type === 'Course' && course && course.workflow_state !== 'deleted')
    return placeOf({ me: call.me, course: standings(standing, call)(course).context as CourseContext, user: undefined });
  if (context_type === 'User' && context_id === call.me.id)
    return { ...thePlace(call), context_type, context_id, reads: true, seesAll: true, edits: true };
  return undefined;
}

interface FileGiven {
  readonly source_file_id?: number;
  readonly source_file?: number;
  readonly on_duplicate?: string;
  readonly name?: string;
}

type Copying<P> = Call & { readonly params: P };

/** @throws Problem 400 without a source, 401 where it may not be downloaded, 404 where it is not, 409 where the name is taken and nothing says what then */
export async function copyFile(call: Copying<FileGiven>, folder_id: number): Promise<Reply> {
  const { db, params, now, me } = call;
  const place = thePlace(call);
  const source_id = params.source_file_id ?? params.source_file;
  if (source_id === undefined) throw badParameter('source_file_id', 'is missing');
  const on_duplicate = duplicateRule(params.on_duplicate);
  const [[source], above, [target], course, standing] = await db.perform([
    db.build
      .select()
      .from(files)
      .where(and(eq(files.id, source_id), eq(files.workflow_state, 'available'))),
    ancestry(db, sql`select folder_id from files where id = ${source_id}`),
    db.build
      .select()
      .from(folders)
      .where(and(heldBy(place), eq(folders.id, folder_id))),
    ...sourceStatements(call, sql`select context_id from files where id = ${source_id} and context_type = 'Course'`),
  ]);
  const original = found(source);
  const from = sourcePlace(call, original, course, standing);
  if (!from?.reads || found(target).for_submissions) throw unauthorized();
  if (!from.seesAll && lockOf([original, ...chainOfFolder(above, original.folder_id)], now)) throw unauthorized();
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
        // An older file of that name gives way first; the new one exists only to be named by it.
        workflow_state: on_duplicate === 'overwrite' ? 'pending' : 'available',
      }),
      ...(on_duplicate === 'overwrite'
        ? [
            ...replaceOlder(db, copied, sql`true`, now),
            db.build.update(files).set({ workflow_state: 'available', user_id: me.id }).where(eq(files.uuid, uuid)),
          ]
        : []),
    ],
    one(rows(files, { where: eq(files.uuid, uuid) })),
    { 'files.display_name': taken },
  );
}

interface CopyOf {
  readonly uuid: SQL;
  readonly folder_id: SQL;
  readonly display_name: SQL;
  readonly workflow_state: 'pending' | 'available';
}

/** Rows for copies of the files that a condition finds. */
function copyRows(
  { db, me, now }: Pick<Call, 'db' | 'me' | 'now'>,
  { context_type, context_id, wantsUsageRights }: Place,
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
    upload: sql`null`,
    modified_at: sql`coalesce(modified_at, updated_at)`,
    workflow_state: sql`${as.workflow_state}`,
    created_at: sql`${now}`,
    updated_at: sql`${now}`,
    uuid: as.uuid,
    folder_id: as.folder_id,
    display_name: as.display_name,
  };
  const values = Object.keys(getTableColumns(files)).map((name) => made[name] ?? sql.identifier(name));
  return db.build
    .insert(files)
    .select(sql`select ${sql.join(values, sql`, `)} from files where ${which} and workflow_state = 'available' and blob_id is not null`);
}

/** @throws Problem 400 without a source, or into itself; 401 where it may not be managed */
export async function copyFolder(call: Copying<{ readonly source_folder_id?: number }>, folder_id: number): Promise<Reply> {
  const { db, params } = call;
  const place = thePlace(call);
  const source_id = params.source_folder_id;
  if (source_id === undefined) throw badParameter('source_folder_id', 'is missing');
  const [[source], [target], [deepest], [free], course, standing] = await db.perform([
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
  const from = sourcePlace(call, original, course, standing);
  if (!from?.edits || into.for_submissions || original.for_submissions) throw unauthorized();
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
    { 'folders.name': () => problem(409, 'a folder of this name has just been made there') },
  );
}

interface NewTop {
  readonly full_name: string;
  readonly name: string;
  readonly parent_id: number;
}

/** Copies of the folders that lie so many levels below the original; those above them have been made by then. */
function copyLevel({ db, now }: Pick<Call, 'db' | 'now'>, place: Place, original: FolderRow, top: NewTop, level: number): Statement {
  const { context_type, context_id } = place;
  const path = (text: SQL) => sql`${top.full_name} || substr(${text}, length(${original.full_name}) + 1)`;
  // The parent's full name is the folder's own without its last name and slash; both count in characters, as SQL does.
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
    created_at: sql`${now}`,
    updated_at: sql`${now}`,
  };
  const values = Object.keys(getTableColumns(folders)).map((column) => made[column] ?? sql`o.${sql.identifier(column)}`);
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
