// The UI in a real browser, against the browser host.

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
    // The shared modules keep no state and are slow to load, so test files are not isolated.
    isolate: false,
    globalSetup: join(root, 'test/e2e/support/built.ts'),
    // Everything is shown at once, unless the machine is busy with other work.
    expect: { poll: { timeout: 60_000 } },
    // Only to end a test that hangs: a busy machine takes several times as long.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    // A browser that gets no time on a busy machine is tried once more; the report then shows `retry x1`. Real errors still fail.
    retry: 1,
  },
});
