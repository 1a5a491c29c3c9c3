// Creates, renames, moves and deletes folders. The full names of descendants are updated in one statement.

import { and, eq, ne, type SQL, sql } from 'drizzle-orm';
import type { Database, Statement } from '../../../database/open';
import type { Call } from '../../../http/call';
import { type ConditionalCall, conditionOf, preconditionOf, refusedBy } from '../../../http/conditional';
import { rows } from '../../../http/listing';
import { found, notFound, problem, unauthorized } from '../../../http/problem';
import { one, type Reply, row, versioned, write } from '../../../http/reply';
import { changeUnlocked } from '../../../rules/blueprint_locks';
import { module_items } from '../../modules/table';
import { thePlace } from '../place';
import { files } from '../table';
import { folder as folderJson } from './json';
import { folderAt, folderLevels, folderName, type Holder, heldBy, makePath, unfiled } from './paths';
import { subtree } from './policy';
import { folders } from './table';

interface Given {
  readonly name?: string;
  readonly parent_folder_id?: number;
  readonly parent_folder_path?: string;
  readonly lock_at?: string | null;
  readonly unlock_at?: string | null;
  readonly locked?: boolean;
  readonly hidden?: boolean;
  readonly position?: number;
}

type Making = Call & ConditionalCall & { readonly params: Given };
/** A change of an existing folder, optionally conditional. */
type Conditional = Call & ConditionalCall & { readonly id: number };

const restrictions = ({ lock_at, unlock_at, locked, hidden, position }: Given) => ({ lock_at, unlock_at, locked, hidden, position });

/** The name, or the first unused one of `name 2`, `name 3` … */
export const freeFolderName = (parent: SQL, name: string | SQL, self = 0): SQL<string> => {
  // The second condition on the state matches the partial index.
  const taken = (candidate: SQL) =>
    sql`exists (select 1 from folders f where f.parent_folder_id = (${parent}) and f.name = ${candidate} and f.workflow_state = 'visible' and f.workflow_state <> 'deleted' and f.id <> ${self})`;
  const turn = sql`case when n = 1 then ${name} else ${name} || ' ' || n end`;
  return sql`(with recursive turn(n) as (select 1 union all select n + 1 from turn where ${taken(turn)}) select ${turn} from turn order by n desc limit 1)`;
};

const nameOf = (parent: SQL) => sql`(select p.full_name from folders p where p.id = (${parent}))`;

/**
 * @param folder_id the parent, when the path names it
 * @throws Problem 400 for two parents, 404 for an unknown parent, 401 in submission folders, 412 when the name must be free and is not
 */
export async function makeFolder(call: Making, folder_id?: number): Promise<Reply> {
  const { db, params, now } = call;
  const place = thePlace(call);
  const id = folder_id ?? params.parent_folder_id;
  const path = params.parent_folder_path;
  if (id !== undefined && path) throw problem(400, 'Can not set both parent_folder_id and parent_folder_path');
  const levels = path ? folderLevels(path, place) : unfiled;
  const [[parent]] = await db.perform([
    db.build
      .select({ id: folders.id, for_submissions: folders.for_submissions })
      .from(folders)
      .where(and(heldBy(place), eq(folders.id, id === undefined ? sql`(${folderAt(place, levels)})` : id))),
  ]);
  if (id !== undefined && !parent) found(parent);
  if (parent?.for_submissions) throw unauthorized();
  const above = id === undefined ? folderAt(place, levels) : sql`select ${id}`;
  const wanted = folderName(params.name ?? '');
  const mustBeFree = conditionOf(call)?.none_match === '*';
  const name = mustBeFree ? sql<string>`${wanted}` : freeFolderName(above, wanted);
  const there = and(heldBy(place), eq(folders.name, wanted), sql`${folders.parent_folder_id} = (${above})`);
  return write(
    [
      ...(id === undefined ? makePath(db, place, levels, now) : []),
      db.build.insert(folders).values({
        context_type: place.context_type,
        context_id: place.context_id,
        parent_folder_id: sql`(${above})`,
        name,
        full_name: sql`${nameOf(above)} || '/' || ${name}`,
        ...restrictions(params),
        created_at: now,
        updated_at: now,
      }),
    ],
    versioned(one(rows(folders, { where: eq(folders.id, sql`last_insert_rowid()`) }))),
    mustBeFree ? { 'folders.name': () => refusedBy(call, folderJson, rows(folders, { where: there })) } : {},
  );
}

/** A conditional update. Covers the folder itself, not its content. */
const onCondition = (call: Conditional) =>
  preconditionOf(call, folders, 'visible', () =>
    refusedBy(call, folderJson, rows(folders, { where: and(heldBy(thePlace(call)), eq(folders.id, call.id)) })),
  );

/** Rewrites the full names of all descendants. Run before the folder itself is changed. */
function renameBelow({ context_type, context_id }: Holder, id: number, full_name: SQL): SQL {
  const old = sql`(select o.full_name from folders o where o.id = ${id})`;
  // `0` follows `/` in ASCII: a range, so that the index on paths is used.
  return sql`update folders set full_name = (${full_name}) || substr(full_name, length(${old}) + 1) where context_type = ${context_type} and context_id = ${context_id} and full_name >= ${old} || '/' and full_name < ${old} || '0'`;
}

/** Guards against a concurrent delete or move of the target parent. */
const parentStays = ({ build }: Database, id: number, parent_id: number): Statement =>
  build
    .update(folders)
    .set({ full_name: sql`null` })
    .where(
      and(
        eq(folders.id, id),
        sql`not exists (select 1 from folders d where d.id = ${parent_id} and d.workflow_state = 'visible' and substr(d.full_name, 1, length(folders.full_name) + 1) <> folders.full_name || '/')`,
      ),
    );

/**
 * @throws Problem 400 for changing the root's name or parent and for moving a folder into itself, 404 for an unknown parent, 412 when the
 * precondition fails
 */
export async function changeFolder(call: Conditional & { readonly params: Given }): Promise<Reply> {
  const precondition = onCondition(call);
  const { db, params, now, id } = call;
  const place = thePlace(call);
  const [[folder], [parent]] = await db.perform([
    db.build
      .select()
      .from(folders)
      .where(and(heldBy(place), eq(folders.id, id))),
    db.build
      .select({ id: folders.id, full_name: folders.full_name, for_submissions: folders.for_submissions })
      .from(folders)
      .where(and(heldBy(place), eq(folders.id, params.parent_folder_id ?? 0))),
  ]);
  const before = found(folder);
  if (before.for_submissions || parent?.for_submissions) throw unauthorized();
  await precondition.check(before);
  const parent_id = params.parent_folder_id ?? before.parent_folder_id;
  const name = params.name ? folderName(params.name) : before.name;
  const isMoved = parent_id !== before.parent_folder_id || name !== before.name;
  if (isMoved && before.parent_folder_id === null) throw problem(400, 'The root folder cannot be renamed or moved');
  if (params.parent_folder_id !== undefined) found(parent);
  if (parent && (parent.id === id || parent.full_name.startsWith(`${before.full_name}/`)))
    throw problem(400, 'A folder cannot be moved into itself');
  const above = sql`select ${parent_id}`;
  const free = freeFolderName(above, name, id);
  const full_name = sql`${nameOf(above)} || '/' || ${free}`;
  return write(
    [
      ...precondition.guard,
      ...(isMoved && parent ? [parentStays(db, id, parent.id)] : []),
      ...(isMoved ? [db.build.run(renameBelow(place, id, full_name))] : []),
      db.build
        .update(folders)
        .set({
          ...restrictions(params),
          ...(isMoved && { name: free, full_name, parent_folder_id: parent_id }),
          updated_at: now,
        })
        .where(and(eq(folders.id, id), eq(folders.workflow_state, 'visible'))),
    ],
    versioned(one(rows(folders, { where: eq(folders.id, id) }))),
    { ...precondition.refusals, 'folders.full_name': notFound },
  );
}

const holdsSomething = () => problem(400, "Can't delete a folder with content. Set force to delete it with everything in it");

/** Guards against files added to the folder after it was checked. */
const staysEmpty = ({ build }: Database, id: number): Statement =>
  build
    .update(folders)
    .set({ name: sql`null` })
    .where(and(eq(folders.id, id), sql`files_count + folders_count > 0`));

/** @throws Problem 400 for a root folder, and for a folder with content unless forced; 412 when the precondition fails */
export async function removeFolder(call: Conditional, isForced: boolean): Promise<Reply> {
  const precondition = onCondition(call);
  const { db, now, id } = call;
  const place = thePlace(call);
  const [[folder]] = await db.perform([
    db.build
      .select()
      .from(folders)
      .where(and(heldBy(place), eq(folders.id, id))),
  ]);
  const before = found(folder);
  if (before.parent_folder_id === null) throw problem(400, "Can't delete the root folder");
  if (before.for_submissions) throw unauthorized();
  await precondition.check(before);
  if (!isForced && before.files_count + before.folders_count > 0) throw holdsSomething();
  const below = sql`${subtree(sql`select ${id}`)}`;
  const inside = sql`select id from files where folder_id in (${below}) and workflow_state = 'available'`;
  return write(
    [
      ...precondition.guard,
      ...(isForced ? [] : [staysEmpty(db, id)]),
      db.build
        .update(module_items)
        .set({ workflow_state: 'deleted', updated_at: now })
        .where(and(eq(module_items.type, 'File'), sql`${module_items.content_id} in (${inside})`)),
      ...changeUnlocked(
        db,
        files,
        { workflow_state: 'deleted', updated_at: now },
        and(sql`${files.folder_id} in (${below})`, ne(files.workflow_state, 'deleted')),
      ),
      db.build.update(folders).set({ workflow_state: 'deleted', updated_at: now }).where(sql`${folders.id} in (${below})`),
    ],
    row(before),
    {
      ...precondition.refusals,
      'folders.name': holdsSomething,
      'blueprint_items.': () => problem(400, 'The folder contains items locked by the blueprint of this course'),
    },
  );
}
