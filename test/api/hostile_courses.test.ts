// Garbage for courses, sections and enrollments: every endpoint there is, from a pinned seed.

import { test } from 'vitest';
import { holdsOut } from '../support/hostile';

test(
  'nothing that is sent to courses, sections and enrollments is an error of ours, and what is refused changes nothing',
  { timeout: 300_000 },
  () => holdsOut('courses', 20261120),
);
