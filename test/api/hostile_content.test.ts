// Malformed input for pages and modules: all their endpoints, from a fixed seed.

import { test } from 'vitest';
import { holdsOut } from '../support/hostile';

test('no input to pages and modules causes an internal error, and refused requests change nothing', { timeout: 300_000 }, () =>
  holdsOut('content', 20261120),
);
