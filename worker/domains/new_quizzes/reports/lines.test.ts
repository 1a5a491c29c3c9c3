import { expect, test } from 'vitest';
import { closingOf, linesOf, openingOf } from './lines';

const columns = ['position', 'item_id', 'title', 'answers'];

const rows = [
  { position: 1, item_id: 7, title: 'One, two', answers: [{ id: 'a' }] },
  { position: 2, item_id: 8, title: '=SUM(A1)', answers: null },
];

test('the pieces of a report make a file', () => {
  const of = (format: 'csv' | 'json') =>
    [
      openingOf(columns, format),
      linesOf(columns, format, rows.slice(0, 1), true),
      linesOf(columns, format, rows.slice(1), false),
      closingOf(format),
    ].join('');
  expect(JSON.parse(of('json'))).toMatchObject([rows[0], rows[1]]);
  expect(of('csv').split('\r\n').slice(0, 3)).toEqual([
    'position,item_id,title,answers',
    '1,7,"One, two","[{""id"":""a""}]"',
    "2,8,'=SUM(A1),",
  ]);
});

test('a report without rows is an empty list', () => {
  expect(JSON.parse(openingOf(columns, 'json') + linesOf(columns, 'json', [], true) + closingOf('json'))).toEqual([]);
});
