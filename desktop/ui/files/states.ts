// What each state of a file means to the person who owns the folder, and what can be done about it.

import type { FileLock, FileState, FileView } from '../channels.ts';
import type { IconName } from '../parts/Icon.tsx';
import type { Tone } from '../parts/Tag.tsx';
import { moment } from '../words/dates.ts';

interface Meaning {
  readonly word: string;
  readonly tone: Tone;
  readonly icon?: IconName;
  /** Said under the name when the file gives no reason of its own. */
  readonly says?: string;
  readonly isHere: boolean;
}

export const meaning: Readonly<Record<FileState, Meaning>> = {
  synced: { word: 'On this computer', tone: 'good', icon: 'check', isHere: true },
  queued: { word: 'Waiting', tone: 'plain', icon: 'hourglass', says: 'It comes with the next sync.', isHere: false },
  downloading: { word: 'On its way', tone: 'busy', icon: 'sync', isHere: false },
  edited: { word: 'Changed by you', tone: 'warn', says: 'Your changes stay; the server keeps its own version.', isHere: true },
  conflict: {
    word: 'Two versions',
    tone: 'warn',
    icon: 'warning',
    says: 'You and your teacher both changed it. Both versions are in the folder; yours says “your copy” in its name.',
    isHere: true,
  },
  locked: { word: 'Locked', tone: 'plain', icon: 'lock', isHere: false },
  kept: { word: 'Kept here', tone: 'plain', icon: 'lock', isHere: true },
  failed: { word: 'Not fetched', tone: 'bad', icon: 'warning', says: 'It is tried again with the next sync.', isHere: false },
  'removed by teacher': {
    word: 'Removed by teacher',
    tone: 'plain',
    says: 'No longer available from the course; your copy is kept in “Removed by teacher”.',
    isHere: true,
  },
  'not wanted': { word: 'Not kept here', tone: 'plain', says: 'You asked not to keep it on this computer.', isHere: false },
};

/** What keeps a file out of reach, until when, and that the copy here stays. */
export function lockSays({ lock, reason, state }: FileView, now: Date): string {
  const copy = state === 'kept' ? ' Your copy stays here.' : '';
  return `${lock ? whyOf(lock, reason, now) : 'Your teacher has locked it.'}${copy}`;
}

function whyOf({ why, until, module }: FileLock, reason: string | null, now: Date): string {
  if (why === 'hidden') return 'Your teacher has hidden it.';
  if (why === 'unlisted') return 'The course does not show its files now.';
  const opens = until !== null && new Date(until) > now ? ` until ${moment(until, now)}` : '';
  if (module !== null) return `Locked${opens} by the module “${module}”.`;
  return opens ? `Locked${opens}.` : (reason ?? 'Your teacher has locked it.');
}

export const shelves = ['all', 'here', 'not here', 'needs a look'] as const;
export type Shelf = (typeof shelves)[number];

const needsALook: readonly FileState[] = ['failed', 'conflict', 'removed by teacher', 'edited'];

const lies: Readonly<Record<Shelf, (file: FileView) => boolean>> = {
  all: () => true,
  here: ({ state }) => meaning[state].isHere,
  'not here': ({ state }) => !meaning[state].isHere,
  'needs a look': ({ state }) => needsALook.includes(state),
};

export interface Filter {
  readonly shelf: Shelf;
  readonly name: string;
}

const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
export const matches = ({ shelf, name }: Filter) => {
  const wanted = plain(name.trim());
  return (file: FileView) => lies[shelf](file) && plain(`${file.folder}/${file.name}`).includes(wanted);
};

/** The first so many of them, in the folders that hold them. */
export function firstOf(folders: ReturnType<typeof byFolder>, many: number): ReturnType<typeof byFolder> {
  let room = many;
  return folders.flatMap(([folder, inside]) => {
    const part = inside.slice(0, Math.max(0, room));
    room -= part.length;
    return part.length > 0 ? [[folder, part] as const] : [];
  });
}

const order = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

export function byFolder(files: readonly FileView[]): readonly (readonly [folder: string, files: readonly FileView[]])[] {
  const folders = new Map<string, FileView[]>();
  for (const file of files) {
    const inside = folders.get(file.folder);
    if (inside) inside.push(file);
    else folders.set(file.folder, [file]);
  }
  for (const found of folders.values()) found.sort((a, b) => order.compare(a.name, b.name));
  return [...folders].sort(([a], [b]) => order.compare(a, b));
}
