// Dates in rows.

import { expect, test } from 'vitest';
import { sisDateOf } from './row_rules';

test.each([
  ['2026-09-01', '2026-09-01T00:00:00Z'],
  ['2026-09-01T08:00:00+02:00', '2026-09-01T06:00:00Z'],
  ['2026-09-01 08:00:00 UTC', '2026-09-01T08:00:00Z'],
  ['2026-09-01 08:00:00 -0100', '2026-09-01T09:00:00Z'],
  ['yesterday', null],
])('the date %s', (given, at) => expect(sisDateOf(given)).toBe(at));
