// Which outcomes and groups a CSV file has, and which rows are wrong.

import { BadCsv } from '@carrel/shared/csv/reader';
import { expect, test } from 'vitest';
import { importRowsOf, nextRows } from './rows';

const names =
  'vendor_guid,object_type,title,parent_guids,description,workflow_state,mastery_points,calculation_method,calculation_int,ratings\r\n';

test('groups and outcomes are read with their parents and ratings', () => {
  const { rows, errors } = importRowsOf(
    `${names}a,group,Writing,,Texts,,,,,\nb,group,"Drafts, all",a,,,,,,\nc,outcome,Argues,a b,,active,3,weighted_average,40,5,Well,3,Fair,0,,,\nd,outcome,Gone,,,deleted,,,,\n`,
  );
  expect(errors).toEqual([]);
  expect(rows.map(({ guid, parents, isDeleted }) => [guid, parents, isDeleted])).toEqual([
    ['a', [], false],
    ['b', ['a'], false],
    ['c', ['a', 'b'], false],
    ['d', [], true],
  ]);
  expect(rows[2]).toMatchObject({
    row: 4,
    description: null,
    display_name: undefined,
    mastery_points: 3,
    calculation_method: 'decaying_average',
    calculation_int: 40,
    ratings: [
      { points: 5, description: 'Well' },
      { points: 3, description: 'Fair' },
      { points: 0, description: 'No description' },
    ],
  });
});

test.each([
  ['a b,group,X,,,,,,,', 'vendor_guid must not contain spaces'],
  [',group,X,,,,,,,', 'vendor_guid is required'],
  ['a,topic,X,,,,,,,', 'object_type must be outcome or group'],
  ['a,group,,,,,,,,', 'title is required'],
  [`a,group,${'x'.repeat(256)},,,,,,,`, 'title is longer than 255 characters'],
  ['a,group,X,g h,,,,,,', 'a group has one parent'],
  ['a,group,X,,,,3,,,', 'a group has no mastery_points'],
  ['a,group,X,,,,,,,3,Good', 'a group has no ratings'],
  ['a,outcome,X,nowhere,,,,,,', 'parents are not in earlier rows: nowhere'],
  ['a,outcome,X,o,,,,,,', 'parents are not in earlier rows: o'],
  ['g,outcome,X,,,,,,,', 'vendor_guid g appears twice'],
  ['a,outcome,X,,,gone,,,,', 'workflow_state must be active or deleted'],
  ['a,outcome,X,,,,many,,,', 'mastery_points is not a number: many'],
  ['a,outcome,X,,,,,median,,', 'calculation_method is unknown: median'],
  ['a,outcome,X,,,,,,,3,Low,5,High', 'ratings must be ordered from the most points to the fewest'],
  ['a,outcome,X,,,,,,,,Low', 'a rating has no points'],
])('the row %j is refused', (line, message) => {
  const { rows, errors } = importRowsOf(`${names}g,group,G,,,,,,,\nh,group,H,,,,,,,\no,outcome,O,,,,,,,\n${line}\n`);
  expect(rows).toHaveLength(3);
  expect(errors).toEqual([[5, message]]);
});

test.each([
  ['', 'Missing required columns: vendor_guid, object_type, title, parent_guids'],
  ['vendor_guid,object_type,title\n', 'Missing required columns: parent_guids'],
  ['vendor_guid,object_type,title,parent_guids,colour\n', 'Unknown columns: colour'],
  ['vendor_guid,object_type,title,ratings,parent_guids\n', 'The column ratings must be the last one'],
  ['vendor_guid,object_type,title,title,parent_guids\n', 'The column title appears twice'],
  ['vendor_guid,object_type,title,parent_guids\na,"group,X,\n', 'a quoted value is not closed'],
])('the file %j is refused', (file, message) => {
  expect(() => importRowsOf(file)).toThrow(BadCsv);
  expect(() => importRowsOf(file)).toThrow(message);
});

test('a step has some rows, or deletes one group', () => {
  const lines = Array.from({ length: 150 }, (_, at) => `g${at},group,G,,,${at === 120 ? 'deleted' : ''},,,,\n`);
  const { rows } = importRowsOf(names + lines.join(''));
  const steps: number[] = [];
  for (let done = 0; done < rows.length; ) {
    const next = nextRows(rows, done);
    steps.push(next.length);
    done += next.length;
  }
  expect(steps).toEqual([100, 20, 1, 29]);
});
