// Identifies the bytes of a file on servers that report no hash: the hash is unknown until the file is downloaded.

import { createHash } from 'node:crypto';
import type { Hash } from '../../model/trees';
import type { CanvasRow } from './kept_pages';

/** Used in place of a hash; equal to no hash, so that the file is downloaded. */
export function rowVersionOf({ uuid, size, modified_at, updated_at }: CanvasRow): Hash {
  const result = [uuid ?? null, size ?? null, modified_at ?? updated_at ?? null];
  return `v-${createHash('sha256').update(JSON.stringify(result)).digest('hex')}`;
}

export const isVersion = (hash: Hash): boolean => hash.startsWith('v-');

/** A listed file with the hash of its bytes, as long as they have not changed. */
export function withVersion(file: CanvasRow, known: CanvasRow | undefined): CanvasRow {
  const version = rowVersionOf(file);
  const isSame = known !== undefined && known.sha256 !== undefined && rowVersionOf(known) === version;
  return { ...file, version, ...(isSame && { sha256: known.sha256 }) };
}
