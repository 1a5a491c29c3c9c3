// The dates of an imported term.

import { expect, test } from 'vitest';
import { withOverride } from './terms';

test('a term has dates for each type of enrollment', () => {
  expect(withOverride({}, 'StudentEnrollment', 'a', null)).toEqual({ StudentEnrollment: { start_at: 'a', end_at: null } });
  expect(withOverride({ StudentEnrollment: { start_at: 'a' } }, 'StudentEnrollment', null, null)).toEqual({});
});
