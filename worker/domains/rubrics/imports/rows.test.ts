// Which rubrics a CSV file has, and which rows are wrong.

import { BadCsv } from '@carrel/shared/csv/reader';
import { expect, test } from 'vitest';
import { importedRubrics } from './rows';
import { importTemplate } from './template';

const read = (text: string) => importedRubrics(new TextEncoder().encode(text));
const names = 'Rubric Name,Criteria Name,Criteria Description,Criteria Enable Range,Rating Name,Rating Description,Rating Points\r\n';

test('the template is a rubric with two criteria', () => {
  const { rubrics, errors } = read(importTemplate);
  expect(errors).toEqual([]);
  expect(
    rubrics.map(({ title, criteria }) => [title, criteria.map((one) => [one.description, one.criterion_use_range, one.ratings?.length])]),
  ).toEqual([
    [
      'Essay',
      [
        ['Method', false, 2],
        ['Style', true, 2],
      ],
    ],
  ]);
});

test('a wrong row leaves out its rubric and no other', () => {
  const { rubrics, errors } = read(
    `${names}A,One,,,Good,,3\nA,,,,Good,,3\nB,One,,,Good,,many\nC,One,,,,,\nD,One,"two, lines",TRUE,Good,,2.5,,,\n,One,,,Good,,1\nA,Again,,,,x,1\n`,
  );
  expect(rubrics.map(({ title }) => title)).toEqual(['D']);
  expect(errors).toEqual([
    { row: 3, message: 'Criteria Name is missing' },
    { row: 4, message: 'Rating Points of Good are not a positive number' },
    { row: 5, message: 'there are no ratings' },
    { row: 7, message: 'Rubric Name is missing' },
    { row: 8, message: 'Rating Name is missing' },
  ]);
  expect(() => read('Title\nA\n')).toThrow(BadCsv);
  expect(() => read('')).toThrow(BadCsv);
});
