// The desk's engine and command line, tested on real disks and against a real server on loopback.

import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    name: 'sync',
    environment: 'node',
    include: ['test/sync/**/*.test.ts'],
    testTimeout: 30_000,
  },
});
