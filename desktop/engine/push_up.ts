// What the person keeps on the server for themselves goes up as it comes down: after each cycle on the folder, and held to the brake.

import type { Choices } from '../ui/views/choices';
import type { HeldBack } from '../ui/views/state';
import { t } from '../ui/words/texts';
import { type Brake, isTooMuch, usualBrake } from './brake';
import { readChoices, reasonAgainst } from './choices';
import { choiceSetting, type Derived } from './derive';
import type { Problem } from './engine';
import { isJunk, isRemoved, localName, myFilesFolder } from './names';
import type { Observation } from './observe';
import { type Pushing, push, Stale } from './push';
import { type PushStep, pushPlan, takenAwayThere } from './push_plan';
import { causeOf, Interrupted, Offline, SignIn } from './remote';
import { fold, type Key, type Path, parentOf } from './trees';
import { mineKey } from './wanted';

export const pushRules = {
  fold,
  isPlain: (path: Path) => path.split('/').every((name) => fold(localName(name)) === fold(name)),
  isPassedOver: (path: Path) => isRemoved(path) || path.split('/').some(isJunk),
};

export interface PushingUp extends Omit<Pushing, 'folders' | 'stamps' | 'home' | 'address'> {
  readonly wanted: Derived;
  readonly brake?: Brake;
  readonly isConfirmed?: boolean;
  readonly isWaiting: () => boolean;
}

export interface PushedUp {
  readonly sent: number;
  /** Would go up, and has to wait. */
  readonly waiting?: { readonly files: number; readonly bytes: number };
  readonly heldBack?: HeldBack;
}

/** The folders of a shelf, by where they lie here. */
export const foldersBelow = ({ nodes, paths }: Pick<Derived, 'nodes' | 'paths'>, home: Path): Map<Path, number> =>
  new Map(
    nodes.flatMap(({ key, kind }): [Path, number][] => {
      const path = kind === 'folder' && key.startsWith('folder:') ? paths.get(key) : undefined;
      return path?.startsWith(`${home}/`) ? [[path, Number(key.slice('folder:'.length))]] : [];
    }),
  );

export async function pushUp({ trees, stamps }: Observation, given: PushingUp, issues: Problem[]): Promise<PushedUp> {
  const { wanted, brake = usualBrake, isConfirmed = false, isWaiting } = given;
  if (wanted.mine === undefined) return { sent: 0 };
  const folders = foldersBelow(wanted, myFilesFolder);
  const isLeftOut = leftOut(folders, readChoices(given.user.setting(choiceSetting)));
  const planned = pushPlan(trees, { home: myFilesFolder, keys: wanted.mine }, pushRules).filter(
    (step) => !((step.do === 'add' || step.do === 'refuse') && isLeftOut(step.path)),
  );
  const { heldBack, isHeld } = holding(planned, given, trees.base, brake, isConfirmed);
  // What takes nothing away needs no word.
  const steps = planned.filter((step) => !isHeld(step));
  const around: Pushing = { ...given, home: myFilesFolder, address: '/api/v1/users/self', folders, stamps };
  let sent = 0;
  const waiting = { files: 0, bytes: 0 };
  for (const step of steps) {
    if (step.do === 'refuse') issues.push(refusal(step));
    else if (isWaiting() && (step.do === 'add' || step.do === 'replace')) {
      waiting.files++;
      waiting.bytes += stamps.get(step.path)?.size ?? 0;
    } else sent += await attempt(step, around, issues);
  }
  return { sent, waiting, ...(heldBack && { heldBack }) };
}

/** 1 when the server has heard of it. */
export async function attempt(step: Exclude<PushStep, { do: 'refuse' }>, around: Pushing, issues: Problem[]): Promise<number> {
  try {
    await push(step, around);
    return 1;
  } catch (problem) {
    if (problem instanceof SignIn || problem instanceof Offline) throw problem;
    // The next plan knows what is true; what was interrupted goes up with the next sync that may.
    if (problem instanceof Stale || problem instanceof Interrupted) return 0;
    issues.push({ what: `send: ${step.do}`, where: step.do === 'rename' ? step.to : step.path, why: causeOf(problem) });
    return 0;
  }
}

export const refusal = ({ path, why }: Extract<PushStep, { do: 'refuse' }>): Problem => ({
  what: 'send: name',
  where: path,
  why: why === 'name' ? t('why.nameNotEverywhere') : t('why.twin'),
});

/** What lies in a folder that is not kept here does not go up: it would leave this computer by that. */
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
  readonly isHeld: (step: PushStep) => boolean;
}

/**
 * Many at once, or everything: a folder that has gone is not a hundred deletions. Once held, they stay so until the person says that
 * they are right or the files are back, however much is added meanwhile.
 */
function holding(
  steps: readonly PushStep[],
  { user, wanted }: Pick<PushingUp, 'user' | 'wanted'>,
  base: ReadonlyMap<Key, unknown>,
  brake: Brake,
  isConfirmed: boolean,
): Holding {
  const known = user.setting(heldSetting);
  const before = new Set<Key>(isConfirmed || known === undefined ? [] : (JSON.parse(known) as Key[]));
  const of = [...wanted.mine].filter((key) => base.has(key)).length;
  const taken = takenAwayThere(steps);
  const isAll = taken.deleted > 1 && taken.deleted === of;
  const all: HeldBack = { withdrawn: 0, replaced: taken.overwritten, missing: 0, deleted: taken.deleted, of };
  const isTaking = (step: PushStep) => step.do === 'delete' || step.do === 'replace';
  const isHeld =
    !isConfirmed && (isAll || isTooMuch(all, brake)) ? isTaking : (step: PushStep) => step.do === 'delete' && before.has(step.key);
  const held = steps.filter(isHeld);
  const keys = held.flatMap((step) => (step.do === 'delete' ? [step.key] : []));
  const now = keys.length > 0 ? JSON.stringify(keys) : undefined;
  if (now !== known) user.set(heldSetting, now);
  if (held.length === 0) return { isHeld };
  const { deleted, overwritten } = takenAwayThere(held);
  return { isHeld, heldBack: { ...all, deleted, replaced: overwritten } };
}
