// Which folders a viewer may see, as SQL.

import { lookUp } from '@carrel/shared/wire/look_up';
import { and, type SQL, sql } from 'drizzle-orm';
import { readId } from '../../../contexts/references';
import { isInSelect } from '../../../database/ids';
import type { Database } from '../../../database/open';
import type { FileContext } from '../place';
import { heldBy } from './paths';
import { folders } from './table';

/** Literals, to match the partial indexes of restricted folders; the indexes are named because SQLite would choose longer ones. */
const isRestricted = sql`workflow_state = 'visible' and (hidden = 1 or locked = 1 or lock_at is not null or unlock_at is not null)`;

const isShut = (now: string) => sql`(hidden = 1 or locked = 1 or unlock_at > ${now} or lock_at <= ${now})`;

type Where = Pick<FileContext, 'context_type' | 'context_id'>;

/** Ids of folders that are currently hidden or locked, directly or through an ancestor. */
export const shutFolders = (place: Where, now: string): SQL => below(place, isShut(now));

/** Ids of folders with any restriction at any time, their own or an ancestor's. */
export const restrictedFolders = (place: Where): SQL => below(place, sql`true`);

/** Matches the expression of the index of full names; otherwise all folders of all courses would be read. */
const below = ({ context_type, context_id }: Where, which: SQL): SQL =>
  sql`with recursive shut(id) as (select id from folders indexed by folders_restricted where context_type = ${context_type} and context_id = ${context_id} and ${isRestricted} and ${which} union select f.id from folders f join shut on f.parent_folder_id = shut.id where f.workflow_state <> 'deleted') select id from shut`;

/** Numbers of unlisted folders in visible folders: rows of (id, count). */
export const unlistedFolders = (db: Database, ids: SQL, now: string) =>
  db.build
    .select({ id: sql<number>`parent_folder_id`.as('id'), count: sql<number>`count(*)`.as('count') })
    .from(sql`folders indexed by folders_restricted_in_folder`)
    .where(and(isInSelect(sql`parent_folder_id`, ids), isRestricted, isShut(now)))
    .groupBy(sql`parent_folder_id`);

/** The folders of the context that lists show the caller. */
export const listedFolders = (place: FileContext, now: string): SQL =>
  place.seesAll ? heldBy(place) : sql`${heldBy(place)} and ${folders.id} not in (${shutFolders(place, now)})`;

/** For `isInSelect`: the context of the folder named by a path parameter. */
export const contextsOfFolder = (name: string) => (path: Readonly<Record<string, string>>) => {
  const holder = (type: string) =>
    sql`select context_id from folders where id = ${readId(lookUp(path, name) ?? '') ?? 0} and context_type = ${type} and workflow_state = 'visible'`;
  return { course: holder('Course'), user: holder('User'), group: holder('Group') };
};

/** Ids of folders and all their descendants. Both conditions on the state are needed: the second one matches the partial index. */
export const subtree = (ids: SQL): SQL =>
  sql`with recursive below(id) as (${ids} union select f.id from below cross join folders f on f.parent_folder_id = below.id where f.workflow_state = 'visible' and f.workflow_state <> 'deleted') select id from below`;
