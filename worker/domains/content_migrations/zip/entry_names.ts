// Which entries of an archive become files, and where. Pure.

import { folderName } from '../../files/folders/paths';
import { displayName } from '../../files/names';
import { BadArchive } from '../../sis_imports/files/archive';

const deepest = 30;
/** The bits of a Unix mode that state the type of a file, and symbolic links. */
const [typeBits, linkType] = [0o170000, 0o120000];

export interface NamedEntry {
  readonly name: string;
  /** The Unix mode, 0 when the archive does not state one. */
  readonly mode: number;
}

export interface FilePlace {
  readonly folders: readonly string[];
  readonly name: string;
}

const isLitter = (part: string): boolean => part.startsWith('.') || part === '__MACOSX' || part === 'Thumbs.db';

/**
 * Where an entry goes below the target folder; undefined for directories and for what operating systems add.
 * @throws BadArchive for entries that lead out of the folder
 */
export function placeOfEntry({ name, mode }: NamedEntry): FilePlace | undefined {
  const parts = name.split('/');
  if (name.startsWith('/') || /^[a-z]:/i.test(name)) throw new BadArchive(`${name} has an absolute path`);
  if (parts.includes('..')) throw new BadArchive(`${name} leads out of the folder`);
  if ((mode & typeBits) === linkType) throw new BadArchive(`${name} is a symbolic link`);
  if (parts.length > deepest) throw new BadArchive(`${name} is in too many folders`);
  const kept = parts.filter((part) => part !== '' && part !== '.');
  if (name.endsWith('/') || kept.length === 0 || kept.some(isLitter)) return undefined;
  return { folders: kept.slice(0, -1).map(folderName), name: displayName(kept.at(-1) ?? '') };
}

/**
 * The entries that become files; of several with the same path the last one.
 * @throws BadArchive for an archive with an entry that leads out of the folder, or without files
 */
export function filesAmong<E extends NamedEntry>(entries: readonly E[]): { readonly entry: E; readonly place: FilePlace }[] {
  const byPath = new Map<string, { entry: E; place: FilePlace }>();
  for (const entry of entries) {
    const place = placeOfEntry(entry);
    if (place) byPath.set([...place.folders, place.name].join('/'), { entry, place });
  }
  if (byPath.size === 0) throw new BadArchive('the archive contains no files');
  return [...byPath.values()];
}
