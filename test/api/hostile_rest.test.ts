// Malformed input for all other endpoints, from a fixed seed.

import { test } from 'vitest';
import { holdsOut } from '../support/hostile';

test('no input to the other endpoints causes an internal error, and refused requests change nothing', { timeout: 300_000 }, () =>
  holdsOut('rest', 20261120),
);
