// The order of steps: notes first, then what frees paths, then moves along their chains, then downloads, small ones first. Pure.

import type { Key, Path, Step, Wanted } from '../model/trees';

type Move = Extract<Step, { do: 'move' }>;

export function order(steps: readonly Step[], fold: (path: Path) => Path): Step[] {
  const notes = steps.filter((step) => step.do === 'agree' || step.do === 'forget' || step.do === 'inherit');
  const leaving = steps.filter((step) => step.do === 'withdraw' || step.do === 'discard' || step.do === 'park');
  const moves = steps.filter((step) => step.do === 'move');
  const pulls = steps.filter((step) => step.do === 'pull');
  return [
    ...notes,
    ...leaving,
    ...chained(moves, fold),
    ...pulls.sort((a, b) => magnitude(a.wanted) - magnitude(b.wanted) || (a.path < b.path ? -1 : 1)),
  ];
}

/** Files whose sizes differ by less than a factor of four are ordered by folder, so that each folder is made durable once. */
const magnitude = ({ size }: Wanted): number => Math.floor(Math.log2(size + 1) / 2);

/**
 * A move waits for the moves that free its target: of the file at the target, of a file whose path has to become its folder, and
 * of files in a folder that has to become the file. One move of a ring goes to the parking folder; its second part follows in the
 * next round.
 */
function chained(moves: readonly Move[], fold: (path: Path) => Path): Step[] {
  const leaves = new Map(moves.map((move) => [fold(move.from.path), move]));
  const leavesBelow = new Map<Path, Move[]>();
  for (const move of moves) {
    for (const folder of foldersOf(fold(move.from.path))) leavesBelow.set(folder, [...(leavesBelow.get(folder) ?? []), move]);
  }
  const waitsFor = ({ key, to }: Move): Move[] => {
    const target = fold(to);
    const inPlace = [target, ...foldersOf(target)].flatMap((path) => leaves.get(path) ?? []);
    // If only letter case or Unicode normalisation changes, the file does not block itself.
    return [...inPlace.filter((move) => move.key !== key || fold(move.from.path) !== target), ...(leavesBelow.get(target) ?? [])];
  };

  const placed = new Map<Key, 'entered' | 'done'>();
  const ordered: Step[] = [];
  const place = (move: Move): void => {
    placed.set(move.key, 'entered');
    let isRing = false;
    for (const before of waitsFor(move)) {
      if (!placed.has(before.key)) place(before);
      else if (placed.get(before.key) === 'entered') isRing = true;
    }
    ordered.push(isRing ? { do: 'park', key: move.key, from: move.from, agreed: move.agreed } : move);
    placed.set(move.key, 'done');
  };
  for (const move of moves) if (!placed.has(move.key)) place(move);
  return ordered;
}

/** `a/b/c` → `a`, `a/b` */
function foldersOf(path: Path): Path[] {
  const names = path.split('/');
  return names.slice(1).map((_, at) => names.slice(0, at + 1).join('/'));
}
