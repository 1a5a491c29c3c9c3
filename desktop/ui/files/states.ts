// What each state of a file means to the person who owns the folder, and what can be done about it.

import type { FileState, FileView } from '../channels.ts';
import type { IconName } from '../parts/Icon.tsx';
import type { Tone } from '../parts/Tag.tsx';

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
  locked: { word: 'Locked', tone: 'plain', icon: 'lock', says: 'Your teacher has locked it.', isHere: false },
  failed: { word: 'Not fetched', tone: 'bad', icon: 'warning', says: 'It is tried again with the next sync.', isHere: false },
  // A file that the teacher has locked or hidden looks the same from here as one that was deleted.
  'removed by teacher': {
    word: 'Not in the course now',
    tone: 'plain',
    says: 'No longer available from the course; your copy is kept in “Removed by teacher”.',
    isHere: true,
  },
  'not wanted': { word: 'Not kept here', tone: 'plain', says: 'You asked not to keep it on this computer.', isHere: false },
};

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

const order = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

export function byFolder(files: readonly FileView[]): readonly (readonly [folder: string, files: readonly FileView[]])[] {
  const folders = new Map<string, FileView[]>();
  for (const file of files) folders.set(file.folder, [...(folders.get(file.folder) ?? []), file]);
  for (const found of folders.values()) found.sort((a, b) => order.compare(a.name, b.name));
  return [...folders].sort(([a], [b]) => order.compare(a, b));
}
