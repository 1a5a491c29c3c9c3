// Which files there are for a viewer, as SQL.

import { and, eq, type SQL, sql } from 'drizzle-orm';
import { shutFolders } from '../folders/policy';
import type { Place } from './place';
import { files } from './table';

/** Literal, so that the index on restricted files serves it. */
const isRestricted = sql`(hidden = 1 or locked = 1 or lock_at is not null or unlock_at is not null)`;

/** Open by itself at a moment: neither hidden nor locked. Columns unqualified. */
const isShut = (now: string) => sql`(hidden = 1 or locked = 1 or unlock_at > ${now} or lock_at <= ${now})`;

/** Files that are kept in the place. */
export const keptIn = ({ context_type, context_id }: Pick<Place, 'context_type' | 'context_id'>): SQL =>
  and(eq(files.context_type, context_type), eq(files.context_id, context_id), eq(files.workflow_state, 'available')) as SQL;

/** Of files of the place, those that lists show the caller. Modules lock files too, but that does not take them off a list. */
export const listed = (place: Place, now: string): SQL | undefined =>
  place.seesAll
    ? undefined
    : sql`${files.hidden} = 0 and ${files.locked} = 0 and (${files.unlock_at} is null or ${files.unlock_at} <= ${now}) and (${files.lock_at} is null or ${files.lock_at} > ${now}) and ${files.folder_id} not in (${shutFolders(place, now)})`;

/** How many files of each folder the lists do not show: (folder_id, count), by the index on restricted files. */
export const unlistedCounts = (folderIds: SQL, now: string): SQL =>
  sql`select folder_id, count(*) as count from files where folder_id in (${folderIds}) and workflow_state = 'available' and ${isRestricted} and ${isShut(now)} group by folder_id`;

/** The id of the file that stands where the given one was, or is: an overwritten file leads to its replacement. */
export const current = (id: number): SQL => sql`(select coalesce(replacement_file_id, id) from files where id = ${id})`;
