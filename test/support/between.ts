// Puts something between what a request reads and what it then writes: the interleavings that two clients meet by chance.

import { env } from 'cloudflare:test';

interface Sent {
  readonly statement?: string;
}

/**
 * Makes a request, and does the work just before its first batch with such a statement is sent.
 * @returns the answers of both; fails where no such batch was sent
 */
export async function between<A, B>(request: () => Promise<A>, pattern: RegExp, work: () => Promise<B>): Promise<[A, B]> {
  const prototype = Object.getPrototypeOf(env.DB.withSession('first-primary')) as { batch(statements: readonly Sent[]): Promise<unknown> };
  const { batch } = prototype;
  let done: B | undefined;
  prototype.batch = async function (statements) {
    if (statements.some(({ statement = '' }) => pattern.test(statement))) {
      prototype.batch = batch;
      done = await work();
    }
    return batch.call(this, statements);
  };
  try {
    const answer = await request();
    if (done === undefined) throw new Error(`no batch with ${pattern} was sent`);
    return [answer, done];
  } finally {
    prototype.batch = batch;
  }
}
