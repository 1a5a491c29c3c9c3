// The whole service as its own process, started, killed in the middle of its work, and started again.

import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: { name: 'live', environment: 'node', include: ['test/live/**/*.test.ts'], testTimeout: 180_000, hookTimeout: 120_000 },
});
