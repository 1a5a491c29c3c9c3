// Names of files in a folder and in storage.

import { expect, test } from 'vitest';
import { namesInTurn, storedName } from './names';

test.each([
  ['a.txt', 'uuid', ['a.txt', 'a-1.txt', 'a-2.txt']],
  ['b.tar.gz', 'uuid', ['b.tar.gz', 'b-1.tar.gz', 'b-2.tar.gz']],
  ['.profile', 'uuid', ['.profile', '.profile-1', '.profile-2']],
  ['no extension', 'uuid', ['no extension', 'no extension-1', 'no extension-2']],
])('%s is numbered when the name exists', (name, unique, first) => {
  const names = namesInTurn(name, unique);
  expect(names.slice(0, 3)).toEqual(first);
  expect(names).toHaveLength(9);
  expect(names.at(-1)).toContain('-uuid');
});

test('a storage key is escaped, uses + for spaces, and is short', () => {
  expect(storedName("it's 100% (läuft).txt")).toBe('it%27s+100%25+%28l%C3%A4uft%29.txt');
  const long = storedName(`${'ü'.repeat(400)}.pdf`);
  expect(long.length).toBeLessThanOrEqual(180);
  expect(long.endsWith('%BC.pdf')).toBe(true);
});
