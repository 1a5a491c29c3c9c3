// The files of a course with the sync state of each.

import { statSync } from 'node:fs';
import type { FileLock, FileState, FileView } from '../../contract/files';
import { t } from '../../language/texts';
import { studyFolderOf } from '../disk/folder';
import { inside } from '../disk/inside';
import { removedFolder } from '../model/names';
import { keyOfPlace } from '../model/places';
import type { LedgerRow } from '../model/ports';
import type { FileJson, FolderJson } from '../model/resources';
import { teaches } from '../model/teaching';
import { type Key, lastOf, type Path } from '../model/trees';
import { wayOf } from '../server/pull';
import type { Cache } from '../store/cache';
import type { UserStore } from '../store/user';
import { derive } from '../sync/wanted/derive';
import { ownFiles, type SyncAccount } from '../sync/wanted/wanted';
import { plainText } from '../text/plain_text';

/** The current activity, or the last problem. */
export interface Doing {
  readonly downloading: ReadonlySet<Key>;
  readonly failed: ReadonlyMap<Key, string>;
}

export interface FilesContext extends Doing {
  readonly cache: Cache;
  readonly user: UserStore;
  readonly account: SyncAccount;
}

export function fileViews({ cache, user, account, ...doing }: FilesContext, courseId: number): FileView[] {
  const { deselected, homes } = derive(cache, user, account);
  const { files, folders } = courseId === 0 ? ownFiles(cache) : inCourse(cache, courseId);
  const folderName = folderNames(folders);
  const has_versions = mayRestore(cache, courseId, account.user_id);
  const rows = user.rows();
  const unwanted = user.unwanted();
  const present = files.map((file): FileView => {
    const key = `file:${file.id}`;
    const against = unwanted.has(key) ? 'file' : (deselected.get(key) ?? null);
    const state = against ? 'not wanted' : (stateNow(key, doing) ?? stateOf(file, rows.get(key)));
    return {
      id: file.id,
      name: file.display_name,
      folder: folderName(file.folder_id),
      size: file.size,
      content_type: file['content-type'] ?? 'application/octet-stream',
      updated_at: file.modified_at ?? file.updated_at ?? null,
      state,
      reason: (courseId === 0 ? ownReason(state) : null) ?? reasonOf(state, file, doing.failed.get(key)),
      lock: lockOf(file),
      against,
      has_versions,
    };
  });
  return [...present, ...removedViews(cache, user, homes.get(keyOfPlace(courseId)))].sort(
    (a, b) => names.compare(a.folder, b.folder) || names.compare(a.name, b.name),
  );
}

const inCourse = (cache: Cache, courseId: number) => ({
  files: cache.ofCourse<FileJson>('file', courseId),
  folders: cache.ofCourse<FolderJson>('folder', courseId),
});

/** Users who may edit a file may see and restore its earlier versions. A server without the feed keeps none. */
export const mayRestore = (cache: Cache, courseId: number, userId: number): boolean =>
  wayOf(cache) === 'feed' && (courseId === 0 || (courseId > 0 && teaches(cache, courseId, userId)));

const names = new Intl.Collator();

/** Files that the teacher removed and the student still has. */
function removedViews(cache: Cache, user: UserStore, home: Path | undefined): FileView[] {
  const root = studyFolderOf(user);
  return [...user.removed()].flatMap(([key, path]): FileView[] => {
    const id = Number(key.slice('file:'.length));
    const shelf = `${home}/${removedFolder}/`;
    if (!key.startsWith('file:') || root === undefined || !path.startsWith(shelf) || cache.get('file', id)) return [];
    const there = statSync(inside(root, path), { throwIfNoEntry: false });
    if (!there) return [];
    const folder = [removedFolder, ...path.slice(shelf.length).split('/').slice(0, -1)].join('/');
    const updated_at = there.mtime.toISOString();
    return [
      {
        id,
        name: lastOf(path),
        folder,
        size: there.size,
        content_type: 'application/octet-stream',
        updated_at,
        state: 'removed by teacher',
        reason: t('why.removed', { folder }),
        lock: null,
        against: null,
        has_versions: false,
      },
    ];
  });
}

const stateNow = (key: Key, { downloading, failed }: Doing): FileState | undefined =>
  downloading.has(key) ? 'downloading' : failed.has(key) ? 'failed' : undefined;

function reasonOf(state: FileState, file: FileJson, why: string | undefined): string | null {
  if (state === 'failed') return why ?? null;
  return state === 'locked' || state === 'kept' ? plainText(file.withheld?.explanation ?? file.lock_explanation) || null : null;
}

/** Changes of the user's own files are sent without confirmation. */
const ownReason = (state: FileState): string | null =>
  state === 'edited' ? t('mine.edited') : state === 'conflict' ? t('mine.conflict') : null;

function lockOf({ withheld, locked_for_user, lock_info }: FileJson): FileLock | null {
  if (withheld) return { why: withheld.why, until: withheld.unlock_at ?? null, module: null };
  return locked_for_user ? { why: 'locked', until: lock_info?.unlock_at ?? null, module: lock_info?.context_module?.name ?? null } : null;
}

function stateOf(file: FileJson, row: LedgerRow | undefined): FileState {
  const isEdited = row !== undefined && row.seen.hash !== row.hash;
  const isShut = !file.url || !!file.locked_for_user || file.withheld !== undefined;
  if (row && isShut) return isEdited ? 'edited' : 'kept';
  if (row && row.hash === file.sha256) return isEdited ? 'edited' : 'synced';
  if (isShut) return 'locked';
  return isEdited ? 'conflict' : 'queued';
}

function folderNames(folders: readonly FolderJson[]): (id: number | null) => string {
  const byId = new Map(folders.map((folder) => [folder.id, folder]));
  return (id) => {
    const names: string[] = [];
    const passed = new Set<number>();
    for (
      let folder = byId.get(id ?? 0);
      folder?.parent_folder_id != null && !passed.has(folder.id);
      folder = byId.get(folder.parent_folder_id)
    ) {
      passed.add(folder.id);
      names.unshift(folder.name);
    }
    return names.join('/');
  };
}
