// Garbage for discussions, conversations and calendars: every endpoint there is, from a pinned seed.

import { test } from 'vitest';
import { holdsOut } from '../support/hostile';

test(
  'nothing that is sent to discussions, conversations and calendars is an error of ours, and what is refused changes nothing',
  { timeout: 300_000 },
  () => holdsOut('talk', 20261120),
);
