import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest_first.ts';

export default defineConfig({
  test: {
    projects: ['test/vitest.config.ts', 'test/*/vitest.config.ts'],
    // Half more than the cores, because tests of browsers and kills often wait; by itself the runner leaves a core free, which of two is half.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    sequence: { sequencer: LongestFirst },
    // Some runners do not end by themselves after their last test.
    teardownTimeout: 1000,
    reporters: ['default', './test/support/ledger.ts', './test/support/statement_reporter.ts'],
    // What tests print is read only when they fail.
    silent: 'passed-only',
  },
});
