import { expect, test } from 'vitest';
import { closingOf, linesOf, openingOf } from './lines';

const rows = [
  { position: 1, item_id: 7, title: 'One, two' },
  { position: 2, item_id: 8, title: '=SUM(A1)' },
];

test('the pieces of a report make a file', () => {
  const of = (format: 'csv' | 'json') =>
    [
      openingOf('item_analysis', format),
      linesOf('item_analysis', format, rows.slice(0, 1), true),
      linesOf('item_analysis', format, rows.slice(1), false),
      closingOf(format),
    ].join('');
  expect(JSON.parse(of('json'))).toMatchObject([rows[0], rows[1]]);
  expect(of('csv').split('\r\n').slice(0, 3)).toEqual([
    'position,item_id,entry_type,interaction_type,title,points_possible,scoring_algorithm',
    '1,7,,,"One, two",,',
    "2,8,,,'=SUM(A1),,",
  ]);
});

test('a report without rows is an empty list', () => {
  expect(JSON.parse(openingOf('student_analysis', 'json') + linesOf('student_analysis', 'json', [], true) + closingOf('json'))).toEqual([]);
});
