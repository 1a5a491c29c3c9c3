// The desk's ui in a real browser, against the browser host.

import { join } from 'node:path';
import { defineProject } from 'vitest/config';

const root = join(import.meta.dirname, '../..');

export default defineProject({
  root,
  test: {
    root,
    name: 'browser',
    environment: 'node',
    include: ['test/e2e/**/*.test.ts'],
    // What the files share keeps nothing between them, and takes long to load.
    isolate: false,
    globalSetup: join(root, 'test/e2e/support/built.ts'),
    // What is waited for is there at once, but on a machine that has other things to do.
    expect: { poll: { timeout: 20_000 } },
    testTimeout: 40_000,
    hookTimeout: 60_000,
    // A browser that gets no time from a busy machine is tried once more; the report then says `retry x1`. What is wrong every time still fails.
    retry: 1,
  },
});
