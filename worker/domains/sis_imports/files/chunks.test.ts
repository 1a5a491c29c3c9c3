// Where a chunk of rows ends.

import type { CsvRow } from '@carrel/shared/csv/reader';
import { describe, expect, test } from 'vitest';
import { chunksOf, numbered } from './chunks';

async function* fed(rows: readonly string[]): AsyncGenerator<CsvRow> {
  for (const [at, row] of rows.entries()) yield { cells: row.split(','), end: at + 1 };
}

const cut = async (rows: readonly string[], cutting: object) => {
  const chunks: (readonly string[])[] = [];
  const touches = ({ id, above }: Record<string, string>) => ({ makes: [id], uses: above ? [above] : [] });
  for await (const { rows: chunk } of chunksOf(numbered(fed(rows), ['id', 'above', 'group'], 2), { most: 3, touches, ...cutting } as never))
    chunks.push(chunk.map((row) => `${row.cells.id}@${row.at}`));
  return chunks;
};

describe('a chunk', () => {
  test('has a limited number of rows', async () => expect(await cut(['a', 'b', 'c', 'd'], {})).toEqual([['a@2', 'b@3', 'c@4'], ['d@5']]));
  test('ends before a row about the same object', async () => expect(await cut(['a', 'b', 'a'], {})).toEqual([['a@2', 'b@3'], ['a@4']]));
  test('ends before a row that refers to one of its rows', async () => expect(await cut(['a', 'b,a'], {})).toEqual([['a@2'], ['b@3']]));
  test('has a limited number of groups', async () =>
    expect(await cut(['a,,1', 'b,,1', 'c,,2'], { group: ({ group }: Record<string, string>) => group, mostGroups: 1 })).toEqual([
      ['a@2', 'b@3'],
      ['c@4'],
    ]));
});
