// What became of this computer's own steps: what the server has done is agreed on as it was asked, whatever has changed here since. Then
// what changed here is seen as a change of that, and not as one of another device.

import type { Note } from './commit';
import { agreedFolders, agreeFolders } from './keep_folders';
import type { Row, Stamp } from './ports';
import { idOf } from './pushing';
import type { FileJson, FolderJson } from './resources';
import { carried, isSamePath } from './shelf_folders';
import type { Cache } from './store/cache';
import type { Intended, OwnStep } from './store/own_steps';
import type { UserStore } from './store/user';
import type { Key, Path, Wanted } from './trees';

const anHour = 3_600_000;
/** A file that was uploaded is known by its uuid; other steps are recognised by what they do, which others may do as well. */
const lasts = (step: Intended): number => (step.do === 'add' || step.do === 'replace' ? 7 * 24 * anHour : anHour);

/** What the server did, with the number of what it made. */
type Done = NonNullable<OwnStep['outcome']['done']>;

/** To be called when all that the server has to say has been stored. Returns the files that were adopted. */
export function adoptOwnSteps(cache: Cache, user: UserStore, tree: ReadonlyMap<Key, Wanted>, now: Date): ReadonlySet<Key> {
  const steps = user.steps.all();
  if (steps.length === 0) return new Set();
  const waiting = steps.flatMap(({ outcome }) => (outcome.made_uuid !== undefined && !outcome.done ? [outcome.made_uuid] : []));
  const made = cache.filesByUuid(waiting);
  const adopted = new Set<Key>();
  for (const step of steps) {
    const done = step.outcome.done ?? seenDone(step, cache, made);
    if (done) for (const key of adopt(step.intended, done, user, tree)) adopted.add(key);
    const age = now.getTime() - Date.parse(step.begun_at);
    if (done || age > lasts(step.intended)) user.steps.drop(step.id);
  }
  return adopted;
}

/** No answer came; what the server has now shows whether it was done. */
function seenDone({ intended, outcome }: OwnStep, cache: Cache, made: ReadonlyMap<string, number>): Done | undefined {
  switch (intended.do) {
    case 'add':
    case 'replace': {
      const uuid = outcome.made_uuid;
      const id = uuid === undefined ? undefined : made.get(uuid);
      return id === undefined ? undefined : { id, uuid };
    }
    case 'rename': {
      const file = cache.get<FileJson>('file', idOf(intended.key));
      const isThere = file?.uuid === intended.uuid && file?.folder_id === intended.folder && file.display_name === intended.name;
      return isThere ? {} : undefined;
    }
    case 'delete': {
      const file = cache.get<FileJson>('file', idOf(intended.key));
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

function adopt(intended: Intended, done: Done, user: UserStore, tree: ReadonlyMap<Key, Wanted>): Key[] {
  switch (intended.do) {
    case 'add':
    case 'replace':
      return adoptFile(intended, done, user, tree);
    case 'rename': {
      const row = user.rows().get(intended.key);
      if (row) user.note([renamed(intended, row, tree)]);
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

/** In the place that the server was asked for; where it has another, the planner moves the file there. */
const placeOf = (key: Key, asked: Path, tree: ReadonlyMap<Key, Wanted>): Path => {
  const there = tree.get(key)?.path;
  return there !== undefined && isSamePath(there, asked) ? there : asked;
};

function adoptFile(
  intended: Extract<Intended, { do: 'add' | 'replace' }>,
  { id, uuid }: Done,
  user: UserStore,
  tree: ReadonlyMap<Key, Wanted>,
): Key[] {
  if (id === undefined) return [];
  const key = `file:${id}`;
  const { path, there, seen } = intended;
  const notes: Note<Stamp>[] = [];
  if (intended.do === 'replace' && intended.key !== key) notes.push({ drop: intended.key });
  const agreed = { wanted: placeOf(key, there, tree), path, hash: seen.hash, ...(uuid !== undefined && { uuid }) };
  notes.push({ put: key, agreed, seen });
  user.note(notes);
  return [key];
}

function renamed(
  { key, path }: Extract<Intended, { do: 'rename' }>,
  { seen, going: _, ...agreed }: Row,
  tree: ReadonlyMap<Key, Wanted>,
): Note<Stamp> {
  return { put: key, agreed: { ...agreed, wanted: placeOf(key, path, tree), path }, seen: { ...seen, path } };
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
