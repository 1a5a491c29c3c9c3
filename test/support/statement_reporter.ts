// Reports statements of the suite that exceed the limits of `statement_limits.ts`.
// After a full run: some statement reads each index, because D1 bills every write to one.

import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Reporter, TestModule } from 'vitest/node';
import type { Examined } from './statement_limits.ts';

/** The number of files in test/api: a partial run does not send every statement. */
const apiFiles = readdirSync(join(import.meta.dirname, '../api')).filter((name) => name.endsWith('.test.ts')).length;

const statementsOf = (module: TestModule) => (module.meta() as { statements?: readonly string[] }).statements;

export default class StatementReporter implements Reporter {
  private thread: Worker | undefined;
  private readonly sent = new Set<string>();

  /** The statements that a file was the first to send are examined while the next ones run. */
  onTestModuleEnd(module: TestModule): void {
    const fresh = (statementsOf(module) ?? []).filter((text) => !this.sent.has(text));
    if (fresh.length === 0) return;
    for (const text of fresh) this.sent.add(text);
    this.thread ??= new Worker(join(import.meta.dirname, 'statement_thread.ts'), { execArgv: ['--import', 'tsx'] });
    this.thread.postMessage(fresh);
  }

  async onTestRunEnd(modules: readonly TestModule[], _errors: readonly unknown[], reason: string) {
    const { thread, sent } = this;
    if (!thread) return;
    thread.postMessage(undefined);
    const [{ excesses, unread }] = (await once(thread, 'message')) as [Examined];
    await thread.terminate();
    this.thread = undefined;
    const complain = (found: readonly string[], about: string) => {
      if (found.length === 0) return;
      console.error(`\n${found.length} ${about}:\n  ${found.join('\n  ')}`);
      process.exitCode = 1;
    };
    complain(excesses, `of ${sent.size} statements are too large`);
    const senders = modules.filter((module) => statementsOf(module) !== undefined);
    if (reason === 'passed' && senders.length >= apiFiles) complain(unread, 'indexes are read by no statement of the suite');
    sent.clear();
  }
}
