// Finds a file of the study folder by id; never returns a path outside of that folder.

import { realpath, stat } from 'node:fs/promises';
import { sep } from 'node:path';
import { servedAs } from '../contract/file_types.ts';
import type { Desk } from './desk.ts';

export interface LocalFile {
  readonly path: string;
  readonly size: number;
  /** Undefined for types that a browser should download. */
  readonly type: string | undefined;
}

const unlessMissing = (): undefined => undefined;

export async function localFile(desk: Pick<Desk, 'file.open' | 'sync.status'>, id: number): Promise<LocalFile | undefined> {
  const [found, { folder }] = await Promise.all([desk['file.open']({ id }), desk['sync.status'](undefined)]);
  if (!found || !folder) return undefined;
  const [path, root] = await Promise.all([realpath(found.path).catch(unlessMissing), realpath(folder).catch(unlessMissing)]);
  if (!path || !root || !path.startsWith(root.endsWith(sep) ? root : root + sep)) return undefined;
  const { size, isFile } = await stat(path).then((seen) => ({ size: seen.size, isFile: seen.isFile() }));
  return isFile ? { path, size, type: servedAs(path) } : undefined;
}

/** The requested byte range; undefined for the whole file. */
export function byteRangeOf(header: string | null | undefined, size: number): { readonly start: number; readonly end: number } | undefined {
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(header ?? '') ?? [];
  if (first === undefined) return undefined;
  const start = Number(first);
  const end = last ? Math.min(Number(last), size - 1) : size - 1;
  return start <= end ? { start, end } : undefined;
}
