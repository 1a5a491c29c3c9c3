// Brings the study folder in line with the server, and reports the result: look, pull, push, report.

import type { HeldBack } from '../../contract/state';
import type { WaitingTransfers } from '../../contract/transfers';
import { inside } from '../disk/inside';
import { localDate, myFilesFolder } from '../model/names';
import type { Disk } from '../model/ports';
import type { Key } from '../model/trees';
import { sumOf } from '../planner/mass_removal_limit';
import type { PushStep } from '../planner/push_plan';
import { areFilesListed } from '../server/canvas/pull';
import { wayOf } from '../server/pull';
import type { CycleEnding } from './cycle';
import type { Focus } from './partial_scan';
import { type Pass, passOf, type SyncCount } from './pass';
import { type PulledFiles, pullFiles } from './pull_files';
import { because, type SyncProblem } from './reason';
import { hasOthers, settleRefetch } from './refetch';
import { relocate } from './relocate';
import type { LeftUndone, SyncEngine, SyncRunOptions } from './request';
import { moveFoldersHere } from './uploads/keep_folders';
import { adoptOwnSteps } from './uploads/own_steps';
import { areFewEdits, forgottenThere, type PushedUp, type PushingUp, pushEdits, pushUp, toSend } from './uploads/push_up';
import type { Derived } from './wanted/derive';
import { stagedName } from './wanted/source';

export async function bringInLine(
  engine: SyncEngine,
  given: SyncRunOptions,
  wanted: Derived,
  count: SyncCount,
  issues: SyncProblem[],
): Promise<LeftUndone> {
  const pass = passOf(engine, given, wanted, count, issues);
  const known = issues.length;
  const looked = await look(pass);
  if (isNothing(looked.focus)) return inLineAlready(pass, looked.focus);
  await given.enter?.();
  const isListed = await settleFolder(pass, looked);
  const pulled = await pullFiles(pass, looked.focus);
  const scan = scanOf(looked.focus, pulled.ending);
  given.onLooked?.(scan.keys);
  if (pulled.ending?.kind === 'paused') return heldBackHere(pass, pulled.ending.heldBack);
  const unfinished = await tidy(pass, pulled.ending);
  const pushed = await push(pass, isListed ? pulled.ending : undefined, scan.isPartial);
  // More than a few edits are compared together with everything else.
  if (pushed === 'too many edits') return bringInLine(engine, { ...given, isThorough: true }, wanted, count, issues);
  return report(pass, { pulled, pushed, unfinished, known, isPartial: scan.isPartial });
}

type Settled = Extract<CycleEnding, { readonly kind: 'settled' }>;

interface LookedAt {
  /** What may have changed; undefined: everything has to be scanned. */
  readonly focus: Focus | undefined;
  /** Keys that this computer has changed on the server itself. */
  readonly own: ReadonlySet<Key>;
}

/** Applies what is known from the server and from earlier syncs, and decides what to scan. */
async function look({ engine, given, wanted, disk }: Pass): Promise<LookedAt> {
  const { cache, user, clock, standing } = engine;
  const { session, isConfirmed, isThorough = true } = given;
  await user.readRows();
  const refetched = cache.refetched();
  const adopted = adoptOwnSteps(cache, user, wanted.tree, clock.now());
  // After a change of history the server may not have what was sent.
  const own = refetched === undefined ? adopted : new Set<Key>();
  if (refetched !== undefined) await settleRefetch(refetched, { cache, user, session, wanted });
  user.checkUnwanted(wanted.tree);
  await relocate(disk, user, wanted.homes, given.enter);
  const focus = standing?.focus(wanted, cache, user);
  const isWhole = isThorough || isConfirmed || refetched !== undefined || hasOthers(focus?.keys, wanted.tree, user.rows());
  return { focus: isWhole ? undefined : focus, own };
}

const isNothing = (focus: Focus | undefined): focus is Focus => focus?.keys.size === 0 && focus.paths.size === 0;

function inLineAlready({ engine, given, wanted, count }: Pass, { keys }: Focus): LeftUndone {
  engine.standing?.settle(wanted, false);
  count.unchanged = engine.user.rows().size;
  given.onLooked?.(keys);
  return {};
}

/** Before a full scan. Returns whether the server has listed all files: only then a missing one counts as deleted. */
async function settleFolder({ engine, wanted, disk }: Pass, { focus, own }: LookedAt): Promise<boolean> {
  const { cache, user } = engine;
  if (!focus) await moveFoldersHere(disk, user, wanted);
  const isListed = wayOf(cache) === 'feed' || areFilesListed(cache, null);
  if (!focus && isListed) user.note(forgottenThere(user.rows(), wanted, cache).flatMap((key) => (own.has(key) ? [] : [{ drop: key }])));
  return isListed;
}

/** What was scanned; all keys after a full scan, and after one that did not end. */
function scanOf(
  focus: Focus | undefined,
  ending: CycleEnding | undefined,
): { readonly isPartial: boolean; readonly keys?: ReadonlySet<Key> } {
  if (!focus || ending?.kind !== 'settled' || ending.isWhole) return { isPartial: false };
  return { isPartial: true, keys: new Set([...focus.keys, ...(ending.last?.trees.base.keys() ?? [])]) };
}

function heldBackHere({ issues, root }: Pass, heldBack: HeldBack): LeftUndone {
  issues.push({ what: 'many changes', where: root, ...because('why.manyChanges', { count: sumOf(heldBack), of: heldBack.of }) });
  return { heldBack };
}

/** Interrupted downloads of wanted files continue in the next sync. Returns their keys. */
async function tidy({ wanted, disk, net }: Pass, ending: Settled | undefined): Promise<ReadonlySet<Key>> {
  const unfinished = ending ? new Set([...ending.failed, ...ending.held.map(({ key }) => key)]) : new Set(wanted.tree.keys());
  await disk.tidy(new Set([...unfinished].flatMap((key) => stagedNameOf(key, wanted))));
  net.recovery.tidy();
  return unfinished;
}

interface Pushed extends PushedUp {
  /** After a partial scan. */
  readonly edits: readonly PushStep[];
}

/** @param ending undefined: nothing can be uploaded */
async function push(pass: Pass, ending: Settled | undefined, isPartial: boolean): Promise<Pushed | 'too many edits'> {
  const { wanted, issues } = pass;
  const up = pushingUp(pass);
  const last = ending?.last;
  const edits = isPartial && last ? toSend(last, wanted) : [];
  if (edits.length > 0 && !areFewEdits(edits, up.user)) return 'too many edits';
  const pushed = isPartial ? await pushEdits(edits, last?.stamps ?? new Map(), up, issues) : await (last && pushUp(last, up, issues));
  return { sent: 0, ...pushed, edits };
}

const pushingUp = ({ engine, given, wanted, root, disk }: Pass): PushingUp => ({
  session: given.session,
  cache: engine.cache,
  user: engine.user,
  disk: resting(disk, given.isRestless),
  root,
  transfers: engine.transfers,
  onProgress: given.onProgress,
  wanted,
  brake: engine.brake,
  isConfirmed: given.isConfirmed,
  isWaiting: () => engine.transfers?.waitsFor !== undefined,
  today: localDate(engine.clock.now()),
});

interface Result {
  readonly pulled: PulledFiles;
  readonly pushed: Pushed;
  /** Keys whose download has not ended. */
  readonly unfinished: ReadonlySet<Key>;
  /** The number of issues before this pass. */
  readonly known: number;
  readonly isPartial: boolean;
}

/** What was left undone. If nothing was, the folder counts as in line. */
function report(pass: Pass, result: Result): LeftUndone {
  const { root, issues, unread } = pass;
  const { pulled, pushed } = result;
  const hasSent = pushed.sent > 0;
  for (const [where, why] of unread) issues.push({ what: 'unreadable', where, ...why });
  if (pushed.heldBack) {
    const { heldBack } = pushed;
    const why = because('why.myManyChanges', { count: sumOf(heldBack), of: heldBack.of });
    issues.push({ what: 'many changes', where: inside(root, myFilesFolder), ...why });
    return { heldBack, hasSent };
  }
  settleStanding(pass, result);
  const stale = (pushed.stale ?? []).filter(({ where }) => !unread.has(where));
  return { waiting: pulled.waiting, noRoom: pulled.noRoom, ...waitingOf(pass, result), hasSent, stale };
}

/** Downloads and uploads that have to wait. */
function waitingOf({ engine }: Pass, { pulled: { ending }, pushed }: Result): { readonly waiting?: WaitingTransfers } {
  const why = engine.transfers?.waitsFor;
  const held = ending?.kind === 'settled' ? ending.held : [];
  const files = held.length + (pushed.waiting?.files ?? 0);
  const bytes = held.reduce((sum, step) => sum + step.wanted.size, pushed.waiting?.bytes ?? 0);
  return why && files > 0 ? { waiting: { why, files, bytes } } : {};
}

function settleStanding({ engine, wanted, issues }: Pass, { pulled: { ending }, pushed, unfinished, known, isPartial }: Result): void {
  if (ending?.kind !== 'settled') return;
  // Files that failed or wait are reported on their own, and all others are in line. After any other problem nothing is certain.
  const isInLine = ending.last?.unreadable.length === 0 && issues.length === known + ending.failed.size;
  // The result of an edit is at its path, so these paths are looked at again.
  const again = new Set([...unfinished, ...pushed.edits.flatMap((edit) => (edit.do === 'replace' ? [edit.key] : []))]);
  if (isInLine && (pushed.sent === 0 || isPartial) && !pushed.waiting?.files) engine.standing?.settle(wanted, ending.isWhole, again);
}

/** A file that is still being written is not uploaded until it rests. */
const resting = (disk: Disk, isRestless: SyncRunOptions['isRestless']): Disk => ({
  ...disk,
  async hash(path) {
    const there = isRestless && disk.look?.(path);
    return typeof there === 'object' && isRestless?.(path, there) ? undefined : disk.hash(path);
  },
});

const stagedNameOf = (key: Key, { tree }: Derived): string[] => {
  const wanted = tree.get(key);
  return wanted ? [stagedName(key, wanted)] : [];
};
