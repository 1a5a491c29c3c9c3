// Links to files for callers to whom the file's owner is anonymous.

import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** In place of the uuid: it also grants access to the file, but only under its masked name. */
export const maskedVerifier = (secret: string, { id, uuid }: { readonly id: number; readonly uuid: string }): string =>
  bytesToHex(hmac(sha256, utf8ToBytes(secret), utf8ToBytes(`masked_file ${id} ${uuid}`))).slice(0, 40);
