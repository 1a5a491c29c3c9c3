// A database that counts what a job costs, and runs something before a batch, as another request might.

import { env } from 'cloudflare:workers';
import type { Platform } from '@carrel/worker/platform';

type Batch = (statements: readonly unknown[]) => Promise<readonly D1Result[]>;

export interface JobCost {
  batches: number;
  /** Of the largest batch. */
  statements: number;
  /** Of the batch that reads or writes most. */
  rows: number;
  rows_read: number;
  rows_written: number;
}

/** @param before gets the number of the batch, from 1 */
export function metered(before: (batch: number) => Promise<unknown> = async () => {}): {
  readonly platform: Platform;
  readonly cost: JobCost;
} {
  const cost: JobCost = { batches: 0, statements: 0, rows: 0, rows_read: 0, rows_written: 0 };
  const counted =
    (batch: Batch): Batch =>
    async (statements) => {
      cost.batches += 1;
      await before(cost.batches);
      const results = await batch(statements);
      const sum = (name: 'rows_read' | 'rows_written') => results.reduce((all, { meta }) => all + meta[name], 0);
      cost.statements = Math.max(cost.statements, statements.length);
      cost.rows = Math.max(cost.rows, sum('rows_read') + sum('rows_written'));
      cost.rows_read += sum('rows_read');
      cost.rows_written += sum('rows_written');
      return results;
    };
  const member = (target: object, name: string | symbol) => {
    const found = Reflect.get(target, name);
    return typeof found === 'function' ? found.bind(target) : found;
  };
  const session = (inner: object) =>
    new Proxy(inner, { get: (target, name) => (name === 'batch' ? counted(member(target, name)) : member(target, name)) });
  const DB = new Proxy(env.DB as object, {
    get: (target, name) =>
      name === 'withSession' ? (...given: unknown[]) => session(member(target, name)(...given)) : member(target, name),
  });
  return { platform: { ...(env as unknown as Platform), DB: DB as Platform['DB'] }, cost };
}
