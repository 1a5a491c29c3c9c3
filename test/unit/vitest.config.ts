// Rules without a runtime: values in, values out.

import { join } from 'node:path';
import { defineProject } from 'vitest/config';

const root = join(import.meta.dirname, '../..');

export default defineProject({
  root,
  test: {
    root,
    name: 'unit',
    include: ['test/unit/**/*.test.ts', 'test/architecture.test.ts'],
    environment: 'node',
    // Pure functions and files that are read: nothing of one file reaches another.
    isolate: false,
  },
});
