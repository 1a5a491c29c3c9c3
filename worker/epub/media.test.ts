import { expect, test } from 'vitest';
import { beginsAs } from './media';

const bytes = (...given: (string | number)[]) =>
  Uint8Array.from(given.flatMap((one) => (typeof one === 'number' ? [one] : [...one].map((letter) => letter.charCodeAt(0)))));

test.each([
  ['image/png', bytes(0x89, 'PNG', 13, 10, 26, 10), true],
  ['image/gif', bytes('GIF89a'), true],
  ['audio/mpeg', bytes('ID3', 4, 0), true],
  ['audio/mpeg', bytes(0xff, 0xfb, 0x90), true],
  ['audio/mpeg', bytes('GIF89a'), false],
  ['video/mp4', bytes(0, 0, 0, 24, 'ftyp'), true],
  ['video/mp4', bytes('<html>'), false],
  ['video/webm', bytes(0x1a, 0x45, 0xdf, 0xa3), true],
  ['text/html', bytes('<html>'), false],
])('%s: whether the bytes begin so is known', (type, given, is) => expect(beginsAs(type, given)).toBe(is));
