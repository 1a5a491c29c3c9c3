// The only conversion from a path of the trees to a path of the system: joined, then verified to be below the root.

import { isAbsolute, relative, resolve, sep } from 'node:path';
import { ownFolder } from '../model/names';
import type { Path } from '../model/trees';

export function inside(root: string, path: Path): string {
  const joined = resolve(root, path);
  const way = relative(root, joined);
  if (way === '' || way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) throw new Error(`outside the study folder: ${path}`);
  return joined;
}

export const stagingFolder = `${ownFolder}/staging`;
export const sentinel = `${ownFolder}/folder.json`;
