// Random lives of the simulated world: users act, desks sync and crash, connections fail, the server is restored.

import type { SimulatedDesk } from './desk';
import { type SimulatedAction, simulatedActions } from './people';
import { Alone, played, type SceneOutcome, soleItem } from './scenes';
import type { ModelServer } from './server';
import { SimulatedWorld } from './world';

export interface Life {
  readonly desks: readonly string[];
  readonly dies?: boolean;
  readonly loses?: boolean;
  /** The server is restored to an earlier state, with or without changes since, with the same epoch or another. */
  readonly restores?: boolean;
  /** What users do; by default everything. */
  readonly deeds?: readonly SimulatedAction[];
}

/** A random life. The same seed gives the same life. */
export function life(seed: number, given: Life): Promise<SceneOutcome> {
  const world = new SimulatedWorld(given.desks, seed);
  return played(world, `seed ${seed}`, () => lived(world, seed, given));
}

const turns = 5;
/** The turn before whose syncs the server is restored. */
const restoredIn = 3;

async function lived(world: SimulatedWorld, seed: number, { desks, dies, loses, restores = false, ...given }: Life): Promise<void> {
  const { random, server } = world;
  const folder = server.folder('x');
  for (let nth = 0; nth < 3; nth++) server.file(`${nth}.txt`, `${nth} as it was`, random.chance(0.5) ? folder : undefined);
  for (const desk of world.desks) await world.sync(desk);
  const alone = desks.length === 1 && !restores ? new Alone(world, soleItem(world.people)) : undefined;
  const act = () => actAtRandom(world, given.deeds ?? simulatedActions, alone);
  if (loses) world.fault = () => (random.chance(0.06) ? random.pick(['unsent', 'unanswered', 'twice'] as const) : undefined);
  const backups = restores ? new Backups(world) : undefined;
  for (let turn = 0; turn < turns; turn++) {
    for (let nth = random.below(3); nth > 0; nth--) act();
    backups?.keepSometimes();
    if (turn === restoredIn) backups?.restore(`epoch ${seed} ${turn}`);
    await syncSome(world, dies ?? false, act);
  }
  await world.rest();
  alone?.expectAsLeft();
  world.expectNothingLost(!restores);
}

/** Most desks sync at once, while users continue to make changes. Some of them may crash, and are restarted. */
async function syncSome(world: SimulatedWorld, dies: boolean, act: () => void): Promise<void> {
  const { random, desks } = world;
  for (const desk of desks) if (random.chance(0.8)) begin(world, desk, dies && random.chance(0.3) ? random.below(60) : undefined);
  await world.run((waiting) => {
    if (random.chance(0.05)) act();
    return random.below(waiting.length);
  });
  for (const desk of desks) if (desk.isDead) desk.restart();
}

/** A random user does something with a random file. */
function actAtRandom({ random, people, log }: SimulatedWorld, some: readonly SimulatedAction[], alone: Alone | undefined): void {
  const person = random.pick(people);
  const paths = person.files();
  const path = paths.length > 0 ? random.pick(paths) : 'n.txt';
  const deed = random.pick(some);
  const beside = paths.length > 0 ? random.pick(paths) : 'm.txt';
  if (alone) alone.do(deed, path, beside);
  else {
    person.do(deed, path, beside);
    log.push(`${person.desk.name}: ${deed} ${path}${deed === 'swap' ? ` ${beside}` : ''}`);
  }
}

/** The server is restored to a state that it had before, and may change afterwards. */
class Backups {
  #kept: ReturnType<ModelServer['copy']>;
  #elsewhere = 0;

  constructor(private readonly world: SimulatedWorld) {
    this.#kept = world.server.copy();
  }
  keepSometimes(): void {
    if (this.world.random.chance(0.3)) this.#kept = this.world.server.copy();
  }
  /** @param epoch of the restored server, which sometimes keeps its own */
  restore(epoch: string): void {
    const { server, random, log } = this.world;
    server.restore(this.#kept, random.chance(0.5) ? epoch : undefined);
    log.push('the server is restored');
    for (let nth = random.below(4); nth > 0; nth--) server.file(`web ${this.#elsewhere}.txt`, `from elsewhere ${this.#elsewhere++}`);
  }
}

function begin({ log }: SimulatedWorld, desk: SimulatedDesk, untilDeath: number | undefined): void {
  log.push(`${desk.name} syncs${untilDeath === undefined ? '' : `, and crashes at point ${untilDeath}`}`);
  desk.begin({ untilDeath });
}
