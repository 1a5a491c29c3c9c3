// Malformed input for courses, sections and enrollments: all their endpoints, from a fixed seed.

import { test } from 'vitest';
import { holdsOut } from '../support/hostile';

test(
  'nothing that is sent to courses, sections and enrollments is an error of ours, and what is refused changes nothing',
  { timeout: 300_000 },
  () => holdsOut('courses', 20261120),
);
