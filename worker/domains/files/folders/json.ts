// Folders as clients see them: inherited locks, and the number of files and folders visible to the caller.

import { Folder } from '@carrel/shared/resources/folder';
import type { Call } from '../../../http/call';
import type { RowOf } from '../../../http/listing';
import { serializer } from '../../../http/serializer';
import { foldersWithLocks } from '../../blueprint_templates/status';
import { type FileContext, fileContextOf } from '../place';
import { unlistedFiles } from '../policy';
import { ancestry, chainOfFolder, lockOf, restrictions } from './ancestry';
import { unlistedFolders } from './policy';
import { folders } from './table';

export type FolderRow = RowOf<typeof folders>;

const ownPlace = { seesAll: true, adds: true };
const nowhere = { seesAll: false, adds: false };

/** The caller's permissions in the folder's context. */
const standingAt = ({ context_type, context_id }: FolderRow, call: Call): Pick<FileContext, 'seesAll' | 'adds'> => {
  if (context_type === 'User' && context_id === call.me.id) return ownPlace;
  const place = fileContextOf(call);
  return place?.context_type === context_type && place.context_id === context_id ? place : nowhere;
};

const countOf = (rows: readonly { id: number | null; count: number }[] | undefined, id: number) =>
  rows?.find((row) => row.id === id)?.count ?? 0;

export const folder = serializer({
  resource: Folder,
  table: folders,
  also: (ids, call) => {
    const place = fileContextOf(call);
    const all = place?.seesAll ?? false;
    return {
      above: place ? restrictions(call.db, place) : ancestry(call.db, ids),
      unlistedFiles: all ? undefined : unlistedFiles(call.db, ids, call.now),
      locked: all && call.course ? foldersWithLocks(call.db, call.course.id) : undefined,
      unlistedFolders: all ? undefined : unlistedFolders(call.db, ids, call.now),
    };
  },
  json(row: FolderRow, call, found) {
    const { now, origin } = call;
    const { seesAll, adds } = standingAt(row, call);
    const chain = [row, ...(row.parent_folder_id === null ? [] : chainOfFolder(found.above, row.parent_folder_id))];
    const isHidden = chain.some((one) => one.hidden);
    const isLocked = lockOf(chain, now) !== undefined;
    const isShut = !seesAll && (isHidden || isLocked);
    const address = `${origin}/api/v1/folders/${row.id}`;
    const visible = (count: number, unlisted: number) => (seesAll ? count : isShut ? 0 : count - unlisted);
    return {
      ...row,
      hidden: isHidden,
      locked_for_user: isLocked && !seesAll,
      hidden_for_user: isHidden && !seesAll,
      can_upload: adds && !row.for_submissions,
      folders_url: `${address}/folders`,
      files_url: `${address}/files`,
      files_count: visible(row.files_count, countOf(found.unlistedFiles, row.id)),
      folders_count: visible(row.folders_count, countOf(found.unlistedFolders, row.id)),
      ...(found.locked?.some(({ id }) => id === row.id) && { is_master_course_content: true, restricted_by_master_course: true }),
    };
  },
});
