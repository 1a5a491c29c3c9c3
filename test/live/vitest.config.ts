// The whole service as its own process, started, killed in the middle of its work, and started again.

import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  test: { name: 'live', environment: 'node', include: ['test/live/**/*.test.ts'], testTimeout: 180_000, hookTimeout: 120_000 },
});
