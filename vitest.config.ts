import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest_first.ts';

export default defineConfig({
  test: {
    projects: ['test/*/vitest.config.ts'],
    // One more than there are cores: many files wait, for a clock, a job or a server that is killed and started again.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    reporters: ['default', './test/support/ledger.ts'],
    // What tests print is read only when they fail.
    silent: 'passed-only',
  },
});
