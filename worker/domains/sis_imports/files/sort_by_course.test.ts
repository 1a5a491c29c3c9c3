// Rows of enrollments that are not sorted by course.

import { describe, expect, test } from 'vitest';
import { blocksOf, isScattered } from './sort_by_course';

describe('rows scattered over courses', () => {
  const lying = (count: number, course: (n: number) => number) => Array.from({ length: count }, (_, n) => course(n));
  test.each<[string, number[], boolean]>([
    ['sorted', lying(400, (n) => Math.floor(n / 10)), false],
    ['sorted, with some strays', lying(400, (n) => (n % 50 === 49 ? 1 : Math.floor(n / 10))), false],
    ['one course only', lying(400, () => 7), false],
    ['alternating', lying(400, (n) => n % 40), true],
    ['two sorted passes', lying(400, (n) => Math.floor((n % 200) / 5)), true],
  ])('%s', (_, courses, expected) => expect(isScattered(courses)).toBe(expected));

  test('are grouped into blocks by course, in their order', () => {
    const rows = lying(120, (n) => n + 2).map((at) => ({ at, cells: { course_id: `C${at % 2}`, user_id: `u${at}` } }));
    const blocks = blocksOf(
      rows,
      rows.map(({ at }) => at % 2),
      ['user_id', 'status'],
    );
    expect(blocks.map(({ course_id, last_row }) => [course_id, last_row])).toEqual([
      [0, 100],
      [0, 120],
      [1, 101],
      [1, 121],
    ]);
    expect(JSON.parse(blocks[1]?.rows ?? '')).toEqual(lying(10, (n) => 102 + 2 * n).map((at) => [at, `u${at}`, '']));
  });
});
