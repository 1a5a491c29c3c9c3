import { expect, it } from 'vitest';
import { defaultGroup, groupAfter } from './group_values';

it.each([
  [{}, { values: defaultGroup }],
  [{ name: '', pick_count: '', question_points: null }, { values: defaultGroup }],
  [{ name: 'Cells', pick_count: '3', question_points: '2.5' }, { values: { name: 'Cells', pick_count: 3, question_points: 2.5 } }],
  [{ pick_count: '0' }, { values: { ...defaultGroup, pick_count: 0 } }],
  [{ pick_count: '1.5' }, { errors: { pick_count: 'must be a whole number of at least 0' } }],
  [
    { pick_count: 'two', question_points: '-1' },
    { errors: { pick_count: 'must be a whole number of at least 0', question_points: 'must be a number of at least 0' } },
  ],
  [{ name: 'x'.repeat(256) }, { errors: { name: 'is too long' } }],
])('%o', (given, expected) => expect(groupAfter(given, defaultGroup)).toEqual(expected));
