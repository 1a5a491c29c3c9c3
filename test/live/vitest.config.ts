// The whole service as its own process: started, killed during its work, and restarted.

import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const root = join(import.meta.dirname, '../..');

export default defineConfig({
  root,
  test: { root, name: 'live', environment: 'node', include: ['test/live/**/*.test.ts'], testTimeout: 180_000, hookTimeout: 120_000 },
});
