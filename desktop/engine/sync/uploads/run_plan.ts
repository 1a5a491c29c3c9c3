// Uploads: each step checks both sides again before it acts, and the server checks once more when it commits. Steps are stored before they
// are sent, so that after a crash the next start finds out what the server has done (own_steps.ts).

import type { FileJson, FolderJson } from '../../model/resources';
import { type Key, lastOf, type Path, parentOf } from '../../model/trees';
import type { PushStep } from '../../planner/push_plan';
import { Declined } from '../../server/session';
import { during, expectFolder, expectUnchanged, ifMatch, keyIdOf, learn, type Pushing, Stale, unlessChanged, uploadName } from './checks';
import { sendFile } from './send_file';
import { dropEmpty, serverFolderAt } from './server_folders';

/** A step for a folder of the user's own. */
export type FolderStep =
  | { readonly do: 'rename folder'; readonly id: number; readonly from: Path; readonly to: Path }
  | { readonly do: 'make folder'; readonly path: Path }
  /** Carried out only if the folder is empty by then. */
  | { readonly do: 'delete folder'; readonly id: number; readonly path: Path };

export async function push(step: Exclude<PushStep, { do: 'refuse' }> | FolderStep, around: Pushing): Promise<void> {
  switch (step.do) {
    case 'make folder':
      return void (await serverFolderAt(step.path, around));
    case 'rename folder':
      return renameFolder(step, around);
    case 'delete folder':
      return deleteFolder(step, around);
    case 'add':
      return sendFile(step.path, around);
    case 'replace':
      return sendFile(step.path, around, step.key);
    case 'rename':
      return rename(step, around);
    case 'delete':
      return remove(step, around);
    default:
      return step satisfies never;
  }
}

async function rename({ key, from, to: path, by, after }: Extract<PushStep, { do: 'rename' }>, around: Pushing): Promise<void> {
  const { session, user, isAgreed } = around;
  const now = await expectUnchanged(key, around);
  const to = by ?? path;
  const isMoved = parentOf(from) !== parentOf(to);
  const isRenamed = lastOf(from) !== lastOf(to);
  const folder = isMoved ? await serverFolderAt(parentOf(to), around) : now.folder_id;
  const json = {
    ...(isRenamed && { name: uploadName(to) }),
    ...(isMoved && { parent_folder_id: folder }),
    // Without it the server refuses a name that is taken.
    ...(!isAgreed && after === undefined && { on_duplicate: 'rename' }),
  };
  const name = isRenamed ? uploadName(to) : now.display_name;
  const { id } = user.steps.begin({ do: 'rename', key, uuid: now.uuid, folder, name, path, ...(by !== undefined && { by }) });
  const headers = ifMatch(now, session);
  const asked = () => session.json<FileJson>(`/api/v1/files/${now.id}`, { method: 'PUT', json, ...(headers && { headers }) });
  const result = await unlessChanged(during(user.steps, id, asked), now.display_name).catch((problem: unknown) => {
    const isTaken = after !== undefined && problem instanceof Declined && problem.status === 409;
    throw isTaken ? new Stale('why.takenThere', name) : problem;
  });
  user.steps.done(id);
  learn('file', now.id, result, around);
  if (isMoved) await dropEmpty(parentOf(from), around);
}

async function remove({ key, path }: { key: Key; path: Path }, around: Pushing): Promise<void> {
  const { session, user } = around;
  const now = await expectUnchanged(key, around);
  const { id } = user.steps.begin({ do: 'delete', key, uuid: now.uuid, path });
  const headers = ifMatch(now, session);
  const asked = () => session.ask(`/api/v1/files/${keyIdOf(key)}`, { method: 'DELETE', ...(headers && { headers }) });
  await unlessChanged(during(user.steps, id, asked), now.display_name);
  user.steps.done(id);
  learn('file', keyIdOf(key), undefined, around);
  await dropEmpty(parentOf(path), around);
}

async function renameFolder({ id, from, to }: Extract<FolderStep, { do: 'rename folder' }>, around: Pushing): Promise<void> {
  const { session, user, inodes } = around;
  const now = await expectFolder(id, around);
  const folder = parentOf(from) === parentOf(to) ? now.parent_folder_id : await serverFolderAt(parentOf(to), around);
  const name = lastOf(from) === lastOf(to) ? now.name : uploadName(to);
  const json = { ...(name !== now.name && { name }), ...(folder !== now.parent_folder_id && { parent_folder_id: folder }) };
  const begun = user.steps.begin({ do: 'rename folder', id, folder, name, from, path: to, inode: inodes?.get(to) ?? '' });
  const headers = ifMatch(now, session);
  const asked = () => session.json<FolderJson>(`/api/v1/folders/${id}`, { method: 'PUT', json, ...(headers && { headers }) });
  const told = await unlessChanged(during(user.steps, begun.id, asked), now.name);
  user.steps.done(begun.id);
  learn('folder', id, told, around);
}

async function deleteFolder({ id, path }: Extract<FolderStep, { do: 'delete folder' }>, around: Pushing): Promise<void> {
  const { session, user, folders } = around;
  const now = await expectFolder(id, around);
  const { files_count = 0, folders_count = 0 } = now;
  if (files_count + folders_count > 0) throw new Stale('why.notEmptyThere', path);
  const begun = user.steps.begin({ do: 'delete folder', id, path });
  const headers = ifMatch(now, session);
  const asked = () => session.ask(`/api/v1/folders/${id}`, { method: 'DELETE', ...(headers && { headers }) });
  await unlessChanged(during(user.steps, begun.id, asked), now.name);
  user.steps.done(begun.id);
  folders.delete(path);
  learn('folder', id, undefined, around);
}
