// The state in which an import ends.

import { expect, test } from 'vitest';
import { endState } from './finish';

test('an import reports how it ends', () => {
  expect(endState({ error_count: 0, warning_count: 0 })).toBe('imported');
  expect(endState({ error_count: 0, warning_count: 1 })).toBe('imported_with_messages');
  expect(endState({ error_count: 1, warning_count: 1 })).toBe('failed_with_messages');
});
