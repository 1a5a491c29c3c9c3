// Every test file starts from a migrated, empty institution, in a runtime that it shares with the files before it.

import { env, reset } from 'cloudflare:test';
import { afterAll, expect } from 'vitest';
import { witnessed } from '../support/api';
import { offencesOf } from '../support/scans';
import { tablesIn } from '../support/sql_text';
import { newStatements, noteStatements } from '../support/statements';

type Worker = typeof import('@carrel/worker/index').default;

/** What imports modules in this runtime. */
interface Runner {
  import(id: string): Promise<unknown>;
  worker?: Promise<{ readonly default: Worker }>;
  /** When the file that is running began. */
  since: number;
}

/** Every request asks the runner for the Worker, and the runner asks another process where it is: a third of what a request costs here. It stays where it is. */
function importOnce(runner: Runner): void {
  const plain = runner.import.bind(runner);
  runner.worker = plain(env.WORKER) as NonNullable<Runner['worker']>;
  runner.import = (id) => (id === env.WORKER && runner.worker ? runner.worker : plain(id));
}

/** The queue outlives what is reset, and tries again for a minute: what a file before has sent is nothing to this one's institution. */
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
  // What the file before has left: first what waits in memory, then databases, files and objects.
  await (await moduleRunner.worker).default.settle(env);
  await reset();
} else {
  importOnce(moduleRunner);
  dropWhatIsOld(moduleRunner, (await (moduleRunner.worker as unknown as NonNullable<Runner['worker']>)).default);
}
moduleRunner.since = Date.now();
noteStatements(env.DB as never);
// One batch: statement by statement takes longer than most of the tests do.
await env.DB.batch(env.MIGRATIONS.flatMap((migration) => migration.queries.map((query) => env.DB.prepare(query))));

// The ledger collects which endpoints the suite has exercised, and which of them answer lists.
witnessed.routes.clear();
witnessed.lists.clear();
// biome-ignore lint/correctness/noEmptyPattern: the runner insists on a pattern.
afterAll(({}, suite) => {
  Object.assign(suite.meta, { routes: [...witnessed.routes], lists: [...witnessed.lists] });
});

// What is sent for the first time is explained once: no statement may read a whole table, or be unclear about whose column it means.
const tables = tablesIn(env.MIGRATIONS.flatMap(({ queries }) => queries).join('\n'));
afterAll(async () => {
  expect(await offencesOf(env.DB as never, newStatements(), tables)).toEqual([]);
  // The longest statements take SQLite a quarter of a second each.
}, 120_000);
