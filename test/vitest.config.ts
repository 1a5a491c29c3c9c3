// Unit tests, beside the modules that they test, and tests of the whole repository: without the Workers runtime.

import { join } from 'node:path';
import { defineProject } from 'vitest/config';

const root = join(import.meta.dirname, '..');

export default defineProject({
  root,
  test: {
    root,
    name: 'unit',
    include: ['{worker,shared,desktop}/**/*.test.ts', 'test/support/*.test.ts', 'test/*.test.ts'],
    environment: 'node',
    // No file affects another, because they test pure functions and only read files.
    isolate: false,
    // A test that reads the whole source takes a second, or ten beside other work.
    testTimeout: 60_000,
  },
});
