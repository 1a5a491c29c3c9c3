// The runs of the simulated world: pairs of user actions at every point of a sync, and two desks in every order of their requests. Each
// returns the promise that it broke, or nothing.

import type { SimulatedDesk } from './desk';
import type { SimulatedAction, SimulatedPerson } from './people';
import type { Gate } from './schedule';
import { SceneFailure, SimulatedWorld, same } from './world';

export interface SceneOutcome {
  readonly failure?: SceneFailure;
  /** What happened, for debugging. */
  readonly story: string;
}

const file = 'a.txt';
const other = 'x/b.txt';

/** Desks in sync with a server that has a few files. */
async function scene(names: readonly string[]): Promise<SimulatedWorld> {
  const world = new SimulatedWorld(names);
  world.server.file(file, 'a as it was');
  const x = world.server.folder('x');
  world.server.file('b.txt', 'b as it was', x);
  world.server.file('c.txt', 'c as it was', x);
  for (const desk of world.desks) await world.sync(desk);
  return world;
}

export async function played(world: SimulatedWorld, title: string, play: () => Promise<void>): Promise<SceneOutcome> {
  let failure: SceneFailure | undefined;
  try {
    await play();
  } catch (problem) {
    if (!(problem instanceof SceneFailure)) throw new Error(`${title}\n${world.describe()}`, { cause: problem });
    failure = problem;
  }
  const story = failure ? `${title}: ${failure.message}\n${world.describe()}` : title;
  world.leave();
  return { ...(failure && { failure }), story };
}

/** One user, whose folder no one else may change: it must stay as they left it. */
export class Alone {
  #made: ReadonlyMap<string, string>;
  constructor(
    readonly world: SimulatedWorld,
    readonly person: SimulatedPerson,
  ) {
    this.#made = person.desk.tree();
  }
  expectAsLeft(): void {
    if (!same(this.person.desk.tree(), this.#made)) throw new SceneFailure('undone', 'the folder is not as the user left it');
  }
  do(deed: SimulatedAction, at: string, beside: string): string | undefined {
    this.expectAsLeft();
    const now = this.person.do(deed, at, beside);
    this.world.log.push(`the person: ${deed} ${at}`);
    this.#made = this.person.desk.tree();
    return now;
  }
}

export const soleItem = <T>([one]: readonly T[]): T => one as T;

/**
 * One desk: the second action at the nth gate of the sync of the first.
 * @returns undefined if the sync has fewer gates
 */
export async function pairOnOneDesk(first: SimulatedAction, second: SimulatedAction, at: number): Promise<SceneOutcome | undefined> {
  const world = await scene(['one']);
  const desk = soleItem(world.desks);
  const alone = new Alone(world, soleItem(world.people));
  let isTooLate = true;
  const outcome = await played(world, `${first}, then ${second} at gate ${at}`, async () => {
    const now = alone.do(first, file, other);
    let opened = 0;
    desk.begin();
    await world.run(() => {
      if (opened++ === at) {
        isTooLate = false;
        alone.do(second, now ?? file, other);
      }
      return 0;
    });
    await world.rest();
    alone.expectAsLeft();
    world.expectNothingLost();
  });
  return isTooLate && !outcome.failure ? undefined : outcome;
}

/**
 * One desk: the program crashes at the nth point of the sync of the first action, and the second is done before it restarts.
 * @returns undefined if the sync has fewer points
 */
export async function deathOnOneDesk(first: SimulatedAction, second: SimulatedAction, at: number): Promise<SceneOutcome | undefined> {
  const world = await scene(['one']);
  const desk = soleItem(world.desks);
  const alone = new Alone(world, soleItem(world.people));
  let isAlive = false;
  const outcome = await played(world, `${first}, dead at point ${at}, then ${second}`, async () => {
    const now = alone.do(first, file, other);
    desk.begin({ untilDeath: at });
    await world.run();
    isAlive = desk.points <= at;
    desk.restart();
    world.log.push('the program restarts');
    alone.do(second, now ?? file, other);
    await world.rest();
    alone.expectAsLeft();
    world.expectNothingLost();
  });
  return isAlive ? undefined : outcome;
}

/** What other users create on a restored server, under ids that it assigns again. */
export const afterRestore = ['nothing', 'other files', 'files with the same bytes'] as const;

/** Folders are compared from scratch after a restore: their names are not guaranteed. */
const ofFolders: ReadonlySet<SimulatedAction> = new Set(['folder rename', 'folder case rename']);

/**
 * One desk: two actions are synced, then the server is restored to the state before them, or between them. What the user created keeps its
 * name and its text, and what others have created since is downloaded.
 */
export async function restoredDesk(
  [first, second]: readonly [SimulatedAction, SimulatedAction],
  made: (typeof afterRestore)[number],
  { epoch, isBetween }: { readonly epoch?: string | undefined; readonly isBetween: boolean },
): Promise<SceneOutcome> {
  const world = await scene(['one']);
  const desk = soleItem(world.desks);
  const person = soleItem(world.people);
  return played(world, `${first}, ${second}, restored ${isBetween ? 'between' : 'before'} them, ${made}, ${epoch}`, async () => {
    let kept = world.server.copy();
    const now = person.do(first, file, other);
    await world.sync(desk);
    if (isBetween) kept = world.server.copy();
    person.do(second, now ?? file, other);
    await world.sync(desk);
    const before = desk.tree();
    const lost = world.server.since(kept);
    world.server.restore(kept, epoch);
    world.log.push('the server is restored');
    const others =
      made === 'nothing' ? [] : lost.map((one, nth) => (made === 'other files' ? `other ${nth}` : (one?.text ?? `no file ${nth}`)));
    for (const [nth, text] of others.entries()) world.server.file(`web ${nth}.txt`, text);
    await world.rest();
    world.expectNothingLost();
    // A file that was deleted after the restored state exists again, at its old path.
    const isPlaceTaken = first === 'swap' && second === 'delete';
    if (!ofFolders.has(first) && !ofFolders.has(second) && !isPlaceTaken) expectKept(before, desk);
    for (const [nth, text] of others.entries())
      if (desk.tree().get(`web ${nth}.txt`) !== text) throw new SceneFailure('undone', `web ${nth}.txt is not what others created`);
  });
}

function expectKept(before: ReadonlyMap<string, string>, desk: SimulatedDesk): void {
  const now = desk.tree();
  for (const [path, text] of before)
    if (now.get(path) !== text) throw new SceneFailure('undone', `${path} is no longer what the person made`);
  const odd = [...now.keys()].find((path) => path.includes('(your copy') || path.startsWith('Deleted elsewhere'));
  if (odd !== undefined) throw new SceneFailure('copied without need', `${odd}, though only one user made changes`);
}

/**
 * The recovery store alone: a server that checks no condition and keeps no earlier version. Two desks edit one file, and what one of them loses
 * is in its recovery store.
 */
export async function netUnderTwoDesks(first: SimulatedAction, second: SimulatedAction, decide: Decide): Promise<SceneOutcome> {
  const world = await scene(['one', 'two']);
  return played(world, `${first} at one, ${second} at two, on a server that checks nothing`, async () => {
    world.server.isCareless = true;
    const [one, two] = world.people as [SimulatedPerson, SimulatedPerson];
    one.do(first, file, other);
    two.do(second, file, other);
    for (const desk of world.desks) desk.begin();
    await world.run(byRequests(decide));
    for (const desk of [...world.desks, ...world.desks]) await world.sync(desk);
    world.expectNothingLost(false);
  });
}

/**
 * The recovery store alone: a server that is restored, does not notice it, and assigns the uuids of the desk's files to other files. What the
 * desk overwrites or removes is in its recovery store.
 */
export async function netUnderRestore(deed: SimulatedAction): Promise<SceneOutcome> {
  const world = await scene(['one']);
  const desk = soleItem(world.desks);
  return played(world, `${deed}, restored by a server that checks nothing`, async () => {
    const kept = world.server.copy();
    const now = soleItem(world.people).do(deed, file, other);
    soleItem(world.people).do('new file', now ?? file, other);
    await world.sync(desk);
    const lost = world.server.since(kept);
    world.server.isCareless = true;
    world.server.restore(kept);
    for (const [nth, one] of lost.entries()) world.server.file(`web ${nth}.txt`, `other ${nth}`, undefined, one?.uuid);
    // The log has to grow past the cursor.
    for (let nth = 0; nth < 9; nth++) world.server.file(`later ${nth}.txt`, `later ${nth}`);
    for (let nth = 0; nth < 3; nth++) await world.sync(desk);
    world.expectNothingLost(false);
  });
}

/** Actions that save a text under the name of the file. */
const writing: ReadonlySet<SimulatedAction> = new Set(['edit', 'save', 'append', 'recreate']);

const isRequest = ({ label }: Gate): boolean => /^(GET|POST|PUT|DELETE) \S+$/.test(label);

/**
 * Everything except requests continues at once; if every desk waits with a request, `decide` chooses which one is sent.
 * @param decide returns one of the waiting desks
 */
const byRequests =
  (decide: Decide) =>
  (waiting: readonly Gate[]): number => {
    const quick = waiting.findIndex((gate) => !isRequest(gate));
    if (quick >= 0) return quick;
    const desks = [...new Set(waiting.map(({ desk }) => desk))].sort();
    const isRead = (desk: string) => waiting.some((gate) => gate.desk === desk && gate.label.startsWith('GET '));
    const chosen = desks.length > 1 ? decide(desks, isRead) : desks[0];
    return waiting.findIndex(({ desk }) => desk === chosen);
  };

/** Two desks: an action on each, both sync at once, and `decide` orders their requests. */
export async function pairOnTwoDesks(first: SimulatedAction, second: SimulatedAction, decide: Decide): Promise<SceneOutcome> {
  const world = await scene(['one', 'two']);
  const order: string[] = [];
  const outcome = await played(world, `${first} at one, ${second} at two`, async () => {
    const [one, two] = world.people as [SimulatedPerson, SimulatedPerson];
    one.do(first, file, other);
    two.do(second, file, other);
    for (const desk of world.desks) desk.begin();
    await world.run(
      byRequests((desks, isRead) => {
        const chosen = decide(desks, isRead);
        order.push(chosen);
        return chosen;
      }),
    );
    await world.rest();
    world.expectNothingLost();
    // Not only among the copies of deleted files, which are on one desk.
    const there = new Set(world.server.tree().values());
    const missing = [...world.saved.alive.keys()].find((text) => !there.has(text));
    if (missing !== undefined) throw new SceneFailure('undone', `the server has no “${missing}”`);
    if (!(writing.has(first) && writing.has(second))) expectNoCopies(world);
  });
  return { ...outcome, story: `${outcome.story}\norder: ${order.join(' ')}` };
}

/** No other user edited the file: what was saved last keeps its name. */
function expectNoCopies(world: SimulatedWorld): void {
  const copy = [...world.server.tree().keys(), ...world.desks.flatMap((desk) => [...desk.tree().keys()])].find((path) =>
    path.includes('(your copy'),
  );
  if (copy !== undefined) throw new SceneFailure('copied without need', `${copy}, though only one of them edited`);
}

/** One desk continues until its nth request, then the other until it has finished: every order with one change of turns. */
export const afterRequests = (desk: string, requests: number): Decide => {
  let sent = 0;
  return (desks) => (sent++ < requests ? desk : (desks.find((name) => name !== desk) ?? desk));
};

/** The requests that wait, one of each desk: returns the desk whose request is sent. */
export type Decide = (desks: readonly string[], isRead: (desk: string) => boolean) => string;

/**
 * Runs every possible order of two desks: each run follows a list of choices, and records the choices that it had. Orders that differ only in
 * which of two adjacent reads comes first have the same effect, and one of them is run: a read that could have been sent before one of the other
 * desk sleeps until the other desk has written (sleep sets; Godefroid 1996).
 */
export async function everyOrder(play: (decide: Decide) => Promise<void>): Promise<number> {
  let path: number[] = [];
  for (let runs = 1; ; runs++) {
    const taken: { readonly nth: number; readonly of: number }[] = [];
    const sleeping = new Set<string>();
    await play((desks, isRead) => {
      const awake = desks.filter((desk) => !sleeping.has(desk));
      // Every further order has been run already.
      if (awake.length === 0) return desks[0] as string;
      const nth = path[taken.length] ?? 0;
      taken.push({ nth, of: awake.length });
      for (const desk of awake.slice(0, nth)) sleeping.add(desk);
      const chosen = awake[nth] as string;
      for (const desk of desks) if (!(isRead(desk) && isRead(chosen))) sleeping.delete(desk);
      return chosen;
    });
    const last = taken.findLastIndex(({ nth, of }) => nth + 1 < of);
    if (last < 0) return runs;
    path = [...taken.slice(0, last).map(({ nth }) => nth), (taken[last]?.nth ?? 0) + 1];
  }
}
