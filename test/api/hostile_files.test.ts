// Malformed input for files and folders: all their endpoints, from a fixed seed.

import { test } from 'vitest';
import { holdsOut } from '../support/hostile';

test('no input to files and folders causes an internal error, and refused requests change nothing', { timeout: 300_000 }, () =>
  holdsOut('files', 20261120),
);
