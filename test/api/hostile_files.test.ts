// Garbage for files and folders: every endpoint there is, from a pinned seed.

import { test } from 'vitest';
import { holdsOut } from '../support/hostile';

test('nothing that is sent to files and folders is an error of ours, and what is refused changes nothing', { timeout: 300_000 }, () =>
  holdsOut('files', 20261120),
);
