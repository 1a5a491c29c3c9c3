// The files of a course with what became of each here.

import type { FileState, FileView } from '../../ui/channels';
import type { Row } from '../ports';
import type { FileJson, FolderJson } from '../resources';
import type { Cache } from '../store/cache';
import type { UserStore } from '../store/user';
import type { Key } from '../trees';
import { plainText } from './text';

/** What is happening right now, or went wrong last. */
export interface Doing {
  readonly downloading: ReadonlySet<Key>;
  readonly failed: ReadonlyMap<Key, string>;
}

export function fileViews(cache: Cache, user: UserStore, { downloading, failed }: Doing, courseId: number): FileView[] {
  const folderOf = folderNames(cache.ofCourse<FolderJson>('folder', courseId));
  const rows = user.rows();
  const unwanted = user.unwanted();
  return cache
    .ofCourse<FileJson>('file', courseId)
    .map((file) => {
      const key = `file:${file.id}`;
      const why = failed.get(key);
      const state = unwanted.has(key)
        ? 'not wanted'
        : downloading.has(key)
          ? 'downloading'
          : why !== undefined
            ? 'failed'
            : stateOf(file, rows.get(key));
      return {
        id: file.id,
        name: file.display_name,
        folder: folderOf(file.folder_id),
        size: file.size,
        content_type: file['content-type'] ?? 'application/octet-stream',
        updated_at: file.modified_at ?? file.updated_at ?? null,
        state,
        reason:
          state === 'failed'
            ? (why ?? null)
            : state === 'locked'
              ? plainText(file.lock_explanation) || 'The teacher has locked this file.'
              : null,
      };
    })
    .sort((a, b) => a.folder.localeCompare(b.folder) || a.name.localeCompare(b.name));
}

function stateOf(file: FileJson, row: Row | undefined): FileState {
  const isEdited = row !== undefined && row.seen.hash !== row.hash;
  if (row && row.hash === file.sha256) return isEdited ? 'edited' : 'synced';
  if (!file.url || file.locked_for_user) return 'locked';
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
