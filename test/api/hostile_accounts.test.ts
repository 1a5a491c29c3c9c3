// Malformed input for accounts, announcements and communication channels: all their endpoints, from a fixed seed.

import { test } from 'vitest';
import { holdsOut } from '../support/hostile';

test('no input to accounts and announcements causes an internal error, and refused requests change nothing', { timeout: 300_000 }, () =>
  holdsOut('accounts', 20261120),
);
