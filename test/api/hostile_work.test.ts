// Malformed input for assignments and submissions: all their endpoints, from a fixed seed.

import { test } from 'vitest';
import { holdsOut } from '../support/hostile';

test(
  'nothing that is sent to assignments and what is handed in is an error of ours, and what is refused changes nothing',
  { timeout: 300_000 },
  () => holdsOut('work', 20261120),
);
