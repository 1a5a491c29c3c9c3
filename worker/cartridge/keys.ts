// The identifiers of items in packages: the same for each export of an item, and different for items of other courses. Pure.

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** @param source the uuid of the course */
export const packageKey = (source: string, kind: string, id: number): string =>
  `g${bytesToHex(sha256(utf8ToBytes(`${source} ${kind} ${id}`))).slice(0, 32)}`;
