// The simulated world: one server, desks with a user at each, a schedule that controls every await, and the oracle.
// The oracle shares no code with the engine: it compares the texts on disks and on the server with what users saved.

import { vi } from 'vitest';
import { type Random, randomFrom } from '../support/random';
import { SimulatedDesk, type SimulatedFault } from './desk';
import { Saved, SimulatedPerson } from './people';
import { Schedule } from './schedule';
import { ModelServer } from './server';

/** The promise that is broken. */
export type Broken =
  | 'lost'
  | 'undone'
  | 'asked without need'
  | 'copied without need'
  | 'wrongly complete'
  | 'no rest'
  | 'not complete at rest'
  | 'threw'
  | 'hangs';

export class SceneFailure extends Error {
  override readonly name = 'Failure';
  constructor(
    readonly broken: Broken,
    how: string,
  ) {
    super(how);
  }
}

/** More syncs than any state needs to converge. */
const mostSyncs = 8;

export class SimulatedWorld {
  readonly random: Random;
  readonly schedule = new Schedule();
  readonly saved = new Saved();
  readonly server: ModelServer;
  readonly desks: SimulatedDesk[];
  readonly people: SimulatedPerson[];
  readonly log: string[] = [];
  fault: (desk: string, method: string, path: string) => SimulatedFault | undefined = () => undefined;
  #ticks = 0;

  constructor(desks: readonly string[], seed = 1) {
    this.random = randomFrom(seed);
    // Every reading of the clock adds a bit more than a tenth of a second, so that no time is the beginning of a second.
    const now = () => new Date(1_790_000_000_001 + ++this.#ticks * 137);
    this.server = new ModelServer(this.random, now);
    const around = {
      schedule: this.schedule,
      server: this.server,
      now,
      fault: (desk: string, method: string, path: string) => {
        const fault = this.fault(desk, method, path);
        if (fault) this.log.push(`  ${desk} ${method} ${path} ${fault}`);
        return fault;
      },
    };
    this.desks = desks.map((name) => new SimulatedDesk(name, around));
    this.people = this.desks.map((desk) => new SimulatedPerson(desk, this.saved, now));
  }

  /** Opens gates until no desk runs. `choose` selects the next one; undefined: none is opened any more. */
  async run(choose: (waiting: Schedule['waiting']) => number = () => 0): Promise<void> {
    await this.#quiet(() => this.schedule.settle());
    for (let idle = 0; this.desks.some(({ isRunning }) => isRunning); ) {
      const { waiting } = this.schedule;
      if (waiting.length > 0) {
        idle = 0;
        const nth = choose(waiting);
        const gate = waiting[nth];
        this.log.push(`  ${gate?.desk}: ${gate?.label}`);
        await this.#quiet(() => this.schedule.open(nth));
        this.#follow();
        continue;
      }
      // No call waits at a gate: those that run wait for a timer.
      if (++idle > 20) throw new SceneFailure('hangs', `a sync waits for no gate and no timer: ${process.getActiveResourcesInfo()}`);
      vi.advanceTimersToNextTimer();
      await this.#quiet(() => this.schedule.settle());
    }
    for (const desk of this.desks)
      if (desk.problem !== undefined) throw new SceneFailure('threw', `${desk.name} threw ${String(desk.problem)}`);
  }

  /** Logs where the text of CARREL_FOLLOW is, whenever that changes. */
  #follow(): void {
    const text = process.env.CARREL_FOLLOW;
    if (text === undefined) return;
    const holders = [
      ...(this.server.texts().has(text) ? ['the server'] : []),
      ...this.desks.flatMap((desk) => [...desk.places(text)].map((path) => `${desk.name} ${path}`)),
    ];
    const now = `    “${text}” is in ${holders.join(', ') || 'no place'}`;
    if (now !== this.#followed) this.log.push(now);
    this.#followed = now;
  }
  #followed = '';

  #quiet = (work: () => Promise<void>): Promise<void> =>
    work().catch((problem: unknown) => {
      throw new SceneFailure('hangs', String(problem));
    });

  async sync(desk: SimulatedDesk, isConfirmed = false): Promise<void> {
    this.log.push(`${desk.name} syncs${isConfirmed ? ', confirmed' : ''}`);
    desk.begin({ isConfirmed });
    await this.run();
    const issues = (desk.report?.issues ?? []).map(({ what, where, why }) => ` · ${what} ${where}: ${why}`);
    this.log.push(`${desk.name}: ${desk.report?.outcome}${issues.join('')}`);
  }

  isEqual = (desk: SimulatedDesk): boolean =>
    isSameUpTo(shown(desk), this.server.tree()) &&
    `${desk.folders().map(asThere).sort()}` === `${this.server.folders().map(asThere).sort()}`;

  /** All users stop making changes; the desks sync in turn until nothing changes. */
  async rest(): Promise<void> {
    this.fault = () => undefined;
    for (let nth = 0; ; nth++) {
      const before = this.#state();
      for (const desk of this.desks) await this.#syncToRest(desk);
      if (this.#state() === before && nth > 0) break;
      if (nth === mostSyncs) throw new SceneFailure('no rest', 'the syncs do not converge');
    }
    for (const desk of this.desks) this.#expectComplete(desk);
  }

  async #syncToRest(desk: SimulatedDesk): Promise<void> {
    await this.sync(desk);
    if (desk.report?.outcome === 'paused') await this.#confirm(desk);
    if (desk.report?.outcome === 'complete' && !this.isEqual(desk))
      throw new SceneFailure('wrongly complete', `${desk.name} says complete, and both sides differ`);
  }

  /** The user is asked whether files are to be deleted on the server, and answers yes. Their own folder stays as it is. */
  async #confirm(desk: SimulatedDesk): Promise<void> {
    const here = shown(desk);
    const isAsked = [...this.server.tree().keys()].some((path) => !here.has(path));
    if (!isAsked) throw new SceneFailure('asked without need', `${desk.name} is paused, and has every file of the server`);
    await this.sync(desk, true);
    if (!same(here, shown(desk))) throw new SceneFailure('undone', `${desk.name} has changed the folder of the user who confirmed`);
  }

  #expectComplete(desk: SimulatedDesk): void {
    const { outcome, issues = [] } = desk.report ?? {};
    // A name that some systems refuse stays on the desk and is reported: the sides may differ by that file.
    const isSaid = outcome === 'complete with issues' && issues.every(({ what }) => what === 'send: name');
    if (isSaid) return;
    if (outcome !== 'complete') throw new SceneFailure('not complete at rest', `${desk.name} ends ${outcome}`);
    if (!this.isEqual(desk)) throw new SceneFailure('not complete at rest', `${desk.name} has converged, and both sides differ`);
  }

  #state = (): string => JSON.stringify([[...this.server.tree()].sort(), ...this.desks.map((desk) => [...desk.tree()])]);

  /**
   * Every text that a user saved, and did not deliberately overwrite or delete, still exists.
   * @param isInSight in the folder or on the server now: earlier versions and the recovery store do not count
   */
  expectNothingLost(isInSight = true): void {
    const all = isInSight
      ? [...this.server.tree().values(), ...this.desks.flatMap((desk) => [...desk.tree().values()])]
      : [...this.server.texts(), ...this.desks.flatMap((desk) => [...desk.texts()])];
    const there = new Set(all);
    const lost = [...this.saved.alive.keys()].filter((text) => !there.has(text));
    if (lost.length > 0) throw new SceneFailure('lost', `lost: ${lost.join(' | ')}`);
  }

  describe(): string {
    const lines = (title: string, tree: ReadonlyMap<string, string>) => [title, ...[...tree].map(([path, text]) => `  ${path}: ${text}`)];
    return [...this.log, ...lines('server', this.server.tree()), ...this.desks.flatMap((desk) => lines(desk.name, desk.tree()))].join('\n');
  }

  leave(): void {
    for (const desk of this.desks) desk.leave();
    // Timers of crashed programs keep their whole desk in memory.
    vi.clearAllTimers();
  }
}

/** The files that both sides must agree on: copies of files that were deleted elsewhere are only on this desk. */
export const shown = (desk: SimulatedDesk): Map<string, string> =>
  new Map([...desk.tree()].filter(([path]) => !path.startsWith('Deleted elsewhere')));

/** Names that are equal on some disks get a number on the desk. */
const asThere = (path: string): string => path.replaceAll(/(?: \(\d+( \d+)?\))+(?=\.[^./]*$|\/|$)/g, '');
const listed = (tree: ReadonlyMap<string, string>): string => `${[...tree].map(([path, text]) => `${asThere(path)}: ${text}`).sort()}`;
const isSameUpTo = (one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean => listed(one) === listed(other);

export const same = (one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean =>
  one.size === other.size && [...one].every(([path, text]) => other.get(path) === text);
