// A file of the study folder by its id: found through the store, and never outside the folder.

import { realpath, stat } from 'node:fs/promises';
import { extname, sep } from 'node:path';
import type { Desk } from './desk.ts';

const types: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
  md: 'text/plain; charset=utf-8',
  csv: 'text/plain; charset=utf-8',
  html: 'text/html; charset=utf-8',
  htm: 'text/html; charset=utf-8',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  wav: 'audio/wav',
  mp4: 'video/mp4',
  webm: 'video/webm',
};

export interface LocalFile {
  readonly path: string;
  readonly size: number;
  /** Undefined for what a browser should hand to another program. */
  readonly type: string | undefined;
}

const unlessMissing = (): undefined => undefined;

export async function localFile(desk: Pick<Desk, 'file.open' | 'sync.status'>, id: number): Promise<LocalFile | undefined> {
  const [found, { folder }] = await Promise.all([desk['file.open']({ id }), desk['sync.status'](undefined)]);
  if (!found || !folder) return undefined;
  const [path, root] = await Promise.all([realpath(found.path).catch(unlessMissing), realpath(folder).catch(unlessMissing)]);
  if (!path || !root || !path.startsWith(root.endsWith(sep) ? root : root + sep)) return undefined;
  const { size, isFile } = await stat(path).then((seen) => ({ size: seen.size, isFile: seen.isFile() }));
  return isFile ? { path, size, type: types[extname(path).slice(1).toLowerCase()] } : undefined;
}

/**
 * The policy a course's file is shown under: nothing runs, nothing leaves.
 * A PDF is not sandboxed, because Chromium then refuses to show it; its viewer is a process apart from this origin.
 */
export const policyFor = (type: string | undefined) =>
  `${type === 'application/pdf' ? '' : 'sandbox; '}default-src 'none'; img-src 'self' data:; media-src 'self'; style-src 'unsafe-inline'; form-action 'none'`;
