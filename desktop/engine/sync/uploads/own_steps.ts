// Checks this computer's own steps: what the server has done becomes the agreed state as requested, whatever has changed here since. A
// later local change is then a change of that state, and not one by another device.

import type { LedgerRow, Stamp } from '../../model/ports';
import type { FileJson, FolderJson } from '../../model/resources';
import { type Key, lastOf, type Path, type Wanted } from '../../model/trees';
import type { Note } from '../../planner/commit';
import { carried, isSamePath } from '../../planner/two_way_folders';
import type { Cache } from '../../store/cache';
import type { Intended, OwnStep } from '../../store/own_steps';
import type { UserStore } from '../../store/user';
import { keyIdOf } from './checks';
import { agreedFolders, agreeFolders } from './keep_folders';

const anHour = 3_600_000;
/**
 * An upload, which only this computer can have made, is recognised for a week; other steps by their effect, which other devices
 * can have caused.
 */
const lasts = (step: Intended): number =>
  step.do === 'add' || step.do === 'replace' || (step.do === 'rename' && step.by !== undefined) ? 7 * 24 * anHour : anHour;

/** What the server did, with the id of the new item. */
type Done = NonNullable<OwnStep['outcome']['done']>;

/** What the steps are compared with. */
interface Adopting {
  readonly cache: Cache;
  readonly user: UserStore;
  readonly tree: ReadonlyMap<Key, Wanted>;
}

/** To be called when the whole response of the server has been stored. Returns the files that were adopted. */
export function adoptOwnSteps(cache: Cache, user: UserStore, tree: ReadonlyMap<Key, Wanted>, now: Date): ReadonlySet<Key> {
  const steps = user.steps.all();
  if (steps.length === 0) return new Set();
  const waiting = steps.flatMap(({ outcome }) => (outcome.made_uuid !== undefined && !outcome.done ? [outcome.made_uuid] : []));
  const made = cache.filesByUuid(waiting);
  const adopted = new Set<Key>();
  for (const step of steps) {
    const done = step.outcome.done ?? seenDone(step, cache, made);
    if (done) for (const key of adopt(step.intended, done, { cache, user, tree })) adopted.add(key);
    const age = now.getTime() - Date.parse(step.begun_at);
    if (done || age > lasts(step.intended)) user.steps.drop(step.id);
  }
  return adopted;
}

/** Without a response, the current state of the server shows whether it was done. */
function seenDone({ intended, outcome }: OwnStep, cache: Cache, made: ReadonlyMap<string, number>): Done | undefined {
  switch (intended.do) {
    case 'add':
    case 'replace': {
      const uuid = outcome.made_uuid;
      const id = uuid === undefined ? undefined : made.get(uuid);
      if (id === undefined) return undefined;
      return { id, uuid, isCopy: cache.get<FileJson>('file', id)?.display_name === intended.conflict };
    }
    case 'rename': {
      const file = cache.get<FileJson>('file', keyIdOf(intended.key));
      const isThere = file?.uuid === intended.uuid && file?.folder_id === intended.folder && file.display_name === intended.name;
      return isThere ? {} : undefined;
    }
    case 'delete': {
      const file = cache.get<FileJson>('file', keyIdOf(intended.key));
      return file === undefined || file.uuid !== intended.uuid ? {} : undefined;
    }
    case 'make folder': {
      const isIt = ({ name, parent_folder_id }: FolderJson) =>
        parent_folder_id === intended.folder && name.normalize('NFC') === intended.name;
      const folder = cache.own<FolderJson>('folder').find(isIt);
      return folder && { id: folder.id };
    }
    case 'rename folder': {
      const folder = cache.get<FolderJson>('folder', intended.id);
      return folder?.name === intended.name && folder.parent_folder_id === intended.folder ? {} : undefined;
    }
    case 'delete folder':
      return cache.get<FolderJson>('folder', intended.id) === undefined ? {} : undefined;
    default:
      return intended satisfies never;
  }
}

function adopt(intended: Intended, done: Done, around: Adopting): Key[] {
  const { user } = around;
  switch (intended.do) {
    case 'add':
    case 'replace':
      return adoptFile(intended, done, around);
    case 'rename': {
      const row = user.rows().get(intended.key);
      if (row) user.note([renamed(intended, row, around)]);
      return row ? [intended.key] : [];
    }
    case 'delete':
      user.note([{ drop: intended.key }]);
      return [intended.key];
    default:
      adoptFolder(intended, done, user);
      return [];
  }
}

/**
 * The requested path with the current name of its folder, which may have been renamed after the step was planned. If the server
 * has another path, the planner moves the file there.
 */
function placeOf(key: Key, asked: Path, folder: number | null, { user, tree }: Adopting): Path {
  const there = tree.get(key)?.path;
  if (there !== undefined && isSamePath(there, asked)) return there;
  const above = folder === null ? undefined : agreedFolders(user).get(folder)?.path;
  const place = above === undefined ? asked : `${above}/${lastOf(asked)}`;
  return there !== undefined && isSamePath(there, place) ? there : place;
}

type Upload = Extract<Intended, { do: 'add' | 'replace' }>;

function adoptFile(intended: Upload, { id, uuid, isCopy = false }: Done, around: Adopting): Key[] {
  if (id === undefined) return [];
  const { user } = around;
  const key = `file:${id}`;
  const { path, there, folder, seen } = intended;
  const refused = isCopy ? withoutConflict(intended, key, around) : undefined;
  if (refused) {
    user.note(refused);
    return [key];
  }
  const notes: Note<Stamp>[] = [];
  if (intended.do === 'replace' && intended.key !== key) notes.push({ drop: intended.key });
  const agreed = { wanted: placeOf(key, there, folder, around), path, hash: seen.hash, ...(uuid !== undefined && { uuid }) };
  notes.push({ put: key, agreed, seen });
  user.note(notes);
  return [key];
}

/**
 * The server refused the upload and kept its bytes as a conflict copy, though no other person has edited the file.
 * - Only its name or place has changed: the copy is deleted, and the edit is uploaded once more for the current version.
 * - The same bytes are already there: the copy is deleted, and both sides are equal.
 * - The file was deleted and its name is free: the copy is renamed to it, like a file that is renamed here.
 * Undefined if it is a conflict.
 */
function withoutConflict(intended: Upload, copy: Key, around: Adopting): Note<Stamp>[] | undefined {
  const { cache, user, tree } = around;
  const there = tree.get(copy);
  // A server without versions replaces files in another way.
  if (!there || typeof cache.get<FileJson>('file', keyIdOf(copy))?.version !== 'number') return undefined;
  const { path, seen } = intended;
  const noted = (put: Key, { path: wanted, uuid }: Wanted): Note<Stamp> => ({ put, agreed: { wanted, path, hash: seen.hash, uuid }, seen });
  if (intended.do === 'replace' && isOnlyRenamed(intended, around)) return [dropped(copy, there)];
  const asked = placeOf(copy, intended.there, intended.folder, around);
  const holder = [...tree].find(([key, { path: at }]) => key !== copy && isSamePath(at, asked));
  const old: Note<Stamp>[] = intended.do === 'replace' ? [{ drop: intended.key }] : [];
  if (holder) return holder[1].hash === seen.hash ? [...old, noted(...holder), dropped(copy, there)] : undefined;
  const isGone = intended.do === 'replace' && cache.get('file', keyIdOf(intended.key)) === undefined;
  return isGone && user.rows().has(intended.key) ? [...old, noted(copy, there)] : undefined;
}

/** The file has another name, place or state, and the agreed bytes. */
function isOnlyRenamed({ key, uuid, version }: Extract<Intended, { do: 'replace' }>, { cache, user, tree }: Adopting): boolean {
  const now = tree.get(key);
  const isNewer = cache.get<FileJson>('file', keyIdOf(key))?.version !== version;
  return now !== undefined && isNewer && now.uuid === uuid && now.hash === user.rows().get(key)?.hash;
}

/** A file that is agreed but missing here was deleted by the user: the plan deletes it on the server, if it is the same there. */
const dropped = (put: Key, { path, hash, uuid }: Wanted): Note<Stamp> => ({
  put,
  agreed: { wanted: path, path, hash, uuid },
  seen: { path, hash, stamp: { inode: '', size: 0, mtime: '0' } },
});

function renamed(
  { key, path, by, folder }: Extract<Intended, { do: 'rename' }>,
  { seen, going: _, ...agreed }: LedgerRow,
  around: Adopting,
): Note<Stamp> {
  return { put: key, agreed: { ...agreed, wanted: placeOf(key, by ?? path, folder, around), path }, seen: { ...seen, path } };
}

type FolderIntent = Extract<Intended, { do: 'make folder' | 'rename folder' | 'delete folder' }>;

function adoptFolder(intended: FolderIntent, done: Done, user: UserStore): void {
  const agreed = agreedFolders(user);
  if (intended.do === 'make folder') {
    if (done.id === undefined || intended.inode === '') return;
    agreed.set(done.id, { path: intended.path, inode: intended.inode });
  } else if (intended.do === 'delete folder') agreed.delete(intended.id);
  else {
    const move = { from: intended.from, to: intended.path };
    const known = agreed.get(intended.id);
    for (const [id, folder] of agreed) agreed.set(id, { ...folder, path: carried(folder.path, [move]) });
    agreed.set(intended.id, { path: intended.path, inode: intended.inode || (known?.inode ?? '') });
    user.relocate(move.from, move.to);
  }
  agreeFolders(user, agreed);
}
