// The label of each file state, and the actions it offers.

import type { FileLock, FileState, FileView } from '../../contract/files.ts';
import { moment } from '../../language/dates.ts';
import { inLocale, type MessageKey, t } from '../../language/texts.ts';
import type { IconName } from '../parts/Icon.tsx';
import type { TagTone } from '../parts/Tag.tsx';

interface Meaning {
  readonly word: MessageKey;
  readonly tone: TagTone;
  readonly icon?: IconName;
  /** Shown below the name when the file has no reason of its own. */
  readonly says?: MessageKey;
  readonly isHere: boolean;
}

export const meaning: Readonly<Record<FileState, Meaning>> = {
  synced: { word: 'files.here', tone: 'good', icon: 'check', isHere: true },
  queued: { word: 'files.state.waiting', tone: 'plain', icon: 'hourglass', says: 'files.says.waiting', isHere: false },
  downloading: { word: 'files.state.underway', tone: 'busy', icon: 'sync', isHere: false },
  edited: { word: 'files.state.edited', tone: 'warn', says: 'files.says.edited', isHere: true },
  conflict: {
    word: 'files.state.conflict',
    tone: 'warn',
    icon: 'warning',
    says: 'files.says.conflict',
    isHere: true,
  },
  locked: { word: 'module.locked', tone: 'plain', icon: 'lock', isHere: false },
  kept: { word: 'files.state.kept', tone: 'plain', icon: 'lock', isHere: true },
  failed: { word: 'files.state.failed', tone: 'bad', icon: 'warning', says: 'files.says.failed', isHere: false },
  'removed by teacher': {
    word: 'files.state.removed',
    tone: 'plain',
    says: 'files.says.removed',
    isHere: true,
  },
  'not wanted': { word: 'files.state.notKept', tone: 'plain', says: 'files.says.notKept', isHere: false },
};

const againstWords: Readonly<Record<NonNullable<FileView['against']>, MessageKey>> = {
  file: 'files.says.notKept',
  course: 'files.against.course',
  folder: 'files.against.folder',
  kind: 'files.against.kind',
  size: 'files.against.size',
};

/** The text below the name. */
export function saysOf(file: FileView, now: Date): string | null {
  const { state, reason, against } = file;
  if (state === 'locked' || state === 'kept') return lockSays(file, now);
  if (state === 'not wanted' && against) return t(againstWords[against]);
  const { says } = meaning[state];
  return reason ?? (says ? t(says) : null);
}

/** Why and until when a file is locked, and that the copy here stays. */
export function lockSays({ lock, reason, state }: FileView, now: Date): string {
  const why = lock ? whyOf(lock, reason, now) : t('files.lockedByTeacher');
  return state === 'kept' ? t('files.copyStays', { why }) : why;
}

function whyOf({ why, until, module }: FileLock, reason: string | null, now: Date): string {
  if (why === 'hidden') return t('files.hiddenByTeacher');
  if (why === 'unlisted') return t('files.unlisted');
  const opens = until !== null && new Date(until) > now ? moment(until, now) : null;
  if (module !== null) return opens === null ? t('files.lockedBy', { module }) : t('files.lockedUntilBy', { until: opens, module });
  return opens === null ? (reason ?? t('files.lockedByTeacher')) : t('files.lockedUntil', { until: opens });
}

export const fileSections = ['all', 'here', 'not here', 'needs a look'] as const;
export type FileSection = (typeof fileSections)[number];

const needsALook: readonly FileState[] = ['failed', 'conflict', 'removed by teacher', 'edited'];

const lies: Readonly<Record<FileSection, (file: FileView) => boolean>> = {
  all: () => true,
  here: ({ state }) => meaning[state].isHere,
  'not here': ({ state }) => !meaning[state].isHere,
  'needs a look': ({ state }) => needsALook.includes(state),
};

export interface Filter {
  readonly shelf: FileSection;
  readonly name: string;
}

const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
export const matches = ({ shelf, name }: Filter) => {
  const wanted = plain(name.trim());
  return (file: FileView) => lies[shelf](file) && plain(`${file.folder}/${file.name}`).includes(wanted);
};

/** The first files up to a limit, in their folders. */
export function firstFiles(folders: ReturnType<typeof byFolder>, many: number): ReturnType<typeof byFolder> {
  let room = many;
  return folders.flatMap(([folder, inside]) => {
    const part = inside.slice(0, Math.max(0, room));
    room -= part.length;
    return part.length > 0 ? [[folder, part] as const] : [];
  });
}

const order = inLocale((locale) => new Intl.Collator(locale, { numeric: true, sensitivity: 'base' }));

export function byFolder(files: readonly FileView[]): readonly (readonly [folder: string, files: readonly FileView[]])[] {
  const folders = new Map<string, FileView[]>();
  for (const file of files) {
    const inside = folders.get(file.folder);
    if (inside) inside.push(file);
    else folders.set(file.folder, [file]);
  }
  for (const found of folders.values()) found.sort((a, b) => order().compare(a.name, b.name));
  return [...folders].sort(([a], [b]) => order().compare(a, b));
}
