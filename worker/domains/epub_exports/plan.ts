// What a book contains, as it becomes known step by step. It is kept with the job.

import { lookUp } from '@carrel/shared/wire/look_up';

export const chapterKinds = ['page', 'assignment', 'quiz', 'discussion_topic'] as const;
export type ChapterKind = (typeof chapterKinds)[number];

export interface Chapter {
  readonly of: ChapterKind;
  readonly id: number;
  readonly title: string;
  readonly due_at: string | null;
  readonly isAnnouncement: boolean;
  /** Whether only a module leads to it, because the course hides the list of its kind. */
  readonly isUnlisted: boolean;
  /** Of a page, in its address. */
  readonly url: string | null;
  /** Files that its text shows. */
  readonly images: readonly number[];
  /** Files to which its text leads. */
  readonly files?: readonly number[];
  readonly hasFormulas?: boolean;
}

/** An image, a sound or a film. A drawing (SVG) is read and written again. */
export interface BookImage {
  readonly id: number;
  readonly key: string;
  readonly size: number;
  readonly media_type: string;
}

/** A file that is not in the book, but in the archive beside it. */
export interface CompanionFile {
  readonly id: number;
  readonly key: string;
  readonly size: number;
  /** In the archive. */
  readonly name: string;
}

export interface BookPlan {
  /** The content to look at. */
  readonly sought: readonly { readonly of: ChapterKind; readonly ids: readonly number[] }[];
  /** How many of those were looked at. */
  readonly looked: number;
  /** What of it the reader may see. */
  readonly chapters: readonly Chapter[];
  /** Whether chapters to which nothing leads were left out. */
  readonly isSettled: boolean;
  /** How many of the files that the chapters show were looked at. */
  readonly checked: number;
  readonly images: readonly BookImage[];
  /** How many chapters and images are in the archive. */
  readonly written: number;
  readonly stored: number;
  /** Files to which modules and the syllabus lead. */
  readonly files: readonly number[];
  /** How many of the files for the archive beside the book were looked at, which it has, and how many are written. */
  readonly companionsChecked: number;
  readonly companions: readonly CompanionFile[];
  readonly companionsStored: number;
  readonly isCompanionKept: boolean;
  /** Whether the table of contents is. */
  readonly isBound: boolean;
}

export const chaptersAtOnce = 20;
export const imagesAtOnce = 40;

export const emptyPlan: BookPlan = {
  sought: [],
  looked: 0,
  chapters: [],
  isSettled: false,
  checked: 0,
  images: [],
  written: 0,
  stored: 0,
  files: [],
  companionsChecked: 0,
  companions: [],
  companionsStored: 0,
  isCompanionKept: false,
  isBound: false,
};

/** Slices of a list. */
export const sliced = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size));

export const shownFiles = ({ chapters }: BookPlan): readonly number[] => [...new Set(chapters.flatMap(({ images }) => images))];

/** Files to which the book leads, and those that it shows, without those that it contains. */
export function companionIds({ chapters, files, images }: Pick<BookPlan, 'chapters' | 'files' | 'images'>): readonly number[] {
  const contained = new Set(images.map(({ id }) => id));
  const all = [...chapters.flatMap((one) => [...(one.files ?? []), ...one.images]), ...files];
  return [...new Set(all)].filter((id) => !contained.has(id));
}

const mostOfCompanions = 1_000_000_000;

/** What the archive takes of the files that were found, each with a name of its own; the others remain links. */
export function takenCompanions(before: readonly CompanionFile[], found: readonly CompanionFile[]): CompanionFile[] {
  const taken = [...before];
  for (const one of found) {
    if (taken.reduce((sum, { size }) => sum + size, one.size) > mostOfCompanions) continue;
    const name = one.name.replaceAll(/[/\\:*?"<>|]/g, '_').replace(/\.+$/, '') || 'file';
    const isTaken = taken.some((other) => other.name.toLowerCase() === name.toLowerCase());
    taken.push({ ...one, name: isTaken ? `${one.id}-${name}` : name });
  }
  return taken;
}

export const chapterPath = ({ of, id }: Pick<Chapter, 'of' | 'id'>): string => `${of.replaceAll('_', '-')}-${id}.xhtml`;

const endings: Readonly<Record<string, string>> = {
  'image/gif': 'gif',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/svg+xml': 'svg',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
};
export const imageTypes = Object.keys(endings);

export const isRecordingType = (media_type: string): boolean => !media_type.startsWith('image/');

const mostOfRecording = 100_000_000;
const mostOfRecordings = 300_000_000;

/** What the book takes of the files that were found: all images, and recordings up to a size. Larger ones remain links. */
export function takenMedia(before: readonly BookImage[], found: readonly BookImage[]): BookImage[] {
  const taken = [...before];
  let recorded = before.filter(({ media_type }) => isRecordingType(media_type)).reduce((sum, { size }) => sum + size, 0);
  for (const one of found) {
    if (isRecordingType(one.media_type)) {
      if (one.size > mostOfRecording || recorded + one.size > mostOfRecordings) continue;
      recorded += one.size;
    }
    taken.push(one);
  }
  return taken;
}

/** Bytes that one step compresses, unless a single file has more. */
const mostAtOnce = 100_000_000;

/** The next files that one step stores. */
export function nextFiles<File extends { readonly size: number }>(files: readonly File[], stored: number): readonly File[] {
  const some = files.slice(stored, stored + imagesAtOnce);
  let bytes = 0;
  const end = some.findIndex(({ size }, at) => {
    bytes += size;
    return at > 0 && bytes > mostAtOnce;
  });
  return end < 0 ? some : some.slice(0, end);
}
export const imagePath = ({ id, media_type }: Pick<BookImage, 'id' | 'media_type'>): string =>
  `${isRecordingType(media_type) ? 'recordings' : 'images'}/${id}.${lookUp(endings, media_type) ?? 'bin'}`;
