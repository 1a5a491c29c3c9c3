// Brings the study folder in line with the server, and reports the result.

import type { NoRoom, Waiting } from '../../contract/transfers';
import { t } from '../../language/texts';
import { diskAt } from '../disk/disk';
import { checkFolder } from '../disk/folder';
import { spaceOn, TooFull, whatFits } from '../disk/free_space';
import { inside } from '../disk/inside';
import { netOf } from '../disk/safety_net';
import { localDate, myFilesFolder } from '../model/names';
import type { Disk } from '../model/ports';
import type { Key, Path } from '../model/trees';
import { sumOf } from '../planner/brake';
import { areFilesTold } from '../server/canvas/pull';
import { wayOf } from '../server/pull';
import { causeOf, Interrupted, Offline, SignIn } from '../server/session';
import { usualRules } from '../server/transfer_rules';
import { isDamage } from '../store/damage';
import { isStoreReadOnly } from '../store/driver';
import { runCycle } from './cycle';
import { because, type Problem, type Why, whyOf } from './reason';
import { hasOthers, settleRefetch } from './refetch';
import { relocate } from './relocate';
import type { Engine, LeftUndone, Sync } from './request';
import { moveFoldersHere } from './uploads/keep_folders';
import { adoptOwnSteps } from './uploads/own_steps';
import { areFewEdits, forgottenThere, type PushedUp, pushEdits, pushUp, toSend } from './uploads/push_up';
import type { Derived } from './wanted/derive';
import { missingBytes, sourceOf, stagedName } from './wanted/source';

export async function bringInLine(
  engine: Engine,
  given: Sync,
  wanted: Derived,
  count: { downloaded: number; bytes: number; unchanged: number },
  issues: Problem[],
): Promise<LeftUndone> {
  const { cache, user, clock, brake, transfers, standing } = engine;
  const { session, isConfirmed, isThorough = true, onProgress, onLooked, onItem } = given;
  const root = checkFolder(user);
  const net = netOf(cache, user, clock.now);
  const bare = engine.diskOf?.(root, net) ?? diskAt(root, { trash: engine.trash, net });
  const unread = new Map<Path, Why>();
  const disk = noticing(standing?.watched(root, bare) ?? bare, unread);
  const progress = { done: 0, total: 0, bytes_done: 0, bytes_total: 0 };
  const tell = () => onProgress?.({ ...progress });
  const onBytes = (bytes: number) => {
    count.bytes += bytes;
    progress.bytes_done += bytes;
    tell();
  };
  const room = () => spaceOn(disk);
  const source = sourceOf({ cache, wanted, session, root, onBytes, transfers, room });
  const left: { waiting?: Waiting; noRoom?: NoRoom } = {};
  const known = issues.length;
  await user.readRows();
  const refetched = cache.refetched();
  const adopted = adoptOwnSteps(cache, user, wanted.tree, clock.now());
  // After a change of history the server may not have what was sent.
  const own = refetched === undefined ? adopted : new Set<Key>();
  if (refetched !== undefined) await settleRefetch(refetched, { cache, user, session, wanted });
  user.checkUnwanted(wanted.tree);
  await relocate(disk, user, wanted.homes, given.enter);
  const since = standing?.focus(wanted, cache, user);
  const isWholeLook = isThorough || isConfirmed || refetched !== undefined || hasOthers(since?.keys, wanted.tree, user.rows());
  const focus = isWholeLook ? undefined : since;
  if (focus?.keys.size === 0 && focus.paths.size === 0) {
    standing?.settle(wanted, false);
    count.unchanged = user.rows().size;
    onLooked?.(focus.keys);
    return {};
  }
  await given.enter?.();
  // If a folder has changed, everything is scanned.
  if (!focus) await moveFoldersHere(disk, user, wanted);
  const isTold = wayOf(cache) === 'feed' || areFilesTold(cache, null);
  if (!focus && isTold) user.note(forgottenThere(user.rows(), wanted, cache).flatMap((key) => (own.has(key) ? [] : [{ drop: key }])));
  const atStart = focus ? undefined : [...user.rows().keys()];
  const touched = new Set<Key>();
  const tellNoRoom = (problem: TooFull): void => {
    const { files, needs, free, reserve } = problem;
    left.noRoom = { files, needs, free, reserve };
    issues.push({ what: 'no room', where: root, ...whyOf(problem), why: t('why.noRoom', { why: problem.message }) });
  };
  const ending = await runCycle({
    depth: wanted.depth,
    disk,
    ledger: user,
    source,
    today: () => localDate(clock.now()),
    lanes: (transfers?.rules() ?? usualRules).lanes,
    brake,
    isConfirmed,
    focus,
    isFatal: (problem) =>
      problem instanceof SignIn ||
      problem instanceof Offline ||
      problem instanceof Interrupted ||
      problem instanceof TooFull ||
      isDamage(problem) ||
      isDiskFull(problem) ||
      isReadOnly(problem),
    holds: ({ wanted: { generated } }) => !generated && transfers?.waitsFor !== undefined,
    admit: async (pulls) => {
      // A read-only disk may report no free space.
      await disk.expectWritable?.();
      return whatFits(pulls, ({ key, wanted }) => missingBytes(root, key, wanted), await room());
    },
    onUnreadable(folders) {
      for (const where of folders) {
        const isFile = where === myFilesFolder && typeof disk.look?.(where) === 'object';
        issues.push({ what: 'folder', where, ...because(isFile ? 'why.myFilesIsFile' : 'why.folderUnreadable') });
      }
    },
    onPlan(pulls) {
      progress.total += pulls.length;
      progress.bytes_total += pulls.reduce((sum, { wanted: { size, generated } }) => sum + (generated ? 0 : size), 0);
      tell();
    },
    onPulling: ({ key }) => onItem?.(key, 'downloading'),
    onPulled(step, isCopy) {
      touched.add(step.key);
      if (!isCopy && !step.wanted.generated) count.downloaded++;
      progress.done++;
      onItem?.(step.key, 'done');
      tell();
    },
    onFailed(step, problem) {
      progress.done++;
      const where: Path = wanted.tree.get(step.key)?.path ?? step.key;
      issues.push({ what: step.do === 'pull' ? 'download' : 'here', where, ...whyOf(problem) });
      onItem?.(step.key, 'failed', causeOf(problem));
      tell();
    },
  })
    .catch((problem: unknown) => {
      if (problem instanceof Interrupted) {
        const { done, total, bytes_done, bytes_total } = progress;
        const why = transfers?.waitsFor ?? 'hand';
        left.waiting = { why, files: total - done, bytes: Math.max(0, bytes_total - bytes_done) };
        return undefined;
      }
      if (problem instanceof TooFull) {
        tellNoRoom(problem);
        return undefined;
      }
      if (isReadOnly(problem)) {
        issues.push({ what: 'read only', where: root, ...because('why.readOnly') });
        return undefined;
      }
      if (!isDiskFull(problem)) throw problem;
      issues.push({ what: 'disk full', where: root, ...because('why.diskFull') });
      return undefined;
    })
    .finally(() => {
      source.close();
      const still = user.rows();
      count.unchanged = atStart
        ? atStart.filter((key) => !touched.has(key) && still.has(key)).length
        : still.size - [...touched].filter((key) => still.has(key)).length;
    });
  if (ending?.kind === 'settled' && ending.noRoom) tellNoRoom(ending.noRoom);
  const isGlance = focus && ending?.kind === 'settled' && !ending.isWhole;
  onLooked?.(isGlance ? new Set([...focus.keys, ...(ending.last?.trees.base.keys() ?? [])]) : undefined);
  if (ending?.kind === 'paused') {
    const { heldBack } = ending;
    issues.push({
      what: 'many changes',
      where: root,
      ...because('why.manyChanges', { count: sumOf(heldBack), of: heldBack.of }),
    });
    return { heldBack };
  }
  // Interrupted downloads of wanted files continue in the next sync.
  const held = ending?.held ?? [];
  const unfinished = ending ? new Set([...ending.failed, ...held.map(({ key }) => key)]) : new Set(wanted.tree.keys());
  await disk.tidy(new Set([...unfinished].flatMap((key) => stagedNameOf(key, wanted))));
  net.recovery.tidy();
  const isWaiting = () => transfers?.waitsFor !== undefined;
  const today = localDate(clock.now());
  const restingDisk = resting(disk, given.isRestless);
  const up = { session, cache, user, disk: restingDisk, root, transfers, wanted, brake, isConfirmed, isWaiting, today };
  const last = isTold ? ending?.last : undefined;
  const edits = isGlance && last ? toSend(last, wanted) : [];
  if (edits.length > 0 && !areFewEdits(edits, user)) return bringInLine(engine, { ...given, isThorough: true }, wanted, count, issues);
  const push = () => (isGlance ? pushEdits(edits, last?.stamps ?? new Map(), up, issues) : last && pushUp(last, up, issues));
  const pushed: PushedUp = (await push()) ?? { sent: 0 };
  const { sent, heldBack } = pushed;
  for (const [where, why] of unread) issues.push({ what: 'unreadable', where, ...why });
  if (heldBack) {
    issues.push({
      what: 'many changes',
      where: inside(root, myFilesFolder),
      ...because('why.myManyChanges', { count: sumOf(heldBack), of: heldBack.of }),
    });
    return { heldBack, hasSent: sent > 0 };
  }
  const why = transfers?.waitsFor;
  const files = held.length + (pushed.waiting?.files ?? 0);
  const bytes = held.reduce((sum, step) => sum + step.wanted.size, pushed.waiting?.bytes ?? 0);
  if (why && files > 0) left.waiting = { why, files, bytes };
  // Files that failed or wait are reported on their own, and all others are in line. After any other problem nothing is certain.
  const isInLine = ending?.kind === 'settled' && ending.last?.unreadable.length === 0 && issues.length === known + ending.failed.size;
  // The result of an edit is at its path, so these paths are looked at again.
  const again = new Set([...unfinished, ...edits.flatMap((edit) => (edit.do === 'replace' ? [edit.key] : []))]);
  if (isInLine && (sent === 0 || isGlance) && !pushed.waiting?.files) standing?.settle(wanted, ending.isWhole, again);
  return { ...left, hasSent: sent > 0, stale: (pushed.stale ?? []).filter(({ where }) => !unread.has(where)) };
}

/** Notes which files could not be read: they are neither uploaded nor compared. */
function noticing(disk: Disk, unread: Map<Path, Why>): Disk {
  return {
    ...disk,
    async hash(path) {
      const seen = await disk.hash(path);
      const problem = seen ? undefined : disk.whyUnread?.(path);
      if (problem) unread.set(path, { ...because('why.fileUnreadable', { where: path }) });
      else unread.delete(path);
      return seen;
    },
  };
}

/** A file that is still being written is not uploaded until it rests. */
const resting = (disk: Disk, isRestless: Sync['isRestless']): Disk => ({
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

/** Of the whole disk; a restriction of a single file is reported for that file. */
export const isReadOnly = (problem: unknown): boolean =>
  isStoreReadOnly(problem) || (problem instanceof Error && 'code' in problem && problem.code === 'EROFS');

/** SQLite reports it with a code of its own. */
export const isDiskFull = (problem: unknown): boolean =>
  problem instanceof Error &&
  (('code' in problem && (problem.code === 'ENOSPC' || problem.code === 'EDQUOT')) || ('errcode' in problem && problem.errcode === 13));
