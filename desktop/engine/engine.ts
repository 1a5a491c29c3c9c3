// One sync: pull the feed, bring the folder in line, send what the person edited. Says truthfully how it ended.

import type { Kind } from '@carrel/shared/sync/protocol';
import { pullFeed } from './adapters/carrel';
import { diskAt } from './adapters/disk';
import type { Brake } from './brake';
import { runCycle } from './cycle';
import { checkFolder, FolderMissing } from './folder';
import { Outbox } from './outbox';
import type { Disk } from './ports';
import { type Clock, causeOf, Offline, type Session, SignIn } from './remote';
import { sourceOf, stagedName } from './source';
import type { Cache } from './store/cache';
import type { Issue, UserStore } from './store/user';
import type { Key, Path } from './trees';
import { type Account, type WantedTree, wantedTree } from './wanted';

export type Outcome = 'complete' | 'complete with issues' | 'paused' | 'offline' | 'sign in';

export interface Report {
  readonly outcome: Outcome;
  readonly requests: number;
  readonly downloaded: number;
  readonly bytes: number;
  readonly unchanged: number;
  readonly issues: readonly Omit<Issue, 'since'>[];
  readonly duration_ms: number;
}

export interface Progress {
  readonly done: number;
  readonly total: number;
  readonly bytes_done: number;
  readonly bytes_total: number;
}

export interface Engine {
  readonly cache: Cache;
  readonly user: UserStore;
  readonly clock: Clock;
  readonly brake?: Brake;
  /** The disk below the folder; tests put one in that is full. */
  readonly diskOf?: (root: string) => Disk;
}

export interface Sync {
  readonly session: Session;
  readonly account: Account;
  readonly isConfirmed?: boolean;
  readonly onProgress?: (progress: Progress) => void;
  /** What the feed changed is readable in the cache from here on. */
  readonly onPulled?: (kinds: ReadonlySet<Kind>) => void;
  readonly onItem?: (key: Key, state: 'downloading' | 'done' | 'failed', why?: string) => void;
}

const lanes = 6;

/** What was derived last, and from which state of the cache. */
const derived = new WeakMap<Cache, { readonly generation: number; readonly account: Account; readonly wanted: WantedTree }>();

export async function sync(engine: Engine, given: Sync): Promise<Report> {
  const { cache, user, clock } = engine;
  const { session, account } = given;
  const started = clock.now().getTime();
  const before = session.requests;
  const issues: Omit<Issue, 'since'>[] = [];
  const count = { downloaded: 0, bytes: 0, unchanged: 0 };
  let outcome: Outcome = 'complete';
  try {
    const pulled = await pullFeed(session, cache);
    if (pulled.changes > 0) given.onPulled?.(pulled.kinds);
    const wanted = derive(cache, user, account);
    try {
      if (await bringInLine(engine, given, wanted, count, issues)) outcome = 'paused';
    } catch (problem) {
      if (!(problem instanceof FolderMissing)) throw problem;
      outcome = 'paused';
      issues.push({ what: 'paused', where: 'the study folder', why: problem.message });
    }
    // The person's edits wait for no folder.
    await new Outbox(user, clock.now).send(session, cache);
  } catch (problem) {
    if (problem instanceof SignIn) outcome = 'sign in';
    else if (problem instanceof Offline) outcome = 'offline';
    const what = isDiskFull(problem) ? 'disk full' : outcome === 'complete' ? 'sync' : outcome;
    issues.push({ what, where: session.url, why: causeOf(problem) });
  }
  const ended = () => ({ requests: session.requests - before, ...count, issues, duration_ms: clock.now().getTime() - started });
  // Cut off by the program itself: nothing is wrong with the server or the folder.
  if (session.isClosed) return { outcome: 'offline', ...ended() };
  issues.push(...parkedIssues(engine));
  if (outcome === 'complete' && issues.length > 0) outcome = 'complete with issues';
  try {
    user.keepIssues(issues);
    if (outcome === 'complete' || outcome === 'complete with issues') user.set('last_complete_at', clock.now().toISOString());
  } catch (problem) {
    // The report says that the disk is full, even when there is no room to write it down.
    if (!isDiskFull(problem)) throw problem;
  }
  return { outcome, ...ended() };
}

export function derive(cache: Cache, user: UserStore, account: Account): WantedTree {
  const last = derived.get(cache);
  if (last?.generation === cache.generation && last.account === account) return last.wanted;
  const wanted = wantedTree(cache, user, account);
  derived.set(cache, { generation: cache.generation, account, wanted });
  return wanted;
}

/** Returns whether it paused before a change of too many files. */
async function bringInLine(
  engine: Engine,
  { session, isConfirmed, onProgress, onItem }: Sync,
  wanted: WantedTree,
  count: { downloaded: number; bytes: number; unchanged: number },
  issues: Omit<Issue, 'since'>[],
): Promise<boolean> {
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
  let fetched = 0;
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
      if (!isCopy && !step.wanted.generated) fetched++;
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
  }).catch((problem: unknown) => {
    if (!isDiskFull(problem)) throw problem;
    issues.push({ what: 'disk full', where: root, why: 'there is no space left on the disk' });
    return undefined;
  });
  count.downloaded = fetched;
  count.unchanged = atStart.filter((key) => !touched.has(key)).length;
  if (ending?.kind === 'paused') {
    const why = `${ending.changes} of ${ending.of} files would be removed or replaced at once. Nothing was changed; confirm with: carrel sync --confirm`;
    issues.push({ what: 'paused', where: root, why });
    return true;
  }
  // Broken-off downloads of what is still wanted are taken up next time.
  const unfinished = ending?.failed ?? new Set(wanted.tree.keys());
  await disk.tidy(new Set([...unfinished].flatMap((key) => stagedNameOf(key, wanted))));
  return false;
}

const stagedNameOf = (key: Key, { tree }: WantedTree): string[] => {
  const wanted = tree.get(key);
  return wanted ? [stagedName(key, wanted)] : [];
};

const parkedIssues = ({ user, clock }: Engine): Omit<Issue, 'since'>[] =>
  new Outbox(user, clock.now)
    .pending()
    .filter(({ state }) => state === 'parked')
    .map(({ entity, verb, reason }) => ({ what: `your edit (${verb})`, where: entity, why: reason ?? 'the server did not take it' }));

/** SQLite has its own number for it. */
const isDiskFull = (problem: unknown): boolean =>
  problem instanceof Error &&
  (('code' in problem && (problem.code === 'ENOSPC' || problem.code === 'EDQUOT')) || ('errcode' in problem && problem.errcode === 13));

/** The day as the person calls it. */
function localDate(now: Date): string {
  const two = (part: number) => `${part}`.padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}
