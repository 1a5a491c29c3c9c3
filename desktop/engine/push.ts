// Carries out what goes up: each step looks at both sides again before it acts. What came of it the feed tells, and nothing is
// noted here: a program that dies in between finds at its next start what is true.

import { randomUUID } from 'node:crypto';
import { type Key as Text, t } from '../ui/words/texts';
import { nextIn } from './adapters/canvas/pace';
import { withVersion } from './adapters/canvas/version';
import { inside } from './inside';
import { Unsteady } from './multipart';
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
  /** The course; one's own without it. */
  readonly place?: number;
  readonly home: Path;
  /** Folders that the server has, by where they lie here; grows with those that are made. */
  readonly folders: Map<Path, number>;
  readonly stamps: ReadonlyMap<Path, Stamp>;
  /** Its folders are something themselves, and go by steps of their own. */
  readonly keepsFolders?: boolean;
  /** As it was shown and agreed on: nothing is called otherwise than that, and what stands in the way is told. */
  readonly isAgreed?: boolean;
}

/** A folder of one's own, as it goes up. */
export type FolderStep =
  | { readonly do: 'rename folder'; readonly id: number; readonly from: Path; readonly to: Path }
  | { readonly do: 'make folder'; readonly path: Path }
  /** Goes only if nothing is left in it by then. */
  | { readonly do: 'delete folder'; readonly id: number; readonly path: Path };

/** The server is no longer as the plan saw it: the next plan knows better. */
export class Stale extends Error {
  override readonly name = 'Stale';
  constructor(
    readonly code: Extract<Text, `why.${string}`>,
    readonly where: string,
  ) {
    super(t(code, { where }));
  }
}

export async function push(step: Exclude<PushStep, { do: 'refuse' }> | FolderStep, around: Pushing): Promise<void> {
  switch (step.do) {
    case 'make folder':
      return void (await folderAt(step.path, around));
    case 'rename folder': {
      await expectFolder(step.id, around);
      const json = {
        ...(lastOf(step.from) !== lastOf(step.to) && { name: nameFor(step.to) }),
        ...(parentOf(step.from) !== parentOf(step.to) && { parent_folder_id: await folderAt(parentOf(step.to), around) }),
      };
      return learn('folder', step.id, await around.session.json<FolderJson>(`/api/v1/folders/${step.id}`, { method: 'PUT', json }), around);
    }
    case 'delete folder': {
      const { files_count = 0, folders_count = 0 } = await expectFolder(step.id, around);
      if (files_count + folders_count > 0) throw new Stale('why.notEmptyThere', step.path);
      await around.session.ask(`/api/v1/folders/${step.id}`, { method: 'DELETE' });
      around.folders.delete(step.path);
      return learn('folder', step.id, undefined, around);
    }
    case 'add':
      return void (await send(step.path, { on_duplicate: 'rename' }, around));
    case 'replace': {
      await expectUnchanged(step.key, around);
      const { id, display_name, folder_id } = fileOf(step.key, around);
      const told = await send(step.path, { on_duplicate: 'overwrite' }, around, display_name, folder_id ?? undefined);
      // What was uploaded over has another id on some servers, and the old one is gone with it.
      return told.id === id || !around.session.isForgetful ? undefined : learn('file', id, await fileNow(id, around), around);
    }
    case 'rename': {
      await expectUnchanged(step.key, around);
      const isRenamed = lastOf(step.from) !== lastOf(step.to);
      const isMoved = parentOf(step.from) !== parentOf(step.to);
      const json = {
        ...(isRenamed && { name: nameFor(step.to) }),
        ...(isMoved && { parent_folder_id: await folderAt(parentOf(step.to), around) }),
        // Without it the server refuses a name that is taken.
        ...(!around.isAgreed && { on_duplicate: 'rename' }),
      };
      learn(
        'file',
        idOf(step.key),
        await around.session.json<FileJson>(`/api/v1/files/${idOf(step.key)}`, { method: 'PUT', json }),
        around,
      );
      return isMoved ? dropEmpty(parentOf(step.from), around) : undefined;
    }
    case 'delete':
      await expectUnchanged(step.key, around);
      await around.session.ask(`/api/v1/files/${idOf(step.key)}`, { method: 'DELETE' });
      learn('file', idOf(step.key), undefined, around);
      return dropEmpty(parentOf(step.path), around);
    default:
      return step satisfies never;
  }
}

/** A file that keeps changing is sent as it is then, a few times; after that it waits for the next sync. */
const mostTries = 3;

async function send(...given: Parameters<typeof sendOnce>): Promise<FileJson> {
  for (let nth = 1; ; nth++) {
    try {
      return await sendOnce(...given);
    } catch (problem) {
      if (!(problem instanceof Unsteady)) throw problem;
      if (nth === mostTries) throw new Stale('why.changed', given[0]);
    }
  }
}

async function sendOnce(
  path: Path,
  more: Readonly<Record<string, unknown>>,
  around: Pushing,
  name = nameFor(path),
  folder?: number,
): Promise<FileJson> {
  const { session, user, disk, root, transfers } = around;
  const seen = await disk.hash(path);
  const stamp = around.stamps.get(path);
  // What the person agreed on is sent as they saw it; anything else as it is now, as long as it is the same file.
  const isSame = (one: Stamp, other: Stamp) => (around.isAgreed ? isSameStamp(one, other) : one.inode === other.inode);
  if (!seen || !stamp || !isSame(seen.stamp, stamp)) throw new Stale('why.changed', path);
  const into = folder ?? (await folderAt(parentOf(path), around));
  const setting = `sending ${path}`;
  const begun = user.setting(setting)?.split(' ');
  const begunWith = begun?.[0] === seen.hash ? begun[1] : undefined;
  const key = begunWith ?? randomUUID();
  if (begunWith !== undefined && session.isForgetful && more.on_duplicate === 'rename') {
    const arrived = await arrivedAlready(into, name, seen.stamp.size, session);
    user.set(setting, undefined);
    // Whether these are the bytes shows when they come down.
    if (arrived) return arrived;
  }
  if (around.isAgreed && session.isForgetful && more.on_duplicate === 'rename' && (await namedThere(into, name, session)).length > 0)
    throw new Stale('why.takenThere', name);
  user.set(setting, `${seen.hash} ${key}`);
  const address = `/api/v1/folders/${into}/files`;
  const told = await upload({
    session,
    file: inside(root, path),
    name,
    size: seen.stamp.size,
    sha256: seen.hash,
    address,
    more,
    key,
    transfers,
  });
  user.set(setting, undefined);
  learn('file', told.id, { ...told, sha256: seen.hash }, around);
  return told;
}

/** Sent before, to a server that keeps no keys, and nothing heard: sent again it would be there twice. */
const arrivedAlready = async (into: number, name: string, size: number, session: Session): Promise<FileJson | undefined> =>
  (await namedThere(into, name, session)).find((one) => one.size === size);

async function namedThere(folder: number, name: string, session: Session): Promise<FileJson[]> {
  // A shorter term is refused.
  const search = new URLSearchParams({ per_page: '100', ...(name.length > 1 && { search_term: name }) });
  return (await allOf<FileJson>(`/api/v1/folders/${folder}/files?${search}`, session)).filter(({ display_name }) => display_name === name);
}

async function allOf<Row>(address: string, session: Session): Promise<Row[]> {
  const rows: Row[] = [];
  for (let next: string | undefined = address; next !== undefined; ) {
    const page = await session.ask(next);
    rows.push(...((await page.json()) as Row[]));
    next = nextIn(page.headers.get('link'));
  }
  return rows;
}

/** Lists are asked again another day, and know no hashes: there the server's answer is what is known from now on. */
function learn(kind: 'file' | 'folder', id: number, told: FileJson | FolderJson | undefined, { session, cache, place }: Pushing): void {
  if (!session.isForgetful) return;
  const known = cache.get<FileJson>(kind, id);
  const file =
    told && kind === 'file' ? withVersion({ ...told }, 'sha256' in told && told.sha256 ? { ...told } : known && { ...known }) : told;
  cache.put(kind, id, file && { ...file }, place);
}

/** Undefined: it is gone, or another is told in its place. */
const fileNow = async (id: number, { session }: Pushing): Promise<FileJson | undefined> => {
  const now = await session.json<FileJson>(`/api/v1/files/${id}`).catch((problem: unknown) => {
    if (problem instanceof Declined && problem.status === 404) return undefined;
    throw problem;
  });
  return now?.id === id ? now : undefined;
};

/** Some disks decompose letters; nobody else should have to see that. */
const nameFor = (path: Path): string => lastOf(path).normalize('NFC');

const idOf = (key: Key): number => Number(key.slice(key.indexOf(':') + 1));

function fileOf(key: Key, { cache }: Pushing): FileJson {
  const file = cache.get<FileJson>('file', idOf(key));
  if (!file) throw new Stale('why.goneThere', key);
  return file;
}

/** What another device has done since the feed was asked is not overwritten: it comes down first. */
async function expectUnchanged(key: Key, around: Pushing): Promise<void> {
  const known = fileOf(key, around);
  const now = await around.session.json<FileJson>(`/api/v1/files/${idOf(key)}`).catch((problem: unknown) => {
    if (problem instanceof Declined && problem.status === 404) throw new Stale('why.goneThere', known.display_name);
    throw problem;
  });
  const isSame =
    now.id === known.id &&
    now.size === known.size &&
    now.updated_at === known.updated_at &&
    now.display_name === known.display_name &&
    now.folder_id === known.folder_id;
  if (!isSame) throw new Stale('why.changedThere', known.display_name);
}

async function expectFolder(id: number, { session, cache }: Pushing): Promise<FolderJson> {
  const known = cache.get<FolderJson>('folder', id);
  if (!known) throw new Stale('why.goneThere', `${id}`);
  const now = await session.json<FolderJson>(`/api/v1/folders/${id}`).catch((problem: unknown) => {
    if (problem instanceof Declined && problem.status === 404) throw new Stale('why.goneThere', known.name);
    throw problem;
  });
  if (now.name === known.name && now.parent_folder_id === known.parent_folder_id) return now;
  throw new Stale('why.changedThere', known.name);
}

/** The server's folder for one of this disk, made where there is none. */
async function folderAt(given: Path, around: Pushing): Promise<number> {
  const path = given.normalize('NFC');
  const known = around.folders.get(path);
  if (known !== undefined) return known;
  const { session, address, home, folders, user } = around;
  if (path === home || !path.startsWith(`${home}/`)) {
    const root = await session.json<FolderJson>(`${address}/folders/root`);
    folders.set(home, root.id);
    return root.id;
  }
  const parent_folder_id = await folderAt(parentOf(path), around);
  const setting = `making ${path}`;
  const key = user.setting(setting) ?? randomUUID();
  user.set(setting, key);
  const made =
    (await alreadyMade(lastOf(path), parent_folder_id, session)) ??
    (await session.json<FolderJson>(`${address}/folders`, {
      method: 'POST',
      headers: { 'idempotency-key': key },
      json: { name: lastOf(path), parent_folder_id },
      once: true,
    }));
  user.set(setting, undefined);
  learn('folder', made.id, made, around);
  folders.set(path, made.id);
  return made.id;
}

/** A server that keeps no keys may have heard of it before, and would make another. */
async function alreadyMade(name: string, parent: number, session: Session): Promise<FolderJson | undefined> {
  if (!session.isForgetful) return undefined;
  const there = await allOf<FolderJson>(`/api/v1/folders/${parent}/folders?per_page=100`, session);
  return there.find((one) => one.name.normalize('NFC') === name);
}

/** A folder that is gone here, too, goes when nothing is left in it; the server refuses where something is. */
async function dropEmpty(path: Path, around: Pushing): Promise<void> {
  const { session, folders, disk, home, keepsFolders } = around;
  if (keepsFolders) return;
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
