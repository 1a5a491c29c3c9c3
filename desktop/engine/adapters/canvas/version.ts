// Which bytes of a file are meant, where the server does not tell their hash: unknown until they have come.

import { createHash } from 'node:crypto';
import type { Hash } from '../../trees';
import type { Row } from './pace';

/** Stands where a hash would; equal to no hash, so that the bytes are fetched. */
export function versionOf({ uuid, size, modified_at, updated_at }: Row): Hash {
  const told = [uuid ?? null, size ?? null, modified_at ?? updated_at ?? null];
  return `v-${createHash('sha256').update(JSON.stringify(told)).digest('hex')}`;
}

export const isVersion = (hash: Hash): boolean => hash.startsWith('v-');

/** A file as a list tells it, with what is known of its bytes: as long as they are the same. */
export function withVersion(file: Row, known: Row | undefined): Row {
  const version = versionOf(file);
  const isSame = known !== undefined && known.sha256 !== undefined && versionOf(known) === version;
  return { ...file, version, ...(isSame && { sha256: known.sha256 }) };
}
