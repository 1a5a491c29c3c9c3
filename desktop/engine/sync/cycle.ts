// One cycle on the folder: observe, plan, check the mass-change guard, perform, note; repeated until no steps are left.

import type { HeldBack } from '../../contract/state';
import type { Fitting, TooFull } from '../disk/free_space';
import { isInMyFiles, isNowhere, isParked, isRemoved, isYourCopy, removed } from '../model/names';
import { inSlices } from '../model/pauses';
import { type Disk, type Ledger, Refused, type Source, type Stamp } from '../model/ports';
import { fold, type Hash, type Key, type Path, type Step, type Trees } from '../model/trees';
import type { Note } from '../planner/commit';
import { isTooMuch, type MassRemovalLimit, takenAway, usualRemovalLimit } from '../planner/mass_removal_limit';
import { order } from '../planner/order';
import { planning } from '../planner/plan';
import { batchPlacements } from './gather';
import { type Observation, observe } from './observe';
import { type Focus, partialScan } from './partial_scan';
import { agreedOn, type Performing, type Pull, putFile, settleStep, stage } from './perform';

export interface Cycle {
  readonly disk: Disk;
  readonly ledger: Ledger;
  readonly source: Source;
  readonly today: () => string;
  /** Parallel downloads. */
  readonly lanes: number;
  /** Folder depth of a course. */
  readonly depth?: number;
  readonly brake?: MassRemovalLimit;
  /** The user has confirmed this mass change. */
  readonly isConfirmed?: boolean;
  readonly onUnreadable?: (folders: readonly Path[]) => void;
  /** Downloads that have to wait. */
  readonly holds?: (step: Pull) => boolean;
  /** Which downloads fit on the disk. Asked after all other steps. */
  readonly admit?: (pulls: readonly Pull[]) => Promise<Fitting<Pull>>;
  readonly onPlan?: (pulls: readonly Pull[]) => void;
  readonly onPulling?: (step: Pull) => void;
  readonly onPulled?: (step: Pull, isCopy: boolean) => void;
  readonly onFailed?: (step: Step, problem: unknown) => void;
  /** Nothing else has changed since the folder was last in line, so only this is scanned. */
  readonly focus?: Focus;
  /** A problem after which no further step makes sense: signed out, or offline. */
  readonly isFatal?: (problem: unknown) => boolean;
}

export type CycleEnding =
  | {
      readonly kind: 'settled';
      readonly failed: ReadonlySet<Key>;
      readonly held: readonly Pull[];
      readonly last?: Observation;
      readonly isWhole: boolean;
      /** What did not fit on the disk; it counts as failed. */
      readonly noRoom?: TooFull | undefined;
    }
  | { readonly kind: 'paused'; readonly heldBack: HeldBack };

/** Rings, replaced ids and moves with changed bytes need two or three; more only if the user works at the same time. */
const mostRounds = 12;
/** Downloads that are not in place yet. */
const mostUnplaced = 64;
/** Notes in one transaction. */
const mostNotes = 500;

export async function runCycle(cycle: Cycle): Promise<CycleEnding> {
  const failed = new Set<Key>();
  let held: readonly Pull[] = [];
  let noRoom: TooFull | undefined;
  const unfit = (problem: TooFull): void => {
    noRoom ??= problem;
  };
  let { focus } = cycle;
  const rules = {
    fold,
    removed: (path: Path) => removed(path, cycle.depth),
    isRemoved,
    isOwn: isInMyFiles,
    isParked,
    isYourCopy,
    isNowhere,
  };
  for (let round = 0; round < mostRounds; round++) {
    focus = widened(focus, cycle.ledger.takeTouched?.());
    const glanced = focus && (await partialScan(focus, cycle.disk, cycle.ledger, cycle.source));
    // If a partial scan does not settle it, everything is scanned.
    if (!glanced) focus = undefined;
    const observation = glanced ?? (await observe(cycle.disk, cycle.ledger, cycle.source));
    remember(observation, cycle.ledger);
    const planned = (await inSlices(planning(observation.trees, rules))).filter((step) => !failed.has(step.key));
    const isHeld = (step: Step): step is Pull => step.do === 'pull' && (cycle.holds?.(step) ?? false);
    held = planned.filter(isHeld);
    const steps = order(
      planned.filter((step) => !isHeld(step)),
      fold,
    );
    if (round === 0 && observation.unreadable.length > 0) cycle.onUnreadable?.(observation.unreadable);
    if (steps.length === 0) return { kind: 'settled', failed, held, last: observation, isWhole: !glanced, noRoom };
    const heldBack = takenAway(steps, cycle.ledger.rows().size);
    if (!cycle.isConfirmed && isTooMuch(heldBack, cycle.brake ?? usualRemovalLimit)) return { kind: 'paused', heldBack };
    const refused = await perform(steps, observation, { ...cycle, unfit }, failed);
    if (refused.size > 0) focus = undefined;
    if (round < mostRounds - 1) continue;
    for (const [step, problem] of refused) {
      failed.add(step.key);
      cycle.onFailed?.(step, problem);
    }
  }
  return { kind: 'settled', failed, held, isWhole: focus === undefined, noRoom };
}

/** Files with a changed stamp were hashed; storing the result saves the next hash. */
function remember({ relooked, trees }: Observation, ledger: Ledger): void {
  if (relooked.size === 0) return;
  ledger.note(
    [...relooked].flatMap(([key, seen]) => {
      const agreed = trees.base.get(key);
      // The agreed path stays: only the planner accepts a move.
      return agreed ? [{ put: key, agreed, seen }] : [];
    }),
  );
}

const widened = (focus: Focus | undefined, touched: ReadonlySet<Key> | undefined): Focus | undefined =>
  focus && touched && { ...focus, keys: new Set([...focus.keys, ...touched]) };

const twinsOf = ({ local }: Trees): ReadonlyMap<Hash, Path> =>
  new Map([...local.values()].flatMap((found): [Hash, Path][] => (found === 'unseen' ? [] : [[found.hash, found.path]])));

type Attempt = (step: Step, effect: () => Promise<void>) => Promise<void>;

async function perform(
  steps: readonly Step[],
  { trees, stamps }: Observation,
  cycle: Cycle & { readonly unfit: (problem: TooFull) => void },
  failed: Set<Key>,
): Promise<Map<Step, Refused>> {
  const { disk, ledger, source } = cycle;
  // The bytes of a new file may already be on disk under another name.
  const twins = cycle.focus && ledger.twin ? { get: (hash: Hash) => ledger.twin?.(hash) } : twinsOf(trees);
  const gathered = batchPlacements(disk, ledger);
  const world: Performing = { disk, ledger, source, stamps, twins, today: cycle.today(), place: gathered.place };
  const refused = new Map<Step, Refused>();
  const attempt: Attempt = async (step, effect) => {
    try {
      await effect();
    } catch (problem) {
      if (cycle.isFatal?.(problem)) throw problem;
      // A refusal is not a failure: the disk changed, and the next round plans from the new state.
      if (problem instanceof Refused) return void refused.set(step, problem);
      failed.add(step.key);
      cycle.onFailed?.(step, problem);
    }
  };

  const agreeing = steps.filter((step) => step.do === 'agree');
  // Many files may already be in place: one transaction for each would take longer than reading them.
  for (let at = 0; at < agreeing.length; at += mostNotes) {
    const notes: Note<Stamp>[] = [];
    for (const step of agreeing.slice(at, at + mostNotes)) await attempt(step, async () => void notes.push(...agreedOn(step, world)));
    ledger.note(notes);
  }
  for (const step of steps) if (step.do !== 'pull' && step.do !== 'agree') await attempt(step, () => settleStep(step, world));
  const wanted = steps.filter((step) => step.do === 'pull');
  const { fitting: pulls, problem } = (wanted.length > 0 && (await cycle.admit?.(wanted))) || { fitting: wanted };
  if (problem) {
    cycle.unfit(problem);
    const fits = new Set(pulls);
    for (const step of wanted) if (!fits.has(step)) failed.add(step.key);
  }
  if (pulls.length > 0) cycle.onPlan?.(pulls);
  await pullInLanes(pulls, { cycle, world, attempt, hurry: gathered.hurry });
  return refused;
}

interface Pulling {
  readonly cycle: Cycle;
  readonly world: Performing;
  readonly attempt: Attempt;
  /** No more files are being downloaded. */
  readonly hurry: () => void;
}

async function pullInLanes(pulls: readonly Pull[], { cycle, world, attempt, hurry }: Pulling): Promise<void> {
  const waiting = pulls[Symbol.iterator]();
  const placing = new Set<Promise<void>>();
  let isStopped = false;
  const place = (step: Pull, { staged, isCopy }: Awaited<ReturnType<typeof stage>>): void => {
    const placed = attempt(step, async () => {
      await putFile(step, staged, world);
      cycle.onPulled?.(step, isCopy);
    }).finally(() => placing.delete(placed));
    placing.add(placed);
    placed.catch(() => {
      isStopped = true;
    });
  };
  const lane = async (): Promise<void> => {
    for (const step of waiting) {
      if (isStopped) return;
      await attempt(step, async () => {
        cycle.onPulling?.(step);
        place(step, await stage(step, world));
      });
      // Making files durable is cheapest for many at once, so the next download does not wait for it; but their number is limited.
      if (placing.size >= mostUnplaced) await Promise.race(placing);
    }
  };
  const lanes = Array.from({ length: cycle.lanes }, () =>
    lane().catch((problem: unknown) => {
      isStopped = true;
      throw problem;
    }),
  );
  // Wait for all, so that nothing of this cycle still runs when it has ended.
  const lanesEnded = await Promise.allSettled(lanes);
  hurry();
  const endings = [...lanesEnded, ...(await Promise.allSettled(placing))];
  for (const ending of endings) if (ending.status === 'rejected') throw ending.reason;
}
