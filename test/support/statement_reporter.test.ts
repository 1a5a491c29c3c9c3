import { afterEach, expect, test, vi } from 'vitest';
import type { TestModule } from 'vitest/node';
import StatementReporter from './statement_reporter';

const before = process.exitCode;
afterEach(() => {
  process.exitCode = before;
  vi.restoreAllMocks();
});

const moduleWith = (...statements: string[]) => ({ meta: () => ({ statements }) }) as unknown as TestModule;

test('statements that are too large fail the run, whichever file sends them', async () => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
  const reporter = new StatementReporter();
  const modules = [moduleWith('select id from courses'), moduleWith('select id from courses', `select '${'x'.repeat(40_000)}'`)];
  for (const module of modules) reporter.onTestModuleEnd(module);
  await reporter.onTestRunEnd(modules, [], 'passed');
  expect(printed.mock.calls.flat()).toEqual([expect.stringContaining('1 of 2 statements are too large')]);
  expect(process.exitCode).toBe(1);
});

test('a run whose files send no statements is not examined', async () => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
  await new StatementReporter().onTestRunEnd([{ meta: () => ({}) } as unknown as TestModule], [], 'passed');
  expect(printed).not.toHaveBeenCalled();
  expect(process.exitCode).toBe(before);
});
