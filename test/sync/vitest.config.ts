// The desk's engine and command line, tested on real disks and against a real server on loopback.

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
    // What the files share keeps nothing between them, and takes longer to load than many of them run.
    isolate: false,
    testTimeout: 60_000,
  },
});
