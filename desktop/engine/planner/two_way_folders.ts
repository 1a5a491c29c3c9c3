// The folders of a place that is synced both ways: the path of each, and the steps that make both sides agree. Pure.
//
// A folder is identified by its id on the server and its inode here, so that a rename or move is applied as a whole, on either side. It is
// deleted only if both sides had agreed on it, everything could be scanned, and it is empty.

import { fold, lastOf, type Path, parentOf } from '../model/trees';

/** The state that both sides last had. */
export interface AgreedFolder {
  readonly path: Path;
  readonly inode: string;
}

export interface FolderSides {
  /** Folders of the server by id, with their local paths. */
  readonly there: ReadonlyMap<number, Path>;
  readonly agreed: ReadonlyMap<number, AgreedFolder>;
  /** Inodes by path. */
  readonly here: ReadonlyMap<Path, string>;
}

export interface FolderMove {
  readonly id: number;
  readonly from: Path;
  readonly to: Path;
}

interface FolderAt {
  readonly id: number;
  readonly path: Path;
}

export interface FolderRules {
  readonly fold: (path: Path) => Path;
  readonly isPlain: (path: Path) => boolean;
  readonly isPassedOver: (path: Path) => boolean;
  readonly isLeftOut: (path: Path) => boolean;
  /** The server reported it as deleted; a folder that is only missing from the list does not count. */
  readonly isGone: (id: number) => boolean;
  /** Everything here could be scanned. */
  readonly isWhole: boolean;
  /** Files that stay on the server below a path. */
  readonly hasFiles: (path: Path) => boolean;
}

export interface FolderPlan {
  readonly renameThere: readonly FolderMove[];
  readonly makeThere: readonly Path[];
  /** The deepest first. */
  readonly dropThere: readonly FolderAt[];
  readonly makeHere: readonly FolderAt[];
  /** Deleted on the server, or not wanted here: they are removed here as well, if they are empty. The deepest first. */
  readonly dropHere: readonly FolderAt[];
  readonly agree: ReadonlyMap<number, AgreedFolder>;
  /** Folders that are equal to another one on some disks: neither they nor their contents are uploaded. */
  readonly twins: readonly TwinFolder[];
  readonly misnamed: readonly Path[];
}

/** A folder here whose name differs from another one's in spelling only. */
export interface TwinFolder {
  readonly path: Path;
  /** The other one; undefined if that is not kept on this computer. */
  readonly into?: Path | undefined;
}

/** Some disks report decomposed names. */
export const isSamePath = (a: Path, b: Path): boolean => a === b || a.normalize('NFC') === b.normalize('NFC');

export const isIn = (path: Path, folder: Path): boolean => path.startsWith(`${folder}/`);

/** The path after folders have moved, in the given order. */
export const carried = (path: Path, moves: readonly { readonly from: Path; readonly to: Path }[]): Path =>
  moves.reduce((at, { from, to }) => (at === from || isIn(at, from) ? to + at.slice(from.length) : at), path);

/** First the folders at their old paths; then those whose inode is at another path; then those that only the server knew. */
export function whereabouts({ there, agreed, here }: FolderSides): { places: Map<number, Path>; strangers: Set<Path> } {
  const places = new Map<number, Path>();
  const exact = new Map([...here.keys()].map((path) => [path.normalize('NFC'), path]));
  const strangers = new Set(here.keys());
  const claim = (id: number, path: Path | undefined) => {
    if (path === undefined || !strangers.has(path)) return;
    places.set(id, path);
    strangers.delete(path);
  };
  const at = (path: Path) => (here.has(path) ? path : exact.get(path.normalize('NFC')));
  for (const [id, { path }] of agreed) claim(id, at(path));
  const lost = () => [...agreed].filter(([id]) => !places.has(id));
  if (lost().length > 0) {
    const owners = new Map([...there].map(([id, path]) => [path.normalize('NFC'), id]));
    // A new folder may reuse the inode of a deleted one; if another device created it, it belongs to that folder.
    const isFor = (id: number, path: Path | undefined) => path === undefined || (owners.get(path.normalize('NFC')) ?? id) === id;
    const claimOwn = (id: number, path: Path | undefined) => isFor(id, path) && claim(id, path);
    const byInode = new Map([...strangers].map((path) => [here.get(path), path]));
    for (const [id, { inode }] of lost()) claimOwn(id, byInode.get(inode));
    // Renamed in letter case, with an unknown inode.
    const byFold = new Map([...strangers].map((path) => [fold(path), path]));
    for (const [id, { path }] of lost()) claimOwn(id, byFold.get(fold(path)));
  }
  for (const [id, path] of there) if (!places.has(id)) claim(id, at(path));
  return { places, strangers };
}

/** Folders that were renamed or moved on the server are moved here with everything in them, before the files are planned. */
export function movesHere(sides: FolderSides): FolderMove[] {
  const moved = movedThere(sides);
  if (moved.size === 0) return [];
  const { places } = whereabouts(sides);
  const moves: FolderMove[] = [];
  for (const [id, to] of byDepth([...sides.there])) {
    const place = places.get(id);
    if (place === undefined || !moved.has(id)) continue;
    const from = carried(place, moves);
    // A folder whose target is inside itself is left to the planner, which moves file by file.
    if (!isSamePath(from, to) && !isIn(to, from) && !isIn(from, to)) moves.push({ id, from, to });
  }
  return moves;
}

/** Folders that were moved themselves, not together with a parent folder. */
function movedThere({ there, agreed }: FolderSides): ReadonlySet<number> {
  const byPath = new Map([...agreed].map(([id, { path }]) => [path, id]));
  const isMoved = (id: number, to: Path): boolean => {
    const known = agreed.get(id);
    if (!known || to === known.path) return false;
    const parent = byPath.get(parentOf(known.path));
    const parentNow = parent === undefined ? undefined : there.get(parent);
    return parentNow === undefined || to !== `${parentNow}/${lastOf(known.path)}`;
  };
  return new Set([...there].flatMap(([id, to]) => (isMoved(id, to) ? [id] : [])));
}

export function planFolders(sides: FolderSides, rules: FolderRules): FolderPlan {
  const { places, strangers } = whereabouts(sides);
  const planning: Planning = { ...sides, places, moved: movedThere(sides), isOut: (path) => rules.isLeftOut(`${path}/`), rules };
  const both = planBoth(planning, strangers);
  const missing = planMissing(planning);
  return {
    renameThere: both.renameThere,
    ...planNew(planning, both),
    dropThere: missing.dropThere,
    makeHere: missing.makeHere,
    dropHere: planDropHere(planning, both.emptied),
    agree: new Map([...both.agree, ...missing.agree]),
  };
}

interface Planning extends FolderSides {
  /** Where the folders of the server are here. */
  readonly places: ReadonlyMap<number, Path>;
  /** Folders that were moved on the server. */
  readonly moved: ReadonlySet<number>;
  /** Not wanted here. */
  readonly isOut: (path: Path) => boolean;
  readonly rules: FolderRules;
}

interface Both {
  readonly renameThere: readonly FolderMove[];
  readonly agree: ReadonlyMap<number, AgreedFolder>;
  /** Folders whose files were moved one by one. */
  readonly emptied: readonly [id: number, path: Path][];
  /** Folders that only this computer has. */
  readonly strangers: ReadonlySet<Path>;
}

/** Folders that are on both sides. */
function planBoth({ there, agreed, here, places, moved, isOut, rules }: Planning, given: ReadonlySet<Path>): Both {
  const strangers = new Set(given);
  const renameThere: FolderMove[] = [];
  const agree = new Map<number, AgreedFolder>();
  const emptied: [number, Path][] = [];
  for (const [id, place] of byDepth([...places])) {
    const to = there.get(id);
    if (to === undefined || isOut(to)) continue;
    const known = agreed.get(id);
    const from = carried(to, renameThere);
    const isRenamed = known !== undefined && !isSamePath(from, place) && !moved.has(id) && !rules.isPassedOver(place);
    if (isRenamed) renameThere.push({ id, from, to: place });
    if (isSamePath(to, place)) agree.set(id, { path: to, inode: here.get(place) ?? '' });
    else if (moved.has(id) && strangers.delete(to)) {
      // It could not be moved as a whole, and its files were moved one by one.
      agree.set(id, { path: to, inode: here.get(to) ?? '' });
      emptied.push([id, place]);
      // What is left in it belongs to the other spelling, and must not create a second folder on the server.
      if (rules.fold(place) === rules.fold(to)) strangers.add(place);
    }
    // An upload is agreed when the server returns it.
    else if (known) agree.set(id, known);
  }
  return { renameThere, agree, emptied, strangers };
}

/** Folders that only the server has: new there, or deleted here. */
function planMissing({ there, agreed, places, moved, isOut, rules }: Planning): Pick<FolderPlan, 'makeHere' | 'dropThere' | 'agree'> {
  const agree = new Map<number, AgreedFolder>();
  const dropThere: FolderAt[] = [];
  const makeHere: FolderAt[] = [];
  const stays = (path: Path) =>
    rules.hasFiles(path) || [...there].some(([id, other]) => isIn(other, path) && !dropThere.some((drop) => drop.id === id));
  for (const [id, path] of byDepth([...there]).reverse()) {
    if (places.has(id) || isOut(path)) continue;
    const known = agreed.get(id);
    if (!known || moved.has(id)) makeHere.push({ id, path });
    else {
      agree.set(id, known);
      if (rules.isWhole && !stays(path)) dropThere.push({ id, path });
    }
  }
  return { makeHere: makeHere.reverse(), dropThere, agree };
}

function planDropHere({ there, places, isOut, rules }: Planning, emptied: Both['emptied']): readonly FolderAt[] {
  const leaving = [...places].filter(([id]) => (there.has(id) ? isOut(there.get(id) ?? '') : rules.isGone(id)));
  return byDepth([...leaving, ...emptied])
    .reverse()
    .map(([id, path]) => ({ id, path }));
}

/** Folders that only this computer has. */
function planNew(
  { there, places, isOut, rules }: Planning,
  { strangers, renameThere }: Both,
): Pick<FolderPlan, 'makeThere' | 'twins' | 'misnamed'> {
  const taken = new Map(
    [...there].map(([id, path]): [Path, Path] => {
      const after = carried(path, renameThere);
      return [rules.fold(after), places.get(id) ?? after];
    }),
  );
  const makeThere: Path[] = [];
  const twins: TwinFolder[] = [];
  const misnamed: Path[] = [];
  for (const path of [...strangers].sort((a, b) => depthOf(a) - depthOf(b) || (a < b ? -1 : 1))) {
    if (rules.isPassedOver(path) || isOut(path) || [...twins.map((twin) => twin.path), ...misnamed].some((bad) => isIn(path, bad)))
      continue;
    const other = taken.get(rules.fold(path));
    if (!rules.isPlain(path)) misnamed.push(path);
    else if (other !== undefined) twins.push({ path, into: isOut(other) ? undefined : other });
    else {
      taken.set(rules.fold(path), path);
      makeThere.push(path);
    }
  }
  return { makeThere, twins, misnamed };
}

const depthOf = (path: Path): number => path.split('/').length;
const byDepth = (given: [number, Path][]): [number, Path][] => given.sort(([, a], [, b]) => depthOf(a) - depthOf(b) || (a < b ? -1 : 1));
