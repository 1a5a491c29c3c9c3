// A long run: simulated people use the real Worker while the runtime is killed, objects are reset, and deliveries and storage fail.

import type { D1Database } from '@cloudflare/workers-types';
import { differences, mirrorOf, restView } from '../../support/mirror';
import { withBinding } from '../../support/server';
import { unusedPort } from '../../support/unused_port';
import { openHeap, type WorkerHeap } from '../heap';
import type { WorkerModule } from '../runtime';
import { endRuntime, runtimeProcess } from '../runtime_process';
import { startWrapped, type Wrapped } from '../wrapped';
import { type Faults, noFaults } from '../wrapped_worker/faults';
import { wrongObjects, wrongPromises, wrongRows } from './checks';
import { doSomething, newLedger, type SoakLedger, shareItems } from './deeds';
import { type MemorySample, memoryVerdict } from './memory';
import { buildSoakScene, type SoakScene } from './scene';
import { newTally, PatientSender, type RequestTally } from './sender';

export interface SoakOptions {
  readonly persist: string;
  readonly modules: readonly WorkerModule[];
  readonly seconds: number;
  readonly people: number;
  /** People who do something at the same time. */
  readonly atOnce: number;
  readonly kills: number;
  readonly onProgress: (line: string) => void;
}

export interface SoakResult {
  readonly tally: RequestTally;
  readonly wrong: readonly string[];
  readonly kills: number;
  readonly ticks: number;
  readonly faults: Readonly<Record<keyof Faults, number>>;
  readonly signals: number;
  readonly samples: readonly MemorySample[];
  readonly slope: number;
  /** Megabytes of the Worker's heap without garbage, when it was warm and at the end. */
  readonly heaps: readonly number[];
  readonly rows: Readonly<Record<string, number>>;
  readonly followers: number;
  readonly seconds: number;
}

const faults: Faults = { r2: 0.03, queue_before: 0.1, queue_after: 0.1, object: 0.02 };
/** Of the time; from then on the runtime is warm, and not killed. */
const warmShare = 0.6;
const tickEvery = 15_000;
const sampleEvery = 2000;
const catchUpEvery = 3000;
const pause = (ms: number) => new Promise((resume) => setTimeout(resume, ms));

/** The runtime, which is killed and started again on the same state and port. */
class Killable {
  current!: Wrapped;
  kills = 0;
  readonly occurred: Record<keyof Faults, number> = { ...noFaults };
  private isDown: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly options: SoakOptions,
    readonly port: number,
  ) {}

  async start(active: Faults): Promise<void> {
    this.current = await startWrapped(this.options.persist, this.options.modules, { inspectorPort: 0 }, this.port);
    await this.current.setFaults(active);
  }

  private async note(): Promise<void> {
    const so = await this.current.faultsSoFar();
    for (const name of Object.keys(so) as (keyof Faults)[]) this.occurred[name] += so[name];
  }

  /** Megabytes of the Worker's heap, without garbage. */
  async heap(): Promise<number> {
    let heap: WorkerHeap | undefined;
    try {
      heap = await openHeap(await this.current.runtime.getInspectorURL());
      return await heap.used(true);
    } finally {
      heap?.close();
    }
  }

  /** Like a power failure; the requests under way are cut off. */
  async kill(): Promise<void> {
    await this.note();
    this.isDown = (async () => {
      endRuntime();
      await this.current.runtime.dispose().catch(() => {});
      await this.start(faults);
    })();
    this.kills += 1;
    await this.isDown;
  }

  /** A tick may be cut off by a kill, as in production. */
  async tick(at: number): Promise<boolean> {
    await this.isDown;
    return this.current.tick(at).then(
      () => true,
      () => false,
    );
  }

  async end(): Promise<readonly string[]> {
    await this.note();
    const keys = await this.current.keysOf('FILES');
    await this.current.runtime.dispose();
    return keys;
  }
}

/** Repeats until the deadline, and then ends after the current turn. */
async function until(deadline: number, every: number, turn: () => Promise<unknown>): Promise<void> {
  while (Date.now() < deadline) {
    await turn();
    await pause(Math.max(0, Math.min(every, deadline - Date.now())));
  }
}

/** Clients that follow the feed, some in each course. */
function followersOf(scene: SoakScene, sender: PatientSender) {
  const some = scene.courses.slice(0, 8).map(({ course, teacher, students }, nth) => ({
    person: nth % 4 === 0 ? teacher : (students[nth] ?? teacher),
    course,
  }));
  return some.map(({ person, course }) => ({ person, course, client: sender.clientOf(person), mirror: mirrorOf(sender.clientOf(person)) }));
}

/** Follows by sockets, too: they are cut off with the runtime and opened again. */
class Listeners {
  signals = 0;
  private isEnded = false;
  private readonly sockets = new Set<WebSocket>();

  constructor(private readonly port: number) {}

  listen(token: string): void {
    if (this.isEnded) return;
    const socket = new WebSocket(`ws://127.0.0.1:${this.port}/api/sync/v1/live?access_token=${token}`);
    this.sockets.add(socket);
    socket.addEventListener('message', () => (this.signals += 1));
    socket.addEventListener('error', () => {});
    socket.addEventListener('close', () => {
      this.sockets.delete(socket);
      setTimeout(() => this.listen(token), 1000).unref();
    });
  }

  end(): void {
    this.isEnded = true;
    for (const socket of this.sockets) socket.close();
  }
}

async function rowsOf(d1: D1Database): Promise<Record<string, number>> {
  const tables = ['conversation_messages', 'discussion_entries', 'submissions', 'planner_notes', 'enrollments', 'files', 'changes'];
  const counts: Record<string, number> = {};
  for (const table of tables) counts[table] = (await d1.prepare(`select count(*) as n from ${table}`).first<number>('n')) ?? 0;
  return counts;
}

export async function soak(options: SoakOptions): Promise<SoakResult> {
  const { persist, seconds, people, atOnce, onProgress } = options;
  const scene = await buildSoakScene(persist, people);
  const tally = newTally();
  const ledger: SoakLedger = newLedger();
  const runtime = new Killable(options, await unusedPort());
  await runtime.start(noFaults);
  const sender = new PatientSender(`http://127.0.0.1:${runtime.port}`, tally);
  const shared = await shareItems(scene, sender);
  const followers = followersOf(scene, sender);
  const listeners = new Listeners(runtime.port);
  for (const { course, students } of scene.courses)
    for (const one of students.slice(0, course.id % 2 === 0 ? 5 : 3)) listeners.listen(one.token);
  await runtime.current.setFaults(faults);
  onProgress(`${people} people in ${scene.courses.length} courses, ${seconds} s`);

  const started = Date.now();
  const deadline = started + seconds * 1000;
  const samples: MemorySample[] = [];
  const heaps: number[] = [];
  let ticks = 0;
  const lanes = Array.from({ length: atOnce }, () => until(deadline, 0, () => doSomething(scene, shared, sender, ledger)));
  // All kills are in the first half, so that the memory of the second is that of one process.
  const killing = (async () => {
    for (let nth = 1; nth <= options.kills; nth++) {
      await pause(started + ((seconds * 1000) / 2 / options.kills) * nth - Date.now() - 500);
      await runtime.kill();
      onProgress(`killed and started again, ${tally.done} requests so far`);
    }
  })();
  const clock = until(deadline, tickEvery, async () => {
    ticks += 1;
    await runtime.tick(started + ticks * 60_000);
  });
  const watch = until(deadline, sampleEvery, async () => {
    const sample = { seconds: (Date.now() - started) / 1000, megabytes: runtimeProcess().megabytes };
    if (Math.floor(sample.seconds / 60) > Math.floor((samples.at(-1)?.seconds ?? 0) / 60))
      onProgress(`${Math.floor(sample.seconds / 60)} min: ${tally.done} requests, ${Math.round(sample.megabytes)} MB`);
    samples.push(sample);
    if (sample.seconds > seconds * warmShare && heaps.length === 0) heaps.push(await runtime.heap());
  });
  const reading = followers.map(({ mirror }) => until(deadline, catchUpEvery, () => mirror.catchUp().catch(() => {})));
  await Promise.all([...lanes, killing, clock, watch, ...reading]);

  heaps.push(await runtime.heap());

  // What is left to do is done without faults.
  await runtime.current.setFaults(noFaults);
  for (let nth = 0; nth < 3; nth++) {
    ticks += 1;
    await runtime.tick(started + ticks * 60_000);
    await runtime.current.quiet();
  }
  const wrong: string[] = [];
  for (const { person, course, client, mirror } of followers) {
    // A first look at an empty file area creates its folder.
    await restView(client, person, [course]);
    await mirror.catchUp();
    const unlike = differences(mirror.view, await restView(client, person, [course]));
    if (unlike.length > 0) wrong.push(`the feed of user ${person.id} differs from REST: ${unlike.slice(0, 3).join('; ')}`);
  }
  listeners.end();
  const keys = await runtime.end();
  const rows = await withBinding(persist, async (d1) => {
    wrong.push(...(await wrongRows(d1)), ...(await wrongPromises(d1, ledger)), ...(await wrongObjects(d1, keys)));
    return rowsOf(d1);
  });
  for (const [what, count] of tally.refused) wrong.push(`refused ${count} times: ${what}`);
  const warm = samples.filter((sample) => sample.seconds > seconds * warmShare);
  const { slope, wrong: grown } = memoryVerdict(warm, heaps);
  wrong.push(...grown);
  return {
    tally,
    wrong,
    kills: runtime.kills,
    ticks,
    faults: runtime.occurred,
    signals: listeners.signals,
    samples,
    slope,
    heaps,
    rows,
    followers: followers.length,
    seconds: (Date.now() - started) / 1000,
  };
}
