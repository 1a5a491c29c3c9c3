// Creates folders on the server for local folders, and deletes empty ones.

import type { FolderJson } from '../../model/resources';
import { lastOf, type Path, parentOf } from '../../model/trees';
import { pagesOf } from '../../server/paged';
import { Declined, type Session } from '../../server/session';
import { during, ifMatch, learn, type Pushing, uploadName } from './checks';

/** The server's folder for a local one, created if missing. */
export async function serverFolderAt(given: Path, around: Pushing): Promise<number> {
  const path = given.normalize('NFC');
  const known = around.folders.get(path);
  if (known !== undefined) return known;
  const { session, address, home, folders, user, inodes } = around;
  if (path === home || !path.startsWith(`${home}/`)) {
    const root = await session.json<FolderJson>(`${address}/folders/root`);
    folders.set(home, root.id);
    return root.id;
  }
  const parent_folder_id = await serverFolderAt(parentOf(path), around);
  const inode = inodes?.get(given) ?? inodes?.get(path) ?? '';
  const { id } = user.steps.begin({ do: 'make folder', path, folder: parent_folder_id, name: lastOf(path), inode });
  const make = async (): Promise<FolderJson> =>
    (await alreadyMade(lastOf(path), parent_folder_id, session)) ??
    (await session.json<FolderJson>(`${address}/folders`, {
      method: 'POST',
      headers: { 'idempotency-key': id },
      json: { name: uploadName(path), parent_folder_id },
      once: true,
    }));
  const made = await during(user.steps, id, make);
  user.steps.done(id, { id: made.id });
  learn('folder', made.id, made, around);
  folders.set(path, made.id);
  return made.id;
}

/** On a server without idempotency keys the first request may have succeeded, and a second would create another folder. */
async function alreadyMade(name: string, parent: number, session: Session): Promise<FolderJson | undefined> {
  if (!session.isForgetful) return undefined;
  for await (const page of pagesOf<FolderJson>(session, `/api/v1/folders/${parent}/folders?per_page=100`)) {
    const found = page.find((one) => one.name.normalize('NFC') === name);
    if (found) return found;
  }
  return undefined;
}

/** Deletes a folder that was deleted here, if it is empty; the server refuses to delete one that is not. */
export async function dropEmpty(path: Path, { session, cache, folders, disk, home, keepsFolders }: Pushing): Promise<void> {
  if (keepsFolders) return;
  for (let at = path; at.startsWith(`${home}/`); at = parentOf(at)) {
    const id = folders.get(at);
    if (id === undefined || disk.isFolder?.(at) !== false) return;
    const known = cache.get<FolderJson>('folder', id);
    try {
      await session.ask(`/api/v1/folders/${id}`, { method: 'DELETE', ...(known && { headers: ifMatch(known, session) ?? {} }) });
    } catch (problem) {
      if (problem instanceof Declined) return;
      throw problem;
    }
    folders.delete(at);
  }
}
