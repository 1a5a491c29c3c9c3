// Replies of a discussion, nested by the kind of its topic.

import { expect, test } from 'vitest';
import { type Nested, nest, parentEntryOf } from './threading';

test('a reply is placed according to the kind of its topic', () => {
  const [top, under] = [
    { id: 1, root_entry_id: 1 },
    { id: 2, root_entry_id: 1 },
  ];
  expect((['threaded', 'side_comment', 'not_threaded', 'flat'] as const).map((type) => parentEntryOf(type, under))).toEqual([
    2,
    1,
    1,
    null,
  ]);
  expect(parentEntryOf('side_comment', top)).toBe(1);
  const entry = (id: number, parent_id: number | null, rating_sum = 0): Nested => ({ id, parent_id, rating_sum });
  const ids = (entries: readonly { id: number }[] | undefined) => entries?.map(({ id }) => id);
  const [first, ...rest] = nest([entry(1, null), entry(2, 1), entry(3, 1, 5), entry(4, 99)], false);
  expect([ids(first?.replies), ids(rest)]).toEqual([[2, 3], [4]]);
  expect(ids(nest([entry(1, null), entry(2, 1), entry(3, 1, 5)], true)[0]?.replies)).toEqual([3, 2]);
});
