// A Worker whose bindings, objects and invocations are counted, and can fail. `built.ts` writes the entry that applies it to Carrel.

import type { Job, Platform } from '../../../worker/platform';
import { countedBindings, queueUnits } from './bindings';
import { counts, tracked, work } from './counts';
import { type Faults, faults, occurred, strikes } from './faults';

type Handlers = Required<Pick<ExportedHandler<Platform, Job>, 'fetch' | 'queue' | 'scheduled'>>;

const countedContext = (context: ExecutionContext): ExecutionContext =>
  ({
    waitUntil: (later: Promise<unknown>) => context.waitUntil(tracked(later)),
    passThroughOnException: () => context.passThroughOnException(),
    props: {},
  }) as unknown as ExecutionContext;

function countLogLines(): void {
  for (const level of ['log', 'info', 'warn', 'error', 'debug'] as const) {
    const write = console[level].bind(console);
    console[level] = (...given: unknown[]) => {
      counts.log_lines += 1;
      write(...given);
    };
  }
}

/** The addresses of the bench itself are outside of what is counted. */
async function ofBench(request: Request, env: Platform, carrel: Handlers, context: ExecutionContext): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  if (pathname === '/bench/faults') {
    if (request.method === 'POST') Object.assign(faults, await request.json<Faults>());
    return Response.json(occurred);
  }
  if (pathname === '/bench/tick') {
    counts.ticks += 1;
    const scheduledTime = Number(searchParams.get('at') ?? Date.now());
    await carrel.scheduled({ scheduledTime, cron: '* * * * *', noRetry() {} }, countedBindings(env, 'worker'), countedContext(context));
    return Response.json({});
  }
  return Response.json({ counts, pending: work.pending, d1_bytes: work.d1_bytes });
}

/** Operations of a batch that is delivered: each message is read, and deleted once it succeeded. */
async function deliver(batch: MessageBatch<Job>, env: Platform, carrel: Handlers, context: ExecutionContext): Promise<void> {
  counts.queue_deliveries += 1;
  const units = batch.messages.reduce((sum, { body }) => sum + queueUnits(body), 0);
  counts.queue_operations += units;
  if (strikes('queue_before')) throw new Error('the delivery failed before its work');
  await carrel.queue(batch, countedBindings(env, 'worker'), countedContext(context));
  if (strikes('queue_after')) throw new Error('the delivery failed after its work');
  counts.queue_operations += units;
}

export function countedWorker(carrel: Handlers): Handlers {
  countLogLines();
  return {
    async fetch(request, env, context) {
      if (new URL(request.url).pathname.startsWith('/bench/')) return ofBench(request, env, carrel, context);
      counts.requests += 1;
      return tracked(Promise.resolve(carrel.fetch(request, countedBindings(env, 'worker'), countedContext(context))));
    },
    async queue(batch, env, context) {
      try {
        await tracked(deliver(batch, env, carrel, context));
      } finally {
        // A message that is delivered again is not waited for: its next delivery may be in an hour.
        work.pending -= batch.messages.filter(({ attempts }) => attempts === 1).length;
      }
    },
    scheduled: (event, env, context) => carrel.scheduled(event, countedBindings(env, 'worker'), countedContext(context)),
  };
}
