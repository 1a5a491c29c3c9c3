// What follows for the folder after the server asked to start over: after a gap in the same history, missing files were deleted; in another
// history they are new to the server, and ids may belong to other files and folders than before.

import { myFilesFolder } from '../model/names';
import type { LedgerRow, Stamp } from '../model/ports';
import type { FileJson } from '../model/resources';
import type { Key, Wanted } from '../model/trees';
import type { Note } from '../planner/commit';
import { isAnother } from '../planner/plan';
import { isIn } from '../planner/two_way_folders';
import { Declined, type Session } from '../server/session';
import type { Cache } from '../store/cache';
import type { UserStore } from '../store/user';
import { keyIdOf } from './uploads/checks';
import { agreedFolders, agreeFolders } from './uploads/keep_folders';
import type { WantedTree } from './wanted/wanted';

interface Settling {
  readonly cache: Cache;
  readonly user: UserStore;
  readonly session: Session;
  readonly wanted: Pick<WantedTree, 'tree'>;
}

/** To be called when everything that the server has is stored. */
export async function settleRefetch(why: string, around: Settling): Promise<void> {
  if (why === 'expired') return settleGap(around);
  const { cache, user } = around;
  const older = olderVersions(around);
  const notes = [...user.rows()].flatMap(([key, row]) => settled(key, row, older, around));
  // An id may belong to another of these files now.
  user.note([...notes.filter((note) => 'drop' in note), ...notes.filter((note) => 'put' in note)]);
  agreeFolders(user, new Map());
  cache.settleRefetch([]);
}

const isAsAgreed = (row: LedgerRow, there: Wanted | undefined): boolean =>
  there !== undefined && there.hash === row.hash && there.path === row.wanted && !isAnother(there, row);

/**
 * For the key of each row, the file that has an earlier version or path on the server that this computer knows: no other person
 * has changed it. Searched first by the file that replaced it, then by its path.
 */
function olderVersions({ user, wanted: { tree } }: Settling): ReadonlyMap<Key, Key> {
  const rows = [...user.rows()].filter(([, { path }]) => isIn(path, myFilesFolder));
  const byUuid = new Map(rows.flatMap(([key, { uuid }]) => (uuid === undefined ? [] : [[uuid, key]])));
  const byPath = new Map(rows.map(([key, { wanted }]) => [wanted, key]));
  const known = [...tree].filter(([, there]) => isIn(there.path, myFilesFolder) && user.former.has(there));
  const found = new Map<Key, Key>();
  const claim = (row: Key | undefined, file: Key) => {
    if (row !== undefined && !found.has(row)) found.set(row, file);
    return row !== undefined && found.get(row) === file;
  };
  const left = known.filter(([file, { uuid = '' }]) => {
    const heir = [uuid, ...user.former.heirsOf(uuid)].findLast((one) => byUuid.has(one));
    return !claim(heir === undefined ? undefined : byUuid.get(heir), file);
  });
  for (const [file, { path }] of left) claim(byPath.get(path), file);
  return found;
}

/** The notes for a row in another history; none if the server has the file as agreed. */
function settled(key: Key, row: LedgerRow, older: ReadonlyMap<Key, Key>, { wanted: { tree } }: Settling): Note<Stamp>[] {
  const there = tree.get(key);
  if (!key.startsWith('file:') || isAsAgreed(row, there)) return [];
  const file = older.get(key);
  const version = file === undefined ? undefined : tree.get(file);
  // The local file is newer, and is uploaded like any other change.
  if (file !== undefined && version) {
    const { path: wanted, hash, uuid } = version;
    return [...(file === key ? [] : [{ drop: key }]), { put: file, agreed: { wanted, path: row.path, hash, uuid }, seen: row.seen }];
  }
  return isForeign(key, row, there) ? [{ drop: key }] : [];
}

/**
 * The server's bytes are not those that were agreed. In another history they may be older, so that the local file belongs to the
 * user; the same applies to a file whose identity is unknown.
 */
const isForeign = (key: Key, row: LedgerRow, there: Wanted | undefined): boolean =>
  key.startsWith('file:') && there !== undefined && there.hash !== row.hash && (isIn(row.path, myFilesFolder) || row.uuid === undefined);

/** The user's own files and folders are complete; files of a course may only be inaccessible, and are requested one by one. */
async function settleGap({ cache, user, session }: Settling): Promise<void> {
  const files: number[] = [];
  for (const [key, { path }] of user.rows()) {
    if (!key.startsWith('file:') || cache.get('file', keyIdOf(key))) continue;
    if (isIn(path, myFilesFolder) || (await isGone(keyIdOf(key), session))) files.push(keyIdOf(key));
  }
  const folders = [...agreedFolders(user).keys()].filter((id) => !cache.get('folder', id));
  cache.settleRefetch([...files.map((id) => ({ kind: 'file' as const, id })), ...folders.map((id) => ({ kind: 'folder' as const, id }))]);
}

const isGone = (id: number, session: Session): Promise<boolean> =>
  session.json<FileJson>(`/api/v1/files/${id}`).then(
    (file) => file.id !== id,
    (problem: unknown) => {
      if (problem instanceof Declined) return problem.status === 404;
      throw problem;
    },
  );

/** Ids that belong to other files now: the files that were agreed under them may be anywhere, so a full scan is needed. */
export const hasOthers = (keys: ReadonlySet<Key> | undefined, tree: ReadonlyMap<Key, Wanted>, rows: ReadonlyMap<Key, LedgerRow>): boolean =>
  [...(keys ?? [])].some((key) => {
    const row = rows.get(key);
    return row !== undefined && isAnother(tree.get(key), row);
  });
