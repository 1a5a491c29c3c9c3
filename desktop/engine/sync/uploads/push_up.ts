// Uploads the user's own files after each cycle on the folder, subject to the mass-change guard.

import type { Choices } from '../../../contract/choices';
import type { HeldBack } from '../../../contract/state';
import { reasonAgainst } from '../../model/choices';
import { isJunk, isRemoved, localName, myFilesFolder } from '../../model/names';
import { fold, type Key, type Path, parentOf, type Trees } from '../../model/trees';
import { fewest, isTooMuch, type MassRemovalLimit, usualRemovalLimit } from '../../planner/mass_removal_limit';
import { type PushStep, pushPlan, takenAwayThere, type UploadTarget } from '../../planner/push_plan';
import { carried, type FolderMove, isIn, planFolders } from '../../planner/two_way_folders';
import { Interrupted, Offline, SignInRequired } from '../../server/session';
import type { Cache } from '../../store/cache';
import { stored } from '../../store/damage';
import { readChoices } from '../../store/kept_choices';
import type { UserStore } from '../../store/user';
import type { Observation } from '../observe';
import { because, type SyncProblem, whyOf } from '../reason';
import { choiceSetting, type Derived } from '../wanted/derive';
import { mineKey } from '../wanted/wanted';
import { type Pushing, Stale } from './checks';
import { agreedFolders, foldersAfter, foldersThere, serverFoldersBelow, settleFolders } from './keep_folders';
import { mergeTwins } from './merge_twins';
import { type FolderStep, push } from './run_plan';

export const pushRules = {
  fold,
  isPlain: (path: Path) => path.split('/').every((name) => fold(localName(name)) === fold(name)),
  isPassedOver: (path: Path) => isRemoved(path) || path.split('/').some(isJunk),
};

export interface PushingUp extends Omit<Pushing, 'folders' | 'stamps' | 'inodes' | 'home' | 'address'> {
  readonly wanted: Derived;
  readonly brake?: MassRemovalLimit;
  readonly isConfirmed?: boolean;
  readonly isWaiting: () => boolean;
}

export interface PushedUp {
  readonly sent: number;
  /** Uploads that have to wait. */
  readonly waiting?: { readonly files: number; readonly bytes: number };
  readonly heldBack?: HeldBack;
  /** What changed here or on the server during the upload: the next pass uses the new state. */
  readonly stale?: readonly SyncProblem[];
}

export async function pushUp(
  { trees, stamps, folders: here, unreadable }: Observation,
  given: PushingUp,
  issues: SyncProblem[],
): Promise<PushedUp> {
  const { wanted, disk, user, cache, brake = usualRemovalLimit, isConfirmed = false } = given;
  const home = myFilesFolder;
  const byPath = serverFoldersBelow(wanted, home);
  const isLeftOut = leftOut(byPath, readChoices(user.setting(choiceSetting)));
  const there = foldersThere(wanted);
  const agreed = agreedFolders(user);
  const below = (path: Path) => path.slice(home.length + 1);
  const gone = cache.gone.folders();
  const filePlan = (moves: readonly FolderMove[], shut: UploadTarget['shut'] = []) =>
    pushPlan(after(trees, moves), { home, keys: wanted.mine, folders: foldersAfter(byPath, moves).keys(), shut }, pushRules);
  let staying: readonly Path[] | undefined;
  const hasFiles = (path: Path): boolean => {
    // A file that is deleted together with its folder does not keep the folder.
    const deleted = staying ? undefined : new Set(filePlan([]).flatMap((step) => (step.do === 'delete' ? [step.key] : [])));
    staying ??= [...wanted.mine].flatMap((key) => (deleted?.has(key) ? [] : (trees.remote.get(key)?.path ?? [])));
    return staying.some((file) => isIn(file, path));
  };
  const folders = planFolders(
    { there, agreed, here },
    {
      fold,
      isPlain: (path) => pushRules.isPlain(below(path)),
      isPassedOver: (path) => pushRules.isPassedOver(below(path)),
      isLeftOut,
      isGone: (id) => gone.has(id),
      isWhole: unreadable.length === 0,
      hasFiles,
    },
  );
  await settleFolders(disk, user, folders, issues);
  const merged = await mergeTwins(folders.twins, stamps, disk, issues);
  // The folder is scanned again before anything is uploaded.
  if (merged.length > 0) return { sent: merged.length };
  const shut = [
    ...folders.twins.map(({ path }) => ({ path, why: 'twin' as const })),
    ...folders.misnamed.map((path) => ({ path, why: 'name' as const })),
  ];
  const planned: readonly (PushStep | FolderStep)[] = [
    ...shut.map((one) => ({ do: 'refuse' as const, isFolder: true, ...one })),
    ...folders.renameThere.map((move) => ({ do: 'rename folder' as const, ...move })),
    ...folders.makeThere.map((path) => ({ do: 'make folder' as const, path })),
    ...filePlan(folders.renameThere, shut).filter((step) => !((step.do === 'add' || step.do === 'refuse') && isLeftOut(step.path))),
    ...folders.dropThere.map((drop) => ({ do: 'delete folder' as const, ...drop })),
  ];
  const of = [...wanted.mine].filter((key) => trees.base.has(key)).length + agreed.size;
  const { heldBack, isHeld } = holding(planned, user, of, brake, isConfirmed);
  // Steps that remove nothing need no confirmation.
  const steps = planned.filter((step) => !isHeld(step));
  const around: Pushing = {
    ...given,
    home,
    address: ownAddress,
    folders: foldersAfter(byPath, folders.renameThere),
    stamps,
    inodes: here,
    keepsFolders: true,
  };
  return { ...(await send(steps, around, given, issues)), ...(heldBack && { heldBack }) };
}

/** Uploads a few edited files in place: other files do not affect them, and they are too few for the mass-change guard. */
export async function pushEdits(
  edits: readonly PushStep[],
  stamps: Observation['stamps'],
  given: PushingUp,
  issues: SyncProblem[],
): Promise<PushedUp> {
  const folders = foldersAfter(serverFoldersBelow(given.wanted, myFilesFolder), []);
  return send(edits, { ...given, home: myFilesFolder, address: ownAddress, folders, stamps, keepsFolders: true }, given, issues);
}

export const areFewEdits = (steps: readonly PushStep[], user: UserStore): boolean =>
  steps.length < fewest && steps.every((step) => step.do === 'replace') && user.setting(heldSetting) === undefined;

const ownAddress = '/api/v1/users/self';

async function send(
  steps: readonly (PushStep | FolderStep)[],
  around: Pushing,
  { isWaiting }: Pick<PushingUp, 'isWaiting'>,
  issues: SyncProblem[],
): Promise<PushedUp & Required<Pick<PushedUp, 'waiting'>>> {
  let sent = 0;
  const waiting = { files: 0, bytes: 0 };
  const stale: SyncProblem[] = [];
  for (const step of steps) {
    if (step.do === 'refuse') issues.push(refusal(step));
    else if (isWaiting() && (step.do === 'add' || step.do === 'replace')) {
      waiting.files++;
      waiting.bytes += around.stamps.get(step.path)?.size ?? 0;
    } else sent += await attempt(step, around, issues, stale);
  }
  return { sent, waiting, stale };
}

/**
 * Files of the user that the server does not list and did not report as deleted, such as after a restore. The local files are new
 * to the server. No deletion may be concluded for them before the feed is complete.
 */
export const forgottenThere = (rows: ReadonlyMap<Key, { readonly path: Path }>, { tree }: Derived, cache: Cache): Key[] =>
  [...rows].flatMap(([key, { path }]) =>
    isIn(path, myFilesFolder) && !tree.has(key) && !cache.gone.has(key) && !cache.get('file', Number(key.slice('file:'.length)))
      ? [key]
      : [],
  );

/** What a partial scan has found. More than a few edits are compared together with everything else. */
export const toSend = ({ trees }: Observation, { mine }: Derived): PushStep[] =>
  pushPlan(trees, { home: myFilesFolder, keys: new Set([...trees.remote.keys()].filter((key) => mine.has(key))) }, pushRules);

/** The tree of the server after its folders have moved: the files in them need no steps of their own. */
const after = (trees: Trees, moves: readonly FolderMove[]): Trees =>
  moves.length === 0
    ? trees
    : { ...trees, remote: new Map([...trees.remote].map(([key, wanted]) => [key, { ...wanted, path: carried(wanted.path, moves) }])) };

/** 1 when the server has to be asked for its current state. */
export async function attempt(
  step: Exclude<PushStep, { do: 'refuse' }> | FolderStep,
  around: Pushing,
  issues: SyncProblem[],
  stale: SyncProblem[] = issues,
): Promise<number> {
  try {
    await push(step, around);
    return 1;
  } catch (problem) {
    if (problem instanceof SignInRequired || problem instanceof Offline) throw problem;
    // The next sync that may upload sends it.
    if (problem instanceof Interrupted) return 0;
    const isStale = problem instanceof Stale;
    const why = isStale ? because(problem.code, { where: problem.where }) : whyOf(problem);
    (isStale ? stale : issues).push({ what: `send: ${step.do}`, where: 'to' in step ? step.to : step.path, ...why });
    return isStale && !around.isAgreed ? 1 : 0;
  }
}

const refusal = ({ path, why, isFolder }: Extract<PushStep, { do: 'refuse' }>): SyncProblem => ({
  what: 'send: name',
  where: path,
  ...because(why === 'name' ? 'why.nameNotEverywhere' : isFolder ? 'why.folderTwin' : 'why.twin'),
});

/** The contents of a folder that is not wanted here are not uploaded, because the files would then be removed from this computer. */
function leftOut(folders: ReadonlyMap<Path, number>, choices: Choices): (path: Path) => boolean {
  return (path) => {
    const above: Key[] = [];
    for (let at = parentOf(path); at !== '' && at !== myFilesFolder; at = parentOf(at)) {
      const id = folders.get(at);
      if (id !== undefined) above.push(`folder:${id}`);
    }
    return reasonAgainst({ key: '', above: [...above, mineKey], group: null, size: 0 }, choices) !== undefined;
  };
}

const heldSetting = 'held deletions';

interface Holding {
  readonly heldBack?: HeldBack;
  readonly isHeld: (step: PushStep | FolderStep) => boolean;
}

/**
 * Mass changes wait: many files at once, or all; a folder that disappeared is not a hundred deletions. Once held, the steps wait
 * until the user confirms them or the files are back, even if files are added meanwhile.
 */
function holding(
  steps: readonly (PushStep | FolderStep)[],
  user: UserStore,
  of: number,
  limit: MassRemovalLimit,
  isConfirmed: boolean,
): Holding {
  const known = user.setting(heldSetting);
  const before = new Set<Key>(isConfirmed || known === undefined ? [] : stored<Key[]>(known));
  const taken = takenAwayThere(steps);
  const isAll = taken.deleted > 1 && taken.deleted === of;
  const all: HeldBack = { withdrawn: 0, replaced: taken.overwritten, missing: 0, deleted: taken.deleted, of };
  const keyOf = (step: PushStep | FolderStep): Key | undefined =>
    step.do === 'delete' ? step.key : step.do === 'delete folder' ? `folder:${step.id}` : undefined;
  const isTooMany = !isConfirmed && (isAll || isTooMuch(all, limit));
  const isHeldAlready = steps.some((step) => before.has(keyOf(step) ?? ''));
  const isHeldItself = (step: PushStep | FolderStep): boolean =>
    isTooMany
      ? keyOf(step) !== undefined || step.do === 'replace'
      : // A folder waits for the files that were in it.
        before.has(keyOf(step) ?? '') || (isHeldAlready && step.do === 'delete folder');
  const kept = new Set<Key>();
  // In the order in which they are sent: a step that waits for a name waits with the step that frees it.
  for (const step of steps) {
    const isWaiting = step.do === 'rename' && step.after !== undefined && kept.has(step.after);
    if ('key' in step && (isWaiting || isHeldItself(step))) kept.add(step.key);
  }
  const isHeld = (step: PushStep | FolderStep): boolean => isHeldItself(step) || (step.do === 'rename' && kept.has(step.key));
  const held = steps.filter(isHeld);
  const keys = held.flatMap((step) => keyOf(step) ?? []);
  const now = keys.length > 0 ? JSON.stringify(keys) : undefined;
  if (now !== known) user.set(heldSetting, now);
  if (held.length === 0) return { isHeld };
  const { deleted, overwritten } = takenAwayThere(held);
  return { isHeld, heldBack: { ...all, deleted, replaced: overwritten } };
}
