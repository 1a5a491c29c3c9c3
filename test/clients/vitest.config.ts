// Unmodified public Canvas clients against a real server.

import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const root = join(import.meta.dirname, '../..');

export default defineConfig({
  root,
  test: {
    name: 'clients',
    root,
    environment: 'node',
    include: ['test/clients/**/*.test.ts'],
    globalSetup: ['test/clients/started.ts'],
    setupFiles: ['test/clients/setup.ts'],
    // It imports its package.json without an attribute, which Node refuses.
    server: { deps: { inline: ['@lti-tool/core'] } },
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
