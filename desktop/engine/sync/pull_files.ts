// Brings the study folder to the state of the server: one cycle, with its progress, and what stopped it.

import type { NoRoom, WaitingTransfers } from '../../contract/transfers';
import { t } from '../../language/texts';
import { spaceOn, TooFull, whatFits } from '../disk/free_space';
import { localDate, myFilesFolder } from '../model/names';
import type { Key, Path } from '../model/trees';
import { causeOf, Interrupted, Offline, SignInRequired } from '../server/session';
import { usualRules } from '../server/transfer_rules';
import { isDamage } from '../store/damage';
import { type Cycle, type CycleEnding, runCycle } from './cycle';
import { isDiskFull, isReadOnly } from './disk_problems';
import type { Focus } from './partial_scan';
import type { Pass } from './pass';
import { because, type SyncProblem, whyOf } from './reason';
import type { SyncProgress } from './request';
import { missingBytes, remoteSourceOf } from './wanted/source';

export interface PulledFiles {
  /** Undefined if the cycle was stopped. */
  readonly ending?: CycleEnding;
  readonly waiting?: WaitingTransfers;
  readonly noRoom?: NoRoom;
}

/** Why a cycle was stopped, without the sync having failed. */
interface Stop extends Omit<PulledFiles, 'ending'> {
  readonly issue?: SyncProblem;
}

type Counting = { -readonly [P in keyof SyncProgress]: SyncProgress[P] };

/** @param focus what may have changed; undefined: everything */
export async function pullFiles(pass: Pass, focus: Focus | undefined): Promise<PulledFiles> {
  const { engine, given, wanted, count, issues, root, disk } = pass;
  const { cache, user, transfers } = engine;
  const progress: Counting = { done: 0, total: 0, bytes_done: 0, bytes_total: 0 };
  const onBytes = (bytes: number): void => {
    count.bytes += bytes;
    progress.bytes_done += bytes;
    given.onProgress?.({ ...progress });
  };
  const room = () => spaceOn(disk);
  const source = remoteSourceOf({ cache, wanted, session: given.session, root, onBytes, transfers, room });
  const before = focus ? undefined : [...user.rows().keys()];
  const touched = new Set<Key>();
  const { ending, issue, ...left }: Stop & PulledFiles = await runCycle({
    ...conditions(pass, focus),
    ...events(pass, progress, touched),
    source,
    admit: async (pulls) => {
      // A read-only disk may report no free space.
      await disk.expectWritable?.();
      return whatFits(pulls, ({ key, wanted }) => missingBytes(root, key, wanted), await room());
    },
  })
    .then(
      (ending) => ({ ending, ...(ending.kind === 'settled' && ending.noRoom && noRoomAt(root, ending.noRoom)) }),
      (problem: unknown) => {
        const stop = stopOf(problem, pass, progress);
        if (!stop) throw problem;
        return stop;
      },
    )
    .finally(() => {
      source.close();
      count.unchanged = countUnchanged(before, touched, user.rows());
    });
  if (issue) issues.push(issue);
  return { ...left, ...(ending && { ending }) };
}

const conditions = (
  { engine, given, wanted, disk }: Pass,
  focus: Focus | undefined,
): Omit<Cycle, 'source' | 'admit' | keyof ReturnType<typeof events>> => ({
  depth: wanted.depth,
  disk,
  ledger: engine.user,
  today: () => localDate(engine.clock.now()),
  lanes: (engine.transfers?.rules() ?? usualRules).lanes,
  brake: engine.brake,
  isConfirmed: given.isConfirmed,
  focus,
  isFatal: (problem) => problem instanceof SignInRequired || problem instanceof Offline || isDamage(problem) || isStop(problem),
  holds: ({ wanted: { generated } }) => !generated && engine.transfers?.waitsFor !== undefined,
});

/** Counts what happens, and reports it. */
function events({ given, wanted, count, issues, disk }: Pass, progress: Counting, touched: Set<Key>) {
  const { onItem } = given;
  const report = () => given.onProgress?.({ ...progress });
  return {
    onUnreadable(folders) {
      for (const where of folders) {
        const isFile = where === myFilesFolder && typeof disk.look?.(where) === 'object';
        issues.push({ what: 'folder', where, ...because(isFile ? 'why.myFilesIsFile' : 'why.folderUnreadable') });
      }
    },
    onPlan(pulls) {
      progress.total += pulls.length;
      progress.bytes_total += pulls.reduce((sum, { wanted: { size, generated } }) => sum + (generated ? 0 : size), 0);
      report();
    },
    onPulling: ({ key }) => onItem?.(key, 'downloading'),
    onPulled(step, isCopy) {
      touched.add(step.key);
      if (!isCopy && !step.wanted.generated) count.downloaded++;
      progress.done++;
      onItem?.(step.key, 'done');
      report();
    },
    onFailed(step, problem) {
      progress.done++;
      const where: Path = wanted.tree.get(step.key)?.path ?? step.key;
      issues.push({ what: step.do === 'pull' ? 'download' : 'here', where, ...whyOf(problem) });
      onItem?.(step.key, 'failed', causeOf(problem));
      report();
    },
  } satisfies Partial<Cycle>;
}

const isStop = (problem: unknown): boolean =>
  problem instanceof Interrupted || problem instanceof TooFull || isReadOnly(problem) || isDiskFull(problem);

/** Undefined: the sync has failed. */
function stopOf(problem: unknown, { engine, root }: Pass, progress: SyncProgress): Stop | undefined {
  if (problem instanceof Interrupted) return { waiting: waitingFor(engine.transfers?.waitsFor, progress) };
  if (problem instanceof TooFull) return noRoomAt(root, problem);
  if (isReadOnly(problem)) return { issue: { what: 'read only', where: root, ...because('why.readOnly') } };
  if (isDiskFull(problem)) return { issue: { what: 'disk full', where: root, ...because('why.diskFull') } };
  return undefined;
}

const waitingFor = (why: WaitingTransfers['why'] = 'hand', { done, total, bytes_done, bytes_total }: SyncProgress): WaitingTransfers => ({
  why,
  files: total - done,
  bytes: Math.max(0, bytes_total - bytes_done),
});

function noRoomAt(root: string, problem: TooFull): Stop {
  const { files, needs, free, reserve } = problem;
  const issue = { what: 'no room', where: root, ...whyOf(problem), why: t('why.noRoom', { why: problem.message }) };
  return { noRoom: { files, needs, free, reserve }, issue };
}

/** @param before the keys of a full scan; a partial one counts all files that it did not touch */
function countUnchanged(before: readonly Key[] | undefined, touched: ReadonlySet<Key>, now: ReadonlyMap<Key, unknown>): number {
  if (before) return before.filter((key) => !touched.has(key) && now.has(key)).length;
  return now.size - [...touched].filter((key) => now.has(key)).length;
}
