// Malformed input for discussions, conversations and calendars: all their endpoints, from a fixed seed.

import { test } from 'vitest';
import { holdsOut } from '../support/hostile';

test(
  'no input to discussions, conversations and calendars causes an internal error, and refused requests change nothing',
  { timeout: 300_000 },
  () => holdsOut('talk', 20261120),
);
