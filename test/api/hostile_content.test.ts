// Garbage for pages and modules: every endpoint there is, from a pinned seed.

import { test } from 'vitest';
import { holdsOut } from '../support/hostile';

test('nothing that is sent to pages and modules is an error of ours, and what is refused changes nothing', { timeout: 300_000 }, () =>
  holdsOut('content', 20261120),
);
