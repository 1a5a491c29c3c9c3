import { expect, test } from 'vitest';
import { connectionOf, connectionOfAll, windowOf, writePlaceCursor } from './connections';

const letters = ['a', 'b', 'c', 'd', 'e'];

/** Pages as REST has them: three entries each, with the place of the next as its bookmark. */
function read(args: Parameters<typeof windowOf>[0]) {
  const window = windowOf(args);
  const start = Number(window.page ?? 0);
  const page = letters.slice(start, start + window.size);
  const next = start + window.size < letters.length ? String(start + window.size) : undefined;
  return connectionOf(page, next, window, args);
}

test('every entry can be continued from, whatever the size of the pages', () => {
  for (const first of [1, 2, 3, 5, 100]) {
    const seen: string[] = [];
    let after: string | null = null;
    for (let more = true; more; ) {
      const { nodes, pageInfo } = read({ first, after });
      seen.push(...nodes);
      [after, more] = [pageInfo.endCursor, pageInfo.hasNextPage];
    }
    expect(seen, String(first)).toEqual(letters);
  }
  const { edges } = read({ first: 3 });
  for (const [nth, { cursor }] of edges.entries()) expect(read({ first: 1, after: cursor }).nodes).toEqual([letters[nth + 1]]);
});

test('the last entries, and those before a cursor', () => {
  expect(read({ last: 2 }).nodes).toEqual(['d', 'e']);
  const { edges } = read({});
  expect(read({ before: edges[2]?.cursor ?? '' }).nodes).toEqual(['a', 'b']);
  expect(read({ before: edges[3]?.cursor ?? '', last: 1 }).nodes).toEqual(['c']);
  expect(read({ after: edges[0]?.cursor ?? '', before: edges[3]?.cursor ?? '' }).nodes).toEqual(['b', 'c']);
  expect(read({ first: 0 }).nodes).toEqual([]);
});

test('entries that are left out do not end a page', () => {
  const args = { first: 1 };
  const window = windowOf(args, true);
  expect(window.size).toBe(100);
  const page = connectionOf([undefined, 'b', undefined, 'd'], undefined, window, args);
  expect(page.nodes).toEqual(['b']);
  expect(page.pageInfo.hasNextPage).toBe(true);
  const none = connectionOf([undefined], 'next', window, args);
  expect(none.pageInfo).toMatchObject({ hasNextPage: true, endCursor: writePlaceCursor({ page: 'next', at: 0 }) });
});

test('a list that is complete has the same pages', () => {
  const first = connectionOfAll(letters, { first: 2 });
  expect(first.nodes).toEqual(['a', 'b']);
  expect(first.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
  expect(connectionOfAll(letters, { first: 2, after: first.pageInfo.endCursor }).nodes).toEqual(['c', 'd']);
  expect(connectionOfAll(letters, { last: 1 }).nodes).toEqual(['e']);
  expect(connectionOfAll(letters, { before: first.edges[1]?.cursor ?? '' }).nodes).toEqual(['a']);
});

test('what is no cursor is named', () => {
  for (const after of ['x', btoa('[]'), btoa('[-1,null]'), btoa('[0,7]'), btoa('{}')])
    expect(() => windowOf({ after }), after).toThrow('after is not a cursor');
  expect(() => windowOf({ first: -1 })).toThrow('first must not be negative');
  expect(() => connectionOf(letters, 'next', windowOf({ last: 1 }), { last: 1 })).toThrow('last needs a list');
});
