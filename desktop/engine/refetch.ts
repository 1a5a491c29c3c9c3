// What follows for the folder when the server asked to start over: after a gap in the same history what is missing was deleted; in another
// history it is new to the server, and numbers may stand for other files and folders than before.

import type { Note } from './commit';
import { agreedFolders, agreeFolders } from './keep_folders';
import { myFilesFolder } from './names';
import { isAnother } from './plan';
import type { Row, Stamp } from './ports';
import { idOf } from './pushing';
import { Declined, type Session } from './remote';
import type { FileJson } from './resources';
import { isIn } from './shelf_folders';
import type { Cache } from './store/cache';
import type { UserStore } from './store/user';
import type { Key, Path, Wanted } from './trees';
import type { WantedTree } from './wanted';

interface Settling {
  readonly cache: Cache;
  readonly user: UserStore;
  readonly session: Session;
  readonly wanted: Pick<WantedTree, 'tree'>;
}

/** To be called when all that the server has has been stored. */
export async function settleRefetch(why: string, around: Settling): Promise<void> {
  if (why === 'expired') return settleGap(around);
  const { cache, user, wanted } = around;
  const byPath = new Map([...wanted.tree].map(([key, { path }]) => [path, key]));
  const notes = [...user.rows()].flatMap(([key, row]) => settled(key, row, byPath, around));
  // A number may stand for another of these files now.
  user.note([...notes.filter((note) => 'drop' in note), ...notes.filter((note) => 'put' in note)]);
  agreeFolders(user, new Map());
  cache.settleRefetch([]);
}

const isAsAgreed = (row: Row | undefined, there: Wanted | undefined): boolean =>
  row !== undefined && there !== undefined && there.hash === row.hash && !isAnother(there, row);

/** What becomes of a row in another history; nothing where the server has the file as agreed. */
function settled(key: Key, row: Row, byPath: ReadonlyMap<Path, Key>, { user, wanted: { tree } }: Settling): Note<Stamp>[] {
  const there = tree.get(key);
  if (isAsAgreed(row, there) || !key.startsWith('file:')) return [];
  const heir = byPath.get(row.wanted);
  const older = heir === undefined ? undefined : tree.get(heir);
  // An earlier version that this computer knows: what is here is newer, and takes its place like any other edit.
  const isFree = heir === key || !isAsAgreed(user.rows().get(heir ?? ''), older);
  if (heir !== undefined && older && isFree && isIn(row.path, myFilesFolder) && user.former.has(older.uuid, older.hash)) {
    const { seen } = row;
    const put: Note<Stamp> = { put: heir, agreed: { wanted: older.path, path: row.path, hash: older.hash, uuid: older.uuid }, seen };
    return heir === key ? [put] : [{ drop: key }, put];
  }
  return isForeign(key, row, there) ? [{ drop: key }] : [];
}

/**
 * The server's bytes are not those that were agreed on. In another history they may be older, so that the file here is the person's own; so
 * is any file of which it is not known that it is the same.
 */
const isForeign = (key: Key, row: Row, there: Wanted | undefined): boolean =>
  key.startsWith('file:') && there !== undefined && there.hash !== row.hash && (isIn(row.path, myFilesFolder) || row.uuid === undefined);

/** Of one's own files and folders the server has sent all; of a course some may only be out of reach, and are asked for one by one. */
async function settleGap({ cache, user, session }: Settling): Promise<void> {
  const files: number[] = [];
  for (const [key, { path }] of user.rows()) {
    if (!key.startsWith('file:') || cache.get('file', idOf(key))) continue;
    if (isIn(path, myFilesFolder) || (await isGone(idOf(key), session))) files.push(idOf(key));
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

/** Numbers that stand for other files now: what was agreed on under them may be anywhere, and everything has to be looked at. */
export const hasOthers = (keys: ReadonlySet<Key> | undefined, tree: ReadonlyMap<Key, Wanted>, rows: ReadonlyMap<Key, Row>): boolean =>
  [...(keys ?? [])].some((key) => {
    const row = rows.get(key);
    return row !== undefined && isAnother(tree.get(key), row);
  });
