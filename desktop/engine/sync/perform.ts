// Carries out one step through the ports. Every effect is given the stamp the planner saw and refuses anything else.

import { nowhere, parked, removedFolder, yourCopy } from '../model/names';
import type { Disk, Expected, Ledger, Placement, SeenFile, Source, StagedFile, Stamp } from '../model/ports';
import { Blocked, Refused } from '../model/ports';
import { fold, type InTheWay, lastOf, type Path, parentOf, type Step } from '../model/trees';
import { after, type Note, notesBefore } from '../planner/commit';

export interface Performing {
  readonly disk: Disk;
  readonly ledger: Ledger;
  readonly source: Source;
  readonly stamps: ReadonlyMap<Path, Expected>;
  /** The date in the name of the user's version, `YYYY-MM-DD`. */
  readonly today: string;
  /** Local files by their bytes: a copy is cheaper than a download. */
  readonly twins: Pick<ReadonlyMap<string, Path>, 'get'>;
  /** Places a staged file; several are placed together and noted in one transaction. */
  readonly place: (placement: Placement, notes: (stamp: Stamp) => readonly Note<Stamp>[]) => Promise<Stamp>;
}

export type Pull = Extract<Step, { do: 'pull' }>;

type Agreeing = Extract<Step, { do: 'agree' }>;

/** Both sides are equal, so this is only noted. */
export const agreedOn = (step: Agreeing, world: Performing): readonly Note<Stamp>[] =>
  after(step, seen(step.seen, stampAt(step.seen.path, world)));

/** Everything but downloads: quick, and in the planner's order. */
export async function settleStep(step: Exclude<Step, Pull | Agreeing>, world: Performing): Promise<void> {
  const { disk, ledger } = world;
  switch (step.do) {
    case 'inherit': {
      const row = ledger.rows().get(step.from);
      return ledger.note(after(step, row?.seen));
    }
    case 'forget':
      return ledger.note(after(step));
    case 'discard':
      ledger.note(notesBefore(step, { from: step.from.path, to: nowhere }));
      await disk.remove(step.from.path, stampAt(step.from.path, world));
      return ledger.note(after(step));
    case 'withdraw': {
      if (step.isAsItCame && (await disk.trash?.(step.from.path, stampAt(step.from.path, world)))) return ledger.note(after(step));
      let to = step.to;
      const stamp = await moveBeside(step.from.path, stampAt(step.from.path, world), disk, (nth) => {
        to = removedAgain(step.to, nth);
        ledger.note(notesBefore(step, { from: step.from.path, to }));
        return to;
      });
      return ledger.note(after(step, { path: to, hash: step.from.hash, stamp }));
    }
    case 'park':
    case 'move': {
      const to = step.do === 'park' ? parked(step.key) : step.to;
      ledger.note(notesBefore(step, { from: step.from.path, to }));
      if (step.do === 'move') await clear(step.aside, world);
      const stamp = await disk.move(step.from.path, stampAt(step.from.path, world), to);
      return ledger.note(after(step, { path: to, hash: step.from.hash, stamp }));
    }
  }
}

/** A download, a copy of equal bytes, or a page written from the cache: staged and verified before it becomes visible. */
export async function stage(step: Pull, world: Performing): Promise<{ readonly staged: StagedFile; readonly isCopy: boolean }> {
  // Checked before the download, which would otherwise be repeated with every sync.
  const obstacle = world.disk.obstacle?.(step.path);
  if (obstacle !== undefined) throw new Blocked(obstacle);
  const twin = step.wanted.generated ? undefined : world.twins.get(step.wanted.hash);
  const copied = twin === undefined ? undefined : await world.disk.copy(twin, step.wanted.hash, step.wanted);
  return { staged: copied ?? (await world.source.stage(step.key, step.wanted)), isCopy: copied !== undefined };
}

/** Puts a staged file in its place, together with others that are ready. */
export async function putFile(step: Pull, staged: StagedFile, world: Performing): Promise<void> {
  const hash = world.source.hashOf?.(step.key, step.wanted) ?? step.wanted.hash;
  // Only the download shows that the bytes are already there, if the server reports no hashes.
  const isOwn = ({ key }: InTheWay) => key === undefined || key === step.key;
  const equal = step.aside.find((there) => isOwn(there) && there.path === step.path && there.hash === hash);
  if (equal)
    return world.ledger.note(after({ ...step, wanted: { ...step.wanted, hash } }, { ...equal, stamp: stampAt(equal.path, world) }));
  if (step.aside.some(({ key }) => key !== undefined)) world.ledger.note(notesBefore(step));
  await clear(step.aside, world);
  const over = step.over && stampAt(step.over.path, world);
  const pulled = { ...step, wanted: { ...step.wanted, hash } };
  await world.place({ staged, path: step.path, over }, (stamp) => after(pulled, { path: step.path, hash, stamp }));
}

/** Moves files that are in the way to visible names of their own. */
async function clear(aside: readonly InTheWay[], world: Performing): Promise<void> {
  if (aside.length === 0) return;
  const taken = namesHere(world);
  for (const { path, below } of aside) {
    const named = below ?? path;
    const beside = (nth: number): Path => join(parentOf(named), yourCopy(lastOf(named), world.today, nth)) + path.slice(named.length);
    const isFree = (nth: number) => !taken.has(fold(beside(nth)));
    await moveBeside(path, stampAt(path, world), world.disk, beside, isFree);
  }
}

/** Without regard to letter case: two names that differ in it alone cannot both be on the server. */
const namesHere = ({ stamps, ledger }: Performing): ReadonlySet<string> =>
  new Set([...stamps.keys(), ...[...ledger.rows().values()].map(({ seen }) => seen.path)].map(fold));

/** Moves to the first free name. */
async function moveBeside(
  from: Path,
  stamp: Expected,
  disk: Disk,
  to: (nth: number) => Path,
  isFree: (nth: number) => boolean = () => true,
): Promise<Stamp> {
  for (let nth = 1; ; nth++) {
    if (nth < 99 && !isFree(nth)) continue;
    try {
      return await disk.move(from, stamp, to(nth));
    } catch (problem) {
      if (!(problem instanceof Refused && problem.why === 'taken') || nth === 99) throw problem;
    }
  }
}

function stampAt(path: Path, { stamps }: Performing): Expected {
  const stamp = stamps.get(path);
  if (!stamp) throw new Refused('changed', path);
  return stamp;
}

const seen = ({ path, hash }: { path: Path; hash: string }, stamp: Stamp): SeenFile => ({ path, hash, stamp });
const join = (folder: Path, name: string): Path => (folder === '' ? name : `${folder}/${name}`);
const again = (path: Path, nth: number): Path => join(parentOf(path), lastOf(path).replace(/(\.[^. ]{1,16})?$/, ` ${nth}$1`));

/** If an earlier removed file has the name of a folder that is wanted now, later ones are placed without folders. */
function removedAgain(path: Path, nth: number): Path {
  if (nth === 1) return path;
  const names = path.split('/');
  const flat = join(names.slice(0, names.indexOf(removedFolder) + 1).join('/'), lastOf(path));
  return again(nth < 5 ? path : flat, nth);
}
