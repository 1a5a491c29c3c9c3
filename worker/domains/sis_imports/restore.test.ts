// What the restore of an import brings back.

import { expect, test } from 'vitest';
import { restoredTo } from './restore';

test('a restore brings back the state before the import, within its options', () => {
  expect(restoredTo([1, null, 'active'], {})).toBe('deleted');
  expect(restoredTo([1, 'active', 'deleted'], {})).toBe('active');
  expect(restoredTo([1, null, 'active'], { undelete_only: true })).toBeUndefined();
  expect(restoredTo([1, 'active', 'deleted'], { undelete_only: true })).toBe('active');
  expect(restoredTo([1, 'active', 'completed'], { unconclude_only: true })).toBe('active');
  expect(restoredTo([1, 'active', 'deleted'], { unconclude_only: true })).toBeUndefined();
});
