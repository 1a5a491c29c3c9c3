// The planner: the steps that make the disk agree with the server, from observations alone. Pure.
//
// Courses are only downloaded: the server's move or change decides the path, the user's bytes are never lost. A deletion needs a tombstone;
// a file that is only missing from a listing stays where it is.

import { atOnce, slice } from '../model/slices';
import type { Agreed, FoundFile, InTheWay, Key, Path, Step, Trees, Wanted } from '../model/trees';

/** String rules that the planner uses. */
interface Rules {
  readonly fold: (path: Path) => Path;
  /** Where the copy of a withdrawn file goes. */
  readonly removed: (path: Path) => Path;
  readonly isRemoved: (path: Path) => boolean;
  /** In “My files”, which is uploaded as well. */
  readonly isOwn: (path: Path) => boolean;
  /** A temporary path in the middle of a ring of moves. */
  readonly isParked: (path: Path) => boolean;
  /** The name of a conflict copy. */
  readonly isYourCopy: (path: Path) => boolean;
  /** Not a real path: the target of a file that is removed because it is not wanted. */
  readonly isNowhere: (path: Path) => boolean;
}

export const plan = (trees: Trees, rules: Rules): Step[] => atOnce(planning(trees, rules));

/** The same in slices. The trees do not change meanwhile. */
export function* planning(trees: Trees, rules: Rules): Generator<void, Step[]> {
  const keys = [...new Set([...trees.remote.keys(), ...trees.base.keys()])].sort();
  if (keys.length >= slice) yield;
  const heirs = heirsByPath(trees);
  const homes = homesByFold(trees, rules);
  const steps: Step[] = [];
  for (const [nth, key] of keys.entries()) {
    if (nth % slice === slice - 1) yield;
    const step = decide(key, trees, rules, heirs, homes);
    if (step) steps.push(step);
  }
  // Other steps write to no path that may be taken.
  if (!steps.some((step) => step.do === 'move' || step.do === 'pull')) return steps;
  // An inherited copy is replaced in the next round: until then its path is taken, and the download would be repeated.
  const inheriting = new Set(steps.flatMap((step) => (step.do === 'inherit' ? [step.key] : [])));
  return yield* makeWay(
    steps.filter((step) => step.do !== 'pull' || !inheriting.has(step.key)),
    trees,
    rules,
  );
}

/** Keys without a local copy, by the path they want: one of them may inherit the file of a deleted id. */
const heirsByPath = ({ remote, base, unwanted }: Trees): ReadonlyMap<Path, Key> =>
  new Map([...remote].filter(([key]) => !base.has(key) && !unwanted.has(key)).map(([key, wanted]) => [wanted.path, key]));

/** The owner of each path. A file that the user moved to the path of another has to yield. */
const homesByFold = ({ remote, unwanted }: Trees, { fold }: Rules): ReadonlyMap<Path, Key> =>
  new Map([...remote].filter(([key]) => !unwanted.has(key)).map(([key, wanted]) => [fold(wanted.path), key]));

function decide(key: Key, trees: Trees, rules: Rules, heirs: ReadonlyMap<Path, Key>, homes: ReadonlyMap<Path, Key>): Step | undefined {
  const remote = trees.remote.get(key);
  const base = trees.base.get(key);
  const local = trees.local.get(key);
  if (local === 'unseen') return undefined;
  const isNoMore = base !== undefined && isAnother(remote, base);
  if (base && local && rules.isParked(local.path) && (isNoMore || !remote || trees.unwanted.has(key))) return unpark(key, base, local);
  // The id was assigned again: the local file was another one, and belongs to the user from now on.
  if (isNoMore) return { do: 'forget', key, unwanted: false };
  if (trees.unwanted.has(key)) return base && withoutWanting(key, base, local);
  if (!remote) return base && withoutRemote(key, base, local, trees, rules, heirs);
  if (!base) return arrive(key, remote, trees, rules);
  // An incomplete scan gives no row at all; a row without a file was looked for and not found.
  // A file that the user deleted is deleted on the server, unless the server has another version now, which is downloaded.
  if (!local && trees.mine?.has(key)) return remote.hash === base.hash ? undefined : { do: 'forget', key, unwanted: false };
  // A file that the desk removed, and that is wanted again before that was noted, was not deleted by the user.
  if (!local) return { do: 'forget', key, unwanted: !(base.going !== undefined && rules.isNowhere(base.going)) };
  const owner = homes.get(rules.fold(local.path));
  const isYielding = owner !== undefined && owner !== key && !isPlaceGivenUp(key, owner, trees, rules);
  // Not the user's doing: the file yields its path, is no longer withdrawn or parked, or its move was interrupted.
  const isAway = isYielding || rules.isRemoved(local.path) || rules.isParked(local.path) || base.going !== undefined;
  return follow(key, remote, base, local, isAway);
}

/**
 * The user has moved or deleted the owner of the path, and put this file there. The server has both as agreed, so this move is sent.
 * An owner that was not seen is somewhere else too: this file has its place.
 */
function isPlaceGivenUp(key: Key, owner: Key, { remote, base, local, mine }: Trees, { fold }: Rules): boolean {
  const isAsAgreed = (one: Key): boolean => {
    const agreed = base.get(one);
    return mine?.has(one) === true && agreed?.wanted === remote.get(one)?.path && agreed?.going === undefined;
  };
  const now = local.get(owner);
  const isElsewhere = now === undefined || now === 'unseen' || fold(now.path) !== fold(remote.get(owner)?.path ?? '');
  return isElsewhere && isAsAgreed(key) && isAsAgreed(owner);
}

const identity = (of: { readonly uuid?: string | undefined } | undefined) => (of?.uuid === undefined ? {} : { uuid: of.uuid });

/** Another file with the agreed id. */
export const isAnother = (remote: Pick<Wanted, 'uuid'> | undefined, base: Pick<Agreed, 'uuid'>): boolean =>
  remote?.uuid !== undefined && base.uuid !== undefined && remote.uuid !== base.uuid;

const unpark = (key: Key, base: Agreed, local: FoundFile): Step => ({
  do: 'move',
  key,
  from: local,
  to: base.wanted,
  agreed: { wanted: base.wanted, path: base.wanted, hash: base.hash, ...identity(base) },
  aside: [],
});

function withoutWanting(key: Key, base: Agreed, local: FoundFile | undefined): Step {
  const isEdited = local !== undefined && local.hash !== base.hash;
  // An edited file stays where it is and belongs to the user from now on. That it is not wanted is already stored.
  return local && !isEdited ? { do: 'discard', key, from: local } : { do: 'forget', key, unwanted: false };
}

function withoutRemote(
  key: Key,
  base: Agreed,
  local: FoundFile | undefined,
  { remote, withdrawn, mine }: Trees,
  { removed, isRemoved, isOwn, isYourCopy }: Rules,
  heirs: ReadonlyMap<Path, Key>,
): Step | undefined {
  const heir = heirs.get(base.wanted);
  // In “My files” only a file that was deleted on the server was replaced; one that the server does not know is a file of its own.
  const isReplaced = heir !== undefined && (withdrawn.has(key) || !mine?.has(heir));
  if (isReplaced && local && !isRemoved(local.path)) {
    // Edited bytes are not agreed with the heir, even if the heir has the bytes that the edit started from.
    const hash = local.hash === base.hash ? base.hash : '';
    const agreed = { wanted: base.wanted, path: local.path, hash, going: base.going, ...identity(remote.get(heir)) };
    return { do: 'inherit', key: heir, from: key, agreed };
  }
  if (!withdrawn.has(key)) return undefined;
  if (!local || isRemoved(local.path)) return { do: 'forget', key, unwanted: false };
  // Only one person has edited it: the edit is uploaded as a new file of the same name.
  if (local.hash !== base.hash && isOwn(base.wanted) && isOwn(local.path)) return { do: 'forget', key, unwanted: false };
  const isAsItCame = local.hash === base.hash;
  // The computer that made a conflict copy has given its bytes the name of the file, and has deleted the copy.
  const isResolved =
    isAsItCame && isOwn(base.wanted) && isYourCopy(base.wanted) && [...remote.values()].some(({ hash }) => hash === base.hash);
  return isResolved ? { do: 'discard', key, from: local } : { do: 'withdraw', key, from: local, to: removed(local.path), isAsItCame };
}

function arrive(key: Key, remote: Wanted, { strangers }: Trees, { fold }: Rules): Step | undefined {
  const there = strangers.get(fold(remote.path));
  if (there?.hash === remote.hash) {
    // Agreed at its current path; if that differs in case or Unicode normalisation, the next plan moves it.
    return { do: 'agree', key, agreed: { wanted: there.path, path: there.path, hash: remote.hash, ...identity(remote) }, seen: there };
  }
  return remote.available ? { do: 'pull', key, path: remote.path, wanted: remote, aside: [] } : undefined;
}

function follow(key: Key, remote: Wanted, base: Agreed, local: FoundFile, isAway: boolean): Step | undefined {
  const isMoved = remote.path !== base.wanted || isAway;
  const isEqual = local.hash === remote.hash;
  const agreed: Agreed = { wanted: remote.path, path: local.path, hash: isEqual ? remote.hash : base.hash, ...identity(remote) };
  if (isMoved && local.path !== remote.path) {
    return { do: 'move', key, from: local, to: remote.path, agreed: { ...agreed, path: remote.path }, aside: [] };
  }
  if (isEqual || remote.hash === base.hash || !remote.available) {
    const isKnown =
      agreed.wanted === base.wanted && agreed.path === base.path && agreed.hash === base.hash && agreed.uuid === base.uuid && !base.going;
    return isKnown ? undefined : { do: 'agree', key, agreed, seen: local };
  }
  if (local.hash === base.hash) return { do: 'pull', key, path: local.path, wanted: remote, over: local, aside: [] };
  return { do: 'pull', key, path: local.path, wanted: remote, aside: [{ ...local, key }] };
}

/** Adds to each step the files in its way, unless a step of their own moves them. */
function* makeWay(steps: readonly Step[], trees: Trees, { fold }: Rules): Generator<void, Step[]> {
  const leaving = new Set(
    steps.flatMap((step) => (step.do === 'agree' || step.do === 'pull' ? [] : step.do === 'inherit' ? [step.key, step.from] : [step.key])),
  );
  // A case-sensitive file system may have several files under one folded path.
  const occupants = new Map<Path, InTheWay[]>();
  const below = new Map<Path, InTheWay[]>();
  const put = (occupant: InTheWay) => {
    if (occupant.key !== undefined && leaving.has(occupant.key)) return;
    push(occupants, fold(occupant.path), occupant);
    for (const folder of ancestors(fold(occupant.path))) push(below, folder, occupant);
  };
  for (const stranger of trees.strangers.values()) put(stranger);
  let seen = 0;
  for (const [key, local] of trees.local) {
    if (++seen % slice === 0) yield;
    if (local !== 'unseen') put({ ...local, key });
  }
  const inTheWay = (key: Key, path: Path): InTheWay[] => {
    // A file at the path of a parent folder is as much in the way as a file or folder at the path itself.
    const there = [...ancestors(path), path].flatMap((at) => occupants.get(fold(at)) ?? []);
    const inside = (below.get(fold(path)) ?? []).map((occupant) => ({ ...occupant, below: occupant.path.slice(0, path.length) }));
    return [...there, ...inside].filter((occupant) => occupant.key !== key);
  };
  return steps.map((step) => {
    if (step.do === 'move') return { ...step, aside: inTheWay(step.key, step.to) };
    if (step.do === 'pull' && !step.over && step.aside.length === 0) return { ...step, aside: inTheWay(step.key, step.path) };
    return step;
  });
}

/** `a/b/c` → `a`, `a/b` */
const ancestors = (path: Path): Path[] => {
  const names = path.split('/');
  return names.slice(1).map((_, at) => names.slice(0, at + 1).join('/'));
};

const push = (map: Map<Path, InTheWay[]>, path: Path, occupant: InTheWay): void => {
  const there = map.get(path);
  if (there) there.push(occupant);
  else map.set(path, [occupant]);
};
