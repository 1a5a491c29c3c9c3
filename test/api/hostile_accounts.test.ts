// Malformed input for accounts, announcements and communication channels: all their endpoints, from a fixed seed.

import { test } from 'vitest';
import { holdsOut } from '../support/hostile';

test(
  'nothing that is sent to accounts and what they say is an error of ours, and what is refused changes nothing',
  { timeout: 300_000 },
  () => holdsOut('accounts', 20261120),
);
