// The desk's engine and command line, tested on real disks and against a real server on localhost.

import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const root = join(import.meta.dirname, '../..');

export default defineConfig({
  root,
  test: {
    root,
    name: 'sync',
    environment: 'node',
    include: ['test/sync/**/*.test.ts'],
    globalSetup: ['test/sync/one_file.ts'],
    // Modules keep no state between files, and take longer to load than many of the files run.
    isolate: false,
    testTimeout: 60_000,
  },
});
