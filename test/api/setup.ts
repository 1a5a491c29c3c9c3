// Every test file starts with a migrated, empty institution, in a runtime shared with earlier files.

import { env, reset } from 'cloudflare:test';
import { afterAll, expect } from 'vitest';
import { witnessed } from '../support/api';
import { holdToLimits, newExcesses } from '../support/limits_oracle';
import { offencesOf } from '../support/scans';
import type { Tables } from '../support/sql_scopes';
import { tablesIn } from '../support/sql_text';
import { newConversions, newStatements, newValuesInTexts, noteStatements } from '../support/statements';

type Worker = typeof import('@carrel/worker/index').default;

/** The module loader of this runtime. */
interface Runner {
  import(id: string): Promise<unknown>;
  worker?: Promise<{ readonly default: Worker }>;
  /** Made once for all files. */
  tables?: Tables;
  /** When the current file started. */
  since: number;
}

/** For every request the runner asks another process where the Worker is, a third of the cost of a request here. The location is cached. */
function importOnce(runner: Runner): void {
  const plain = runner.import.bind(runner);
  runner.worker = plain(env.WORKER) as NonNullable<Runner['worker']>;
  runner.import = (id) => (id === env.WORKER && runner.worker ? runner.worker : plain(id));
}

/** The queue survives the reset and retries for a minute: messages of an earlier file are not for this one's institution. */
function dropWhatIsOld(runner: Runner, worker: Worker): void {
  const { queue } = worker;
  worker.queue = (batch, ...around) => {
    const isOld = ({ timestamp }: { timestamp: Date }) => timestamp.getTime() < runner.since;
    if (!batch.messages.some(isOld)) return queue(batch, ...around);
    for (const message of batch.messages.filter(isOld)) message.ack();
    const messages = batch.messages.filter((message) => !isOld(message));
    const ackAll = () => {
      for (const message of messages) message.ack();
    };
    return queue({ ...batch, queue: batch.queue, messages, ackAll }, ...around);
  };
}

const { moduleRunner } = (globalThis as unknown as { __vitest_mocker__: { moduleRunner: Runner } }).__vitest_mocker__;
if (moduleRunner.worker) {
  // Removes what the earlier file has left: pending memory first, then databases, files and objects.
  await (await moduleRunner.worker).default.settle(env);
  await reset();
} else {
  importOnce(moduleRunner);
  const worker = await (moduleRunner.worker as unknown as NonNullable<Runner['worker']>);
  dropWhatIsOld(moduleRunner, worker.default);
  holdToLimits(worker);
}
moduleRunner.since = Date.now();
noteStatements(env.DB as never);
/** Locally one text may contain several statements, up to D1's length of one: each text costs more than most of the statements in it. */
function texts(statements: readonly string[]): string[] {
  const result = [''];
  for (const statement of statements.map((one) => `${one.trim().replace(/;$/, '')};\n`)) {
    if ((result.at(-1) as string).length + statement.length > 60_000) result.push('');
    result[result.length - 1] += statement;
  }
  return result;
}
// In one batch, because single statements would take longer than most tests.
await env.DB.batch(texts(env.SCHEMA).map((text) => env.DB.prepare(text)));

// The ledger collects which endpoints the suite has called, and which of them return lists.
witnessed.routes.clear();
witnessed.lists.clear();
witnessed.written.clear();
witnessed.statements.clear();
// biome-ignore lint/correctness/noEmptyPattern: Vitest requires a pattern.
afterAll(({}, suite) => {
  Object.assign(suite.meta, {
    routes: [...witnessed.routes],
    lists: [...witnessed.lists],
    written: [...witnessed.written],
    most: [...witnessed.statements],
  });
});

// Each new statement is explained once: none may scan a whole table or have an ambiguous column. None may contain an object as text.
// Triggers create no tables.
const tables = moduleRunner.tables ?? tablesIn(env.SCHEMA.filter((statement) => !/^create trigger/i.test(statement)).join('\n'));
moduleRunner.tables = tables;
// biome-ignore lint/correctness/noEmptyPattern: Vitest requires a pattern.
afterAll(async ({}, suite) => {
  expect(newExcesses()).toEqual([]);
  expect(newConversions()).toEqual([]);
  expect(newValuesInTexts()).toEqual([]);
  const sent = newStatements();
  // The reporter checks their sizes: SQLite's limits can be set only in its process.
  Object.assign(suite.meta, { statements: sent.map(({ statement }) => statement) });
  expect(await offencesOf(env.DB as never, sent, tables)).toEqual([]);
  // SQLite takes a quarter of a second for each of the longest statements.
}, 120_000);
