// Puts bytes into the study folder for the user; if the path is taken, under a name beside it.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { markedName } from '../model/names';
import { Refused } from '../model/ports';
import { type Hash, lastOf, type Path, parentOf } from '../model/trees';
import { diskAt } from './disk';
import { inFolder } from './handles';
import { stagingFolder } from './inside';

interface Placing {
  readonly root: string;
  readonly path: Path;
  /** The name in the staging folder. */
  readonly staged: string;
  /** Writes the bytes to that file. */
  readonly stage: (file: string) => Promise<unknown>;
  /** The addition to the name if the path is taken. */
  readonly mark: string;
  /** If the path already has these bytes, nothing is written. */
  readonly hash?: Hash | undefined;
  /** 1: never at the path itself. */
  readonly from?: number;
}

const mostNames = 99;

/** Returns the path of the file. */
export async function placeBeside({ root, path, staged, stage, mark, hash, from = 0 }: Placing): Promise<string> {
  const disk = diskAt(root);
  await inFolder(root, stagingFolder, ({ entry }) => stage(entry(staged)), { make: true });
  try {
    for (let nth = from; ; nth++) {
      const at = beside(path, mark, nth);
      if (nth === 0 && hash !== undefined && (await disk.hash(at))?.hash === hash) return join(root, at);
      const [placed] = await disk.place([{ staged, path: at }]);
      if (!(placed instanceof Error)) return join(root, at);
      if (!(placed instanceof Refused && placed.why === 'taken') || nth === mostNames) throw placed;
    }
  } finally {
    await disk.tidy(stagedByOthers(root, staged));
  }
}

/** A sync may be downloading at the same time. */
const stagedByOthers = (root: string, staged: string): ReadonlySet<string> =>
  inFolder(root, stagingFolder, ({ way }) => new Set(readdirSync(way).filter((name) => name !== staged)), { make: true });

function beside(path: Path, mark: string, nth: number): Path {
  if (nth === 0) return path;
  const folder = parentOf(path);
  const name = markedName(lastOf(path), nth === 1 ? mark : `${mark} ${nth}`);
  return folder === '' ? name : `${folder}/${name}`;
}
