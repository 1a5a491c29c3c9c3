// What a request selects for an export. Pure.

import type { ExportSelection, exportTypes } from './table';

export type ExportType = (typeof exportTypes)[number];
type Ids = readonly number[] | undefined;

export interface SelectionGiven {
  readonly files?: Ids;
  readonly attachments?: Ids;
  readonly folders?: Ids;
  readonly quizzes?: Ids;
}

const distinct = (...lists: Ids[]): readonly number[] | undefined => {
  const ids = [...new Set(lists.flatMap((list) => list ?? []))];
  return ids.length === 0 ? undefined : ids;
};

/** Without the kinds that have no ids. */
const withIds = ({ files, folders, quizzes }: SelectionGiven): ExportSelection => ({
  ...(files && { files }),
  ...(folders && { folders }),
  ...(quizzes && { quizzes }),
});

/** The selection as far as the type of the export knows it; other types of content are ignored. */
export const selectionOf = (type: ExportType | 'all', given: SelectionGiven | undefined): ExportSelection =>
  withIds(
    type === 'all'
      ? { files: distinct(given?.files, given?.attachments), folders: distinct(given?.folders), quizzes: distinct(given?.quizzes) }
      : type === 'zip'
        ? { files: distinct(given?.files, given?.attachments), folders: distinct(given?.folders) }
        : { quizzes: distinct(given?.quizzes) },
  );

/** A name for a file, in lower case with dashes. */
const dashed = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 100) || 'course';

/** The name of the archive. @param name of the course, the only selected folder, or the context */
export const archiveName = (type: ExportType, name: string): string =>
  type === 'epub'
    ? `${dashed(name)}.epub`
    : type === 'qti'
      ? `${dashed(name)}-quiz-export.zip`
      : type === 'zip'
        ? `${dashed(name)}_export.zip`
        : `${dashed(name)}-export.imscc`;

/**
 * The path of a file in an archive: below the root folder, and never outside of the folder into which it is unpacked.
 * @param folder with the name of the root folder
 */
export function archivePath(folder: string, file: { readonly id: number; readonly display_name: string }): string {
  const safe = (segment: string) => segment.replace(/[/\\:]/g, '_').replace(/^\.{1,2}$/, '_');
  const name = safe(file.display_name);
  // Two files whose names differ only in what is replaced would have the same path.
  const own = name === file.display_name ? name : `${file.id}-${name}`;
  return [...folder.split('/').slice(1).map(safe), own].join('/');
}

/** How many of the sizes, from the first, fit together; at least one. */
export function leadingWithin(sizes: readonly number[], most: number): number {
  let sum = 0;
  const over = sizes.findIndex((size) => {
    sum += size;
    return sum > most;
  });
  return over < 0 ? sizes.length : Math.max(1, over);
}

/** Of an archive, in bytes before compression and in number: more would need Zip64. */
const mostBytes = 4_000_000_000;
const mostFiles = 60_000;

/** Why an archive cannot contain files of these sizes. */
export function refusalOfFiles(sizes: readonly number[]): string | undefined {
  if (sizes.length > mostFiles) return `An archive can contain at most ${mostFiles} files.`;
  return sizes.reduce((sum, size) => sum + size, 0) > mostBytes ? 'The files are larger than 4 GB.' : undefined;
}
