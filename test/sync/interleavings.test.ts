// The engine with every await under control: all pairs of user actions on one desk and on two, at every point and in every order, and
// random lives. The oracle compares the disks and the server. `npm run nightly` runs all of it; here a part runs.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Life, life } from './simulated/lives';
import { simulatedActions } from './simulated/people';
import {
  afterRequests,
  afterRestore,
  deathOnOneDesk,
  everyOrder,
  netUnderRestore,
  netUnderTwoDesks,
  pairOnOneDesk,
  pairOnTwoDesks,
  restoredDesk,
  type SceneOutcome,
} from './simulated/scenes';
import { takeOver } from './simulated/schedule';

let giveBack: () => void;
beforeAll(() => {
  giveBack = takeOver();
});
afterAll(() => giveBack());

/** Run every nth case; 1 runs all. */
const stride = Number(process.env.CARREL_STRIDE ?? 120);
/** The first case: with a stride of 12, the offsets 0 to 11 together run all cases in twelve parts. */
const offset = Number(process.env.CARREL_OFFSET ?? 0);
const seeds = Number(process.env.CARREL_LIVES ?? 25);
const from = Number(process.env.CARREL_SEED ?? 1);
const timeout = 24 * 3_600_000;

/** The runs of one test: how many, and which promises they broke. */
class Tally {
  played = 0;
  readonly #since = process.cpuUsage();
  readonly #broken = new Map<string, { count: number; story: string; titles: Set<string> }>();

  add({ failure, story }: SceneOutcome, title?: string): void {
    this.played++;
    if (!failure) return;
    const before = this.#broken.get(failure.broken) ?? { count: 0, story, titles: new Set() };
    this.#broken.set(failure.broken, { ...before, count: before.count + 1 });
    before.titles.add(title ?? story.split('\n')[0] ?? '');
  }

  /** One story of each kind is more useful than all of them. */
  expectNothingBroken(): void {
    const stories = [...this.#broken].map(
      ([broken, { count, story, titles }]) =>
        `${count} of ${this.played}: ${broken} (${[...titles].slice(0, 40).join('; ')})${process.env.CARREL_STORIES === '0' ? '' : `\n${story}`}`,
    );
    expect(this.played).toBeGreaterThan(0);
    // Printed for a long run.
    const { user, system } = process.cpuUsage(this.#since);
    const each = ((user + system) / 1000 / this.played).toFixed(1);
    if (process.env.CARREL_COUNT) console.log(`${expect.getState().currentTestName}: ${this.played} played, ${each} ms of a core each`);
    if (stories.length > 0) throw new Error(stories.join('\n\n'));
  }
}

const pairs = simulatedActions.flatMap((first) => simulatedActions.map((second) => [first, second] as const));

for (const [title, play] of [
  ['whatever the user does while an earlier action is synced, their folder stays as they left it', pairOnOneDesk],
  ['whenever the program crashes, and whatever is done before it restarts, the folder is as the user left it', deathOnOneDesk],
] as const)
  test(title, { timeout }, async () => {
    const tally = new Tally();
    for (const [nth, [first, second]] of pairs.entries())
      for (let at = (nth * 7 + offset) % stride; at < 500; at += stride) {
        const outcome = await play(first, second, at);
        if (!outcome) break;
        tally.add(outcome, `${first}, ${second}`);
      }
    tally.expectNothingBroken();
  });

test('two desks: one is stopped before its nth request while the other completes a sync, and nothing is lost', {
  timeout,
}, async () => {
  const tally = new Tally();
  let nth = offset;
  for (const [first, second] of pairs)
    for (let requests = 0; requests <= 8; requests++)
      if (nth++ % stride === 0)
        tally.add(await pairOnTwoDesks(first, second, afterRequests('one', requests)), `${first}, ${second} after ${requests}`);
  tally.expectNothingBroken();
});

test('two desks: an edit that meets a deletion, a rename or a move keeps the name, whichever comes first', async () => {
  const tally = new Tally();
  for (const second of ['delete', 'rename', 'case rename', 'move'] as const)
    for (const requests of [0, 2, 3])
      tally.add(await pairOnTwoDesks('edit', second, afterRequests('one', requests)), `edit, ${second} after ${requests}`);
  tally.expectNothingBroken();
});

test('two desks: a rename that meets an edit leaves no copy, in every order of their requests', async () => {
  const tally = new Tally();
  await everyOrder(async (decide) => tally.add(await pairOnTwoDesks('rename', 'edit', decide)));
  tally.expectNothingBroken();
});

test('a restored server loses no name and no text of a user', { timeout }, async () => {
  const tally = new Tally();
  let nth = offset;
  for (const pair of pairs)
    for (const made of afterRestore)
      for (const epoch of ['another epoch', undefined])
        for (const isBetween of [true, false])
          if (nth++ % Math.min(stride, 37) === 0)
            tally.add(await restoredDesk(pair, made, { epoch, isBetween }), `${pair}, ${made}, ${epoch}, ${isBetween}`);
  tally.expectNothingBroken();
});

test('the recovery store alone keeps what a desk overwrites because the server checks nothing', { timeout }, async () => {
  const tally = new Tally();
  const writers = ['edit', 'save', 'append', 'recreate'] as const;
  let nth = offset;
  for (const first of writers)
    for (const second of writers)
      for (let requests = 0; requests <= 8; requests++)
        if (nth++ % Math.min(stride, 5) === 0) tally.add(await netUnderTwoDesks(first, second, afterRequests('one', requests)));
  for (const deed of simulatedActions) tally.add(await netUnderRestore(deed));
  tally.expectNothingBroken();
});

// There are hundreds of orders for each pair: a part of them is all orders of some pairs.
test.runIf(stride <= 12)('two desks: every order of their requests', { timeout }, async () => {
  const tally = new Tally();
  for (const [nth, [first, second]] of pairs.entries())
    if ((nth + offset) % stride === 0)
      await everyOrder(async (decide) => tally.add(await pairOnTwoDesks(first, second, decide), `${first}, ${second}`));
  tally.expectNothingBroken();
});

const lives: Readonly<Record<string, Life>> = {
  'one desk': { desks: ['one'] },
  'one desk with crashes and lost responses': { desks: ['one'], dies: true, loses: true },
  'two desks': { desks: ['one', 'two'] },
  'two desks with crashes and lost responses': { desks: ['one', 'two'], dies: true, loses: true },
  'three desks': { desks: ['one', 'two', 'three'] },
  'a restored server and one desk': { desks: ['one'], restores: true },
  'a restored server and two desks with crashes': { desks: ['one', 'two'], dies: true, loses: true, restores: true },
};

test.each([
  ['one desk with crashes and lost responses', 1437, 'a file was put back that its user had put at the path of another'],
  ['a restored server and one desk', 1685, 'the desk asks before it deletes, and goes on when the user confirms'],
] as const)('a life of %s, seed %d: %s', async (title, seed, _what) => {
  const tally = new Tally();
  tally.add(await life(seed, lives[title] as Life), `${seed}`);
  tally.expectNothingBroken();
});

for (const [title, given] of Object.entries(lives))
  test(`${seeds} lives of ${title}`, { timeout }, async () => {
    const tally = new Tally();
    for (let seed = from; seed < from + seeds; seed++) tally.add(await life(seed, given), `${seed}`);
    tally.expectNothingBroken();
  });
