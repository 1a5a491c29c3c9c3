import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: ['test/*/vitest.config.ts'],
    reporters: ['default', './test/support/ledger.ts'],
    // What tests print is read only when they fail.
    silent: 'passed-only',
  },
});
