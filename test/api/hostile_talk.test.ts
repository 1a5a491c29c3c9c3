// Malformed input for discussions, conversations and calendars: all their endpoints, from a fixed seed.

import { test } from 'vitest';
import { holdsOut } from '../support/hostile';

test(
  'nothing that is sent to discussions, conversations and calendars is an error of ours, and what is refused changes nothing',
  { timeout: 300_000 },
  () => holdsOut('talk', 20261120),
);
