// Images, sounds and films that a book may contain, by their first bytes. Pure.

import { lookUp } from '@carrel/shared/wire/look_up';

const bytesOf = (text: string): readonly number[] => [...text].map((one) => one.charCodeAt(0));
const isAt = (bytes: Uint8Array, start: number, given: readonly number[]): boolean => given.every((one, at) => bytes[start + at] === one);

const isMpeg4 = (bytes: Uint8Array): boolean => isAt(bytes, 4, bytesOf('ftyp'));
/** With a tag, or from the first frame. */
const isMp3 = (bytes: Uint8Array): boolean => isAt(bytes, 0, bytesOf('ID3')) || (bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe0) === 0xe0);

const beginnings: Readonly<Record<string, (bytes: Uint8Array) => boolean>> = {
  'image/png': (bytes) => isAt(bytes, 0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  'image/jpeg': (bytes) => isAt(bytes, 0, [0xff, 0xd8, 0xff]),
  'image/gif': (bytes) => isAt(bytes, 0, bytesOf('GIF8')),
  'audio/mpeg': isMp3,
  'audio/mp4': isMpeg4,
  'video/mp4': isMpeg4,
  'video/webm': (bytes) => isAt(bytes, 0, [0x1a, 0x45, 0xdf, 0xa3]),
};

/** Whether the first bytes of a file are those of its type, of the types that books may contain. */
export const beginsAs = (content_type: string, bytes: Uint8Array): boolean => lookUp(beginnings, content_type)?.(bytes) === true;
