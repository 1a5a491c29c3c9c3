// Carries out what goes up: each step looks at both sides again before it acts. What came of it the feed tells, and nothing is
// noted here: a program that dies in between finds at its next start what is true.

import { randomUUID } from 'node:crypto';
import { inside } from './inside';
import { type Disk, isSameStamp, type Stamp } from './ports';
import type { PushStep } from './push_plan';
import { Declined, type Session } from './remote';
import type { FileJson, FolderJson } from './resources';
import type { Cache } from './store/cache';
import type { UserStore } from './store/user';
import type { Transfers } from './transfers';
import { type Key, lastOf, type Path, parentOf } from './trees';
import { upload } from './upload';

export interface Pushing {
  readonly session: Session;
  readonly cache: Cache;
  readonly user: UserStore;
  readonly disk: Disk;
  readonly root: string;
  readonly transfers?: Transfers;
  /** `/api/v1/users/self` or `/api/v1/courses/7`. */
  readonly address: string;
  readonly home: Path;
  /** Folders that the server has, by where they lie here; grows with those that are made. */
  readonly folders: Map<Path, number>;
  readonly stamps: ReadonlyMap<Path, Stamp>;
}

/** The server is no longer as the plan saw it: the next plan knows better. */
export class Stale extends Error {
  override readonly name = 'Stale';
}

export async function push(step: Exclude<PushStep, { do: 'refuse' }>, around: Pushing): Promise<void> {
  switch (step.do) {
    case 'add':
      return send(step.path, { on_duplicate: 'rename' }, around);
    case 'replace': {
      await expectUnchanged(step.key, around);
      const { display_name, folder_id } = fileOf(step.key, around);
      return send(step.path, { on_duplicate: 'overwrite' }, around, display_name, folder_id ?? undefined);
    }
    case 'rename': {
      await expectUnchanged(step.key, around);
      const isRenamed = lastOf(step.from) !== lastOf(step.to);
      const isMoved = parentOf(step.from) !== parentOf(step.to);
      const json = {
        ...(isRenamed && { name: lastOf(step.to) }),
        ...(isMoved && { parent_folder_id: await folderAt(parentOf(step.to), around) }),
        on_duplicate: 'rename',
      };
      await around.session.ask(`/api/v1/files/${idOf(step.key)}`, { method: 'PUT', json });
      return isMoved ? dropEmpty(parentOf(step.from), around) : undefined;
    }
    case 'delete':
      await expectUnchanged(step.key, around);
      await around.session.ask(`/api/v1/files/${idOf(step.key)}`, { method: 'DELETE' });
      return dropEmpty(parentOf(step.path), around);
    default:
      return step satisfies never;
  }
}

async function send(
  path: Path,
  more: Readonly<Record<string, unknown>>,
  around: Pushing,
  name = lastOf(path),
  folder?: number,
): Promise<void> {
  const { session, user, disk, root, transfers } = around;
  const seen = await disk.hash(path);
  const stamp = around.stamps.get(path);
  // Still being written: the next sync takes it as it is then.
  if (!seen || !stamp || !isSameStamp(seen.stamp, stamp)) throw new Stale(`${path} is being changed`);
  const into = folder ?? (await folderAt(parentOf(path), around));
  const setting = `sending ${path}`;
  const begun = user.setting(setting)?.split(' ');
  const key = begun?.[0] === seen.hash && begun[1] !== undefined ? begun[1] : randomUUID();
  user.set(setting, `${seen.hash} ${key}`);
  const address = `/api/v1/folders/${into}/files`;
  await upload({ session, file: inside(root, path), name, size: seen.stamp.size, address, more, key, transfers });
  user.set(setting, undefined);
}

const idOf = (key: Key): number => Number(key.slice(key.indexOf(':') + 1));

function fileOf(key: Key, { cache }: Pushing): FileJson {
  const file = cache.get<FileJson>('file', idOf(key));
  if (!file) throw new Stale(`${key} is gone`);
  return file;
}

/** What another device has done since the feed was asked is not overwritten: it comes down first. */
async function expectUnchanged(key: Key, around: Pushing): Promise<void> {
  const known = fileOf(key, around);
  const now = await around.session.json<FileJson>(`/api/v1/files/${idOf(key)}`).catch((problem: unknown) => {
    if (problem instanceof Declined && problem.status === 404) throw new Stale(`${known.display_name} is gone from the server`);
    throw problem;
  });
  const isSame =
    now.id === known.id &&
    now.size === known.size &&
    now.updated_at === known.updated_at &&
    now.display_name === known.display_name &&
    now.folder_id === known.folder_id;
  if (!isSame) throw new Stale(`${known.display_name} has changed on the server`);
}

/** The server's folder for one of this disk, made where there is none. */
async function folderAt(path: Path, around: Pushing): Promise<number> {
  const known = around.folders.get(path);
  if (known !== undefined) return known;
  const { session, address, home, folders } = around;
  if (path === home || !path.startsWith(`${home}/`)) {
    const root = await session.json<FolderJson>(`${address}/folders/root`);
    folders.set(home, root.id);
    return root.id;
  }
  const parent_folder_id = await folderAt(parentOf(path), around);
  const made = await session.json<FolderJson>(`${address}/folders`, { method: 'POST', json: { name: lastOf(path), parent_folder_id } });
  folders.set(path, made.id);
  return made.id;
}

/** A folder that is gone here, too, goes when nothing is left in it; the server refuses where something is. */
async function dropEmpty(path: Path, around: Pushing): Promise<void> {
  const { session, folders, disk, home } = around;
  for (let at = path; at.startsWith(`${home}/`); at = parentOf(at)) {
    const id = folders.get(at);
    if (id === undefined || disk.isFolder?.(at) !== false) return;
    try {
      await session.ask(`/api/v1/folders/${id}`, { method: 'DELETE' });
    } catch (problem) {
      if (problem instanceof Declined) return;
      throw problem;
    }
    folders.delete(at);
  }
}
