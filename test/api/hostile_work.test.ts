// Malformed input for assignments and submissions: all their endpoints, from a fixed seed.

import { test } from 'vitest';
import { holdsOut } from '../support/hostile';

test('no input to assignments and submissions causes an internal error, and refused requests change nothing', { timeout: 300_000 }, () =>
  holdsOut('work', 20261120),
);
