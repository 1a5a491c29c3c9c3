// Which entries of an archive become files.

import { expect, test } from 'vitest';
import { filesAmong, placeOfEntry } from './entry_names';

const plain = 0o100644;

test.each<[string, object | undefined]>([
  ['a.txt', { folders: [], name: 'a.txt' }],
  ['Week 1/notes/a.txt', { folders: ['Week 1', 'notes'], name: 'a.txt' }],
  ['./Week 1//a.txt', { folders: ['Week 1'], name: 'a.txt' }],
  ['Week 1/', undefined],
  ['__MACOSX/._a.txt', undefined],
  ['Week 1/.DS_Store', undefined],
])('%s', (name, expected) => expect(placeOfEntry({ name, mode: plain })).toEqual(expected));

test.each([
  ['/etc/passwd', plain, 'absolute'],
  ['C:/boot.ini', plain, 'absolute'],
  ['a/../../b.txt', plain, 'leads out'],
  ['..', plain, 'leads out'],
  ['link', 0o120777, 'symbolic link'],
  [`${'d/'.repeat(40)}a`, plain, 'too many folders'],
])('%s is refused', (name, mode, message) => expect(() => placeOfEntry({ name, mode })).toThrow(message));

test('of entries with the same path the last one counts; an archive without files is refused', () => {
  const entries = [
    { name: 'a.txt', mode: plain, n: 1 },
    { name: 'x/', mode: 0o040755, n: 2 },
    { name: './a.txt', mode: 0, n: 3 },
  ];
  expect(filesAmong(entries).map(({ entry }) => entry.n)).toEqual([3]);
  expect(() => filesAmong([{ name: 'x/', mode: plain }])).toThrow('no files');
});
