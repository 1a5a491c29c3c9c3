// The replay of a day: each action by itself, with all work that it causes, at the pace of one isolate.

import { runtimeProcess } from '../runtime_process';
import type { Wrapped } from '../wrapped';
import type { ActionName, actionsOf } from './actions';
import { school } from './day';
import { type Measured, noUsage, scaled, type Usage, usageOf, usageSum } from './usage';

const usually = 8;
const mostEvenings = 8;

const isAlike = (a: Usage, b: Usage): boolean =>
  (['d1_rows_written', 'queue_operations', 'object_requests'] as const).every((unit) => Math.abs(a[unit] - b[unit]) <= 4);

const pause = (ms: number) => new Promise((resume) => setTimeout(resume, ms));

/** Sockets of students, and how many messages they have received. */
export class Sockets {
  received = 0;
  private readonly open = new Set<WebSocket>();

  constructor(private readonly url: URL) {}

  async add(token: string): Promise<void> {
    const address = new URL(`/api/sync/v1/live?access_token=${token}`, this.url);
    address.protocol = 'ws:';
    const socket = new WebSocket(address.href);
    socket.addEventListener('message', () => (this.received += 1));
    await new Promise((settle, fail) => {
      socket.addEventListener('open', settle, { once: true });
      socket.addEventListener('error', fail, { once: true });
    });
    this.open.add(socket);
  }

  close(): void {
    for (const socket of this.open) socket.close();
  }
}

export interface Replay {
  readonly each: ReadonlyMap<ActionName, Usage>;
  /** Of an evening in which nothing has happened, with the chores of the hour and of the day. They are not part of the actions. */
  readonly chores: Usage;
  /** Milliseconds of the processor per second in which nothing happens; they are not part of the figures. */
  readonly idle: number;
  readonly seconds: number;
}

export async function replay(wrapped: Wrapped, sockets: Sockets, actions: ReturnType<typeof actionsOf>): Promise<Replay> {
  const started = performance.now();
  const measuredNow = async (idle: number): Promise<Measured> => {
    const { counts, d1_bytes } = await wrapped.settled();
    const ms = performance.now() - started;
    return { counts, d1_bytes, cpu_ms: runtimeProcess().seconds * 1000 - (ms / 1000) * idle, signals: sockets.received };
  };
  await measuredNow(0);
  const [before, at] = [runtimeProcess().seconds, performance.now()];
  await pause(5000);
  const idle = ((runtimeProcess().seconds - before) * 1_000_000) / (performance.now() - at);

  const each = new Map<ActionName, Usage>();
  let days = 0;
  let chores = noUsage;
  /** The ticks of an evening, in which notifications of the day are sent, too. */
  const evening = async () => {
    days += 1;
    for (const minute of [0, 1]) await wrapped.tickAndSettle(new Date().setUTCHours(24 * days + 23, 50 + minute, 0, 0));
  };
  const eveningAlone = async (): Promise<Usage> => {
    const start = await measuredNow(idle);
    await evening();
    return usageOf(start, await measuredNow(idle), 1);
  };
  /** What the chores of an evening cost when nothing has happened: the cheaper of two that agree, because the first still finds work. */
  const quietEvening = async (): Promise<Usage> => {
    let before = await eveningAlone();
    for (let nth = 0; nth < mostEvenings; nth++) {
      const next = await eveningAlone();
      if (isAlike(before, next)) return next.d1_rows_written < before.d1_rows_written ? next : before;
      before = next;
    }
    throw new Error(`of ${mostEvenings} evenings in which nothing happened, no two in a row cost the same`);
  };
  for (const [name, { prepare, run, times = usually, notifies, isUnpaced }] of actions) {
    console.error(`  ${name} …`);
    await prepare?.();
    // Once before: what is compiled, counted per route or created at the first use is not part of each time.
    if (!isUnpaced) await run(times);
    const quiet = notifies ? await quietEvening() : noUsage;
    const start = await measuredNow(idle);
    for (let nth = 0; nth < times; nth++) {
      const next = performance.now() + (isUnpaced ? 0 : 1000 / school.requestsPerIsolate);
      await run(nth);
      await pause(Math.max(0, next - performance.now()));
    }
    if (notifies) await evening();
    const used = usageOf(start, await measuredNow(idle), times);
    if (notifies) chores = quiet;
    each.set(name, usageSum([used, scaled(quiet, -1 / times)]));
  }
  return { each, chores, idle, seconds: (performance.now() - started) / 1000 };
}
