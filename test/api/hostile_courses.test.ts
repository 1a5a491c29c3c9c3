// Malformed input for courses, sections and enrollments: all their endpoints, from a fixed seed.

import { test } from 'vitest';
import { holdsOut } from '../support/hostile';

test(
  'no input to courses, sections and enrollments causes an internal error, and refused requests change nothing',
  { timeout: 300_000 },
  () => holdsOut('courses', 20261120),
);
