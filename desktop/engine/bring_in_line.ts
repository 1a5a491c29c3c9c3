// Brings the study folder in line with what the server wants, and reports what came of it.

import type { HeldBack } from '../ui/views/state';
import { diskAt } from './adapters/disk';
import { sumOf } from './brake';
import { runCycle } from './cycle';
import type { Derived } from './derive';
import type { Engine, Problem, Sync } from './engine';
import { checkFolder } from './folder';
import { causeOf, Offline, SignIn } from './remote';
import { sourceOf, stagedName } from './source';
import type { Key, Path } from './trees';

/** Parallel downloads. */
const lanes = 6;

/** Returns what it held back: a change of too many files at once. */
export async function bringInLine(
  engine: Engine,
  { session, isConfirmed, onProgress, onItem }: Sync,
  wanted: Derived,
  count: { downloaded: number; bytes: number; unchanged: number },
  issues: Problem[],
): Promise<HeldBack | undefined> {
  const { cache, user, clock, brake } = engine;
  const root = checkFolder(user);
  const disk = (engine.diskOf ?? diskAt)(root);
  const progress = { done: 0, total: 0, bytes_done: 0, bytes_total: 0 };
  const tell = () => onProgress?.({ ...progress });
  const onBytes = (bytes: number) => {
    count.bytes += bytes;
    progress.bytes_done += bytes;
    tell();
  };
  const source = sourceOf({ cache, wanted, session, root, onBytes });
  const atStart = [...user.rows().keys()];
  const touched = new Set<Key>();
  const ending = await runCycle({
    disk,
    ledger: user,
    source,
    today: () => localDate(clock.now()),
    lanes,
    brake,
    isConfirmed,
    isFatal: (problem) => problem instanceof SignIn || problem instanceof Offline || isDiskFull(problem),
    onUnreadable(folders) {
      for (const where of folders) issues.push({ what: 'folder', where, why: 'it cannot be read; nothing was taken for deleted' });
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
      issues.push({ what: step.do === 'pull' ? 'download' : step.do, where, why: causeOf(problem) });
      onItem?.(step.key, 'failed', causeOf(problem));
      tell();
    },
  })
    .catch((problem: unknown) => {
      if (!isDiskFull(problem)) throw problem;
      issues.push({ what: 'disk full', where: root, why: 'there is no space left on the disk' });
      return undefined;
    })
    .finally(() => {
      const still = user.rows();
      count.unchanged = atStart.filter((key) => !touched.has(key) && still.has(key)).length;
    });
  if (ending?.kind === 'paused') {
    const { heldBack } = ending;
    issues.push({
      what: 'many changes',
      where: root,
      why: `${sumOf(heldBack)} of ${heldBack.of} files would be removed or replaced at once. Nothing was changed.`,
    });
    return heldBack;
  }
  // Broken-off downloads of what is still wanted are taken up next time.
  const unfinished = ending?.failed ?? new Set(wanted.tree.keys());
  await disk.tidy(new Set([...unfinished].flatMap((key) => stagedNameOf(key, wanted))));
  return undefined;
}

const stagedNameOf = (key: Key, { tree }: Derived): string[] => {
  const wanted = tree.get(key);
  return wanted ? [stagedName(key, wanted)] : [];
};

/** SQLite has its own number for it. */
export const isDiskFull = (problem: unknown): boolean =>
  problem instanceof Error &&
  (('code' in problem && (problem.code === 'ENOSPC' || problem.code === 'EDQUOT')) || ('errcode' in problem && problem.errcode === 13));

/** The day as the person calls it. */
function localDate(now: Date): string {
  const two = (part: number) => `${part}`.padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}
