// What a folder inherits from its ancestors: being hidden, and locks.

import { type SQL, sql } from 'drizzle-orm';
import { isInSelect } from '../../../database/ids';
import type { Database } from '../../../database/open';
import { restrictedFolders } from './policy';
import { folders } from './table';

export interface Ancestor {
  readonly id: number;
  readonly parent_folder_id: number | null;
  readonly locked: boolean;
  readonly hidden: boolean;
  readonly lock_at: string | null;
  readonly unlock_at: string | null;
}

const select = (db: Database, ids: SQL) =>
  db.build
    .select({
      id: folders.id,
      parent_folder_id: folders.parent_folder_id,
      locked: folders.locked,
      hidden: folders.hidden,
      lock_at: folders.lock_at,
      unlock_at: folders.unlock_at,
    })
    .from(folders)
    .where(isInSelect(folders.id, ids));

/** Reads the selected folders and all their ancestors, each once. */
export const ancestry = (db: Database, ids: SQL) =>
  select(
    db,
    sql`with recursive up(id) as (select * from (${ids}) union select folders.parent_folder_id from folders join up on folders.id = up.id where folders.parent_folder_id is not null) select id from up`,
  );

/** Reads the restricted folders of a context with everything below them: few, while the ancestors of a page may be many. */
export const restrictions = (db: Database, place: Parameters<typeof restrictedFolders>[0]) => select(db, restrictedFolders(place));

export interface FolderLock {
  readonly manually_locked: boolean;
  /** The latest unlock date; null unless it is in the future. */
  readonly unlock_at: string | null;
  /** The earliest lock date; null unless it has passed. */
  readonly lock_at: string | null;
}

export interface Restrictable {
  readonly locked: boolean;
  readonly lock_at: string | null;
  readonly unlock_at: string | null;
}

/** The lock of the first folder of a chain, its own or inherited; undefined when unlocked. */
export function lockOf(chain: readonly Restrictable[], now: string): FolderLock | undefined {
  const early = chain.flatMap(({ unlock_at }) => (unlock_at !== null && unlock_at > now ? [unlock_at] : []));
  const late = chain.flatMap(({ lock_at }) => (lock_at !== null && lock_at <= now ? [lock_at] : []));
  const manually_locked = chain.some(({ locked }) => locked);
  if (!manually_locked && early.length === 0 && late.length === 0) return undefined;
  return { manually_locked, unlock_at: early.sort().at(-1) ?? null, lock_at: late.sort()[0] ?? null };
}

/** A folder and its ancestors, nearest first, as far as they were read. */
export function chainOfFolder(found: readonly Ancestor[], id: number): Ancestor[] {
  const chain: Ancestor[] = [];
  for (let at: number | null = id; at !== null; ) {
    const folder = found.find((one) => one.id === at);
    if (!folder || chain.includes(folder)) break;
    chain.push(folder);
    at = folder.parent_folder_id;
  }
  return chain;
}
