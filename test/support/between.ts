// Runs a concurrent change between the reads and the write of a request, or alters what it reads: races between two clients, made deterministic.

import { env } from 'cloudflare:test';

interface Sent {
  readonly statement?: string;
}

interface Answered {
  readonly results: Record<string, unknown>[];
}

type Batch = (statements: readonly Sent[]) => Promise<Answered[]>;

/** Makes a request, and lets `hand` send its first batch with such a statement. Fails when there was no such batch. */
async function withFirst<A>(
  request: () => Promise<A>,
  pattern: RegExp,
  hand: (send: () => Promise<Answered[]>, at: number) => Promise<Answered[]>,
): Promise<A> {
  const prototype = Object.getPrototypeOf(env.DB.withSession('first-primary')) as { batch: Batch };
  const { batch } = prototype;
  prototype.batch = function (statements) {
    const at = statements.findIndex(({ statement = '' }) => pattern.test(statement));
    if (at < 0) return batch.call(this, statements);
    prototype.batch = batch;
    return hand(() => batch.call(this, statements), at);
  };
  try {
    const answer = await request();
    if (prototype.batch !== batch) throw new Error(`no batch with ${pattern} was sent`);
    return answer;
  } finally {
    prototype.batch = batch;
  }
}

/** Makes a request, and runs the work just before its first batch that has such a statement. Returns both results. */
export async function between<A, B>(request: () => Promise<A>, pattern: RegExp, work: () => Promise<B>): Promise<[A, B]> {
  let done: B | undefined;
  const answer = await withFirst(request, pattern, async (send) => {
    done = await work();
    return send();
  });
  return [answer, done as B];
}

/** Makes a request whose first such statement reads other values, as from a replica that lags behind. */
export const misreading = <A>(request: () => Promise<A>, pattern: RegExp, values: Record<string, unknown>): Promise<A> =>
  withFirst(request, pattern, async (send, at) => {
    const answers = await send();
    for (const row of answers[at]?.results ?? []) Object.assign(row, values);
    return answers;
  });
