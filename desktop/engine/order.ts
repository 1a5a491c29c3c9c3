// The order of steps: notes first, then what frees places, then moves along their chains, then downloads, small ones first. Pure.

import { type Key, type Path, parentOf, type Step } from './trees';

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
    ...pulls.sort((a, b) => a.wanted.size - b.wanted.size || (a.path < b.path ? -1 : 1)),
  ];
}

/** A move waits for the one that leaves its target. In a ring one member is parked; its own move follows in the next round. */
function chained(moves: readonly Move[], fold: (path: Path) => Path): Step[] {
  const leaves = new Map(moves.map((move) => [fold(move.from.path), move]));
  const placed = new Map<Key, 'entered' | 'done'>();
  const ordered: Step[] = [];
  // A file that lies where a folder has to be is in the way of everything below it, of itself as well.
  const leaving = ({ key, to }: Move): Move | undefined => {
    for (let path = to; path !== ''; path = parentOf(path)) {
      const move = leaves.get(fold(path));
      if (move && (move.key !== key || path !== to)) return move;
    }
    return undefined;
  };
  const place = (move: Move): void => {
    if (placed.has(move.key)) return;
    placed.set(move.key, 'entered');
    const before = leaving(move);
    // Its own folder has to become the file: it must leave before that can be.
    let isParked = fold(move.from.path).startsWith(`${fold(move.to)}/`);
    if (isParked) ordered.push({ do: 'park', key: move.key, from: move.from, agreed: move.agreed });
    else if (before) {
      if (placed.get(before.key) === 'entered') {
        // `before` waits for this very move: park the one entered last, so that the ring opens here.
        ordered.push({ do: 'park', key: move.key, from: move.from, agreed: move.agreed });
        isParked = true;
      } else place(before);
    }
    if (!isParked) ordered.push(move);
    placed.set(move.key, 'done');
  };
  for (const move of moves) place(move);
  return ordered;
}
