// Form parameters as a tree, and back.

import { expect, test } from 'vitest';
import { formTreeOf, MixedName, pairsOf, settleLists } from './form';

const tree = (query: string, lists: string[] = []) =>
  JSON.parse(JSON.stringify(settleLists(formTreeOf(new URLSearchParams(query)), (name) => lists.includes(name))));

test.each([
  ['a=1', { a: '1' }],
  ['per_page=5&per_page=100', { per_page: '100' }],
  ['a[b]=1', { a: { b: '1' } }],
  ['a[b][c]=1', { a: { b: { c: '1' } } }],
  ['a[]=1&a[]=2', { a: ['1', '2'] }],
  ['a%5B%5D=1', { a: ['1'] }],
  ['a[b][]=1&a[b][]=2', { a: { b: ['1', '2'] } }],
  ['a[][b]=1&a[][c]=2&a[][b]=3', { a: [{ b: '1', c: '2' }, { b: '3' }] }],
  ['a[][b][]=1&a[][b][]=2', { a: [{ b: ['1', '2'] }] }],
  ['a[0][b]=1&a[1][b]=2', { a: { 0: { b: '1' }, 1: { b: '2' } } }],
  ['a[][b][c]=1&a[][b][d]=2&a[][b][c]=3', { a: [{ b: { c: '1', d: '2' } }, { b: { c: '3' } }] }],
  ['a=', { a: '' }],
  ['[]=1', { '[]': '1' }],
  ['a[b=1', { 'a[b': '1' }],
  ['[][id]=1&[][x]=a&[][id]=2', { '': [{ id: '1', x: 'a' }, { id: '2' }] }],
  ['[1][id]=1&[0][id]=2', { '': { 1: { id: '1' }, 0: { id: '2' } } }],
])('%s is parsed into a tree', (query, expected) => {
  expect(tree(query)).toEqual(expected);
});

test('a repeated value is a list where a list is expected', () => {
  expect(tree('recipients=1&recipients=2', ['recipients'])).toEqual({ recipients: ['1', '2'] });
});

test.each(['a=1&a[b]=2', 'a[b]=1&a=2', 'a[]=1&a[b]=2', 'a[b]=1&a[b][c]=2'])('%s is refused: a name is a value or an object', (query) => {
  expect(() => tree(query)).toThrow(MixedName);
});

test("a name cannot reach an object's prototype", () => {
  tree('__proto__[polluted]=1&constructor[prototype][polluted]=1');
  expect(({} as { polluted?: string }).polluted).toBeUndefined();
});

test('written parameters are read back unchanged', () => {
  const given = { name: 'x & y', nested: { list: ['1', '2'], of: [{ a: '1', b: '2' }, { a: '3' }] } };
  expect(tree(new URLSearchParams(pairsOf(given)).toString())).toEqual(given);
});
