// One sync: read the feed, send what the user edited, bring the folder in line. Reports exactly how it ended.

import { setImmediate } from 'node:timers/promises';
import { wordsOfHold } from '../../language/holds';
import { diskAt, type Net } from '../disk/disk';
import { checkFolder, FolderMissing } from '../disk/folder';
import { FolderInUse, lockFolder } from '../disk/folder_lock';
import { type Intent, sayingOf } from '../outbox/intents';
import { Outbox } from '../outbox/outbox';
import { signReceipts } from '../outbox/receipts';
import { fetchAnonymousWork } from '../server/anonymous_work';
import { fetchAttachments } from '../server/attachments';
import { listsTouchedBy } from '../server/canvas/touched';
import { fetchGradingFacts } from '../server/grading_facts';
import { pull, wayOf } from '../server/pull';
import { Offline, SignInRequired } from '../server/session';
import { fetchThreads } from '../server/threads';
import { ageTotals, fetchTotals } from '../server/totals';
import { isDamage } from '../store/damage';
import { chosenForGrading, gradedInFolders } from '../store/kept_choices';
import { bringInLine } from './bring_in_line';
import { isDiskFull, isReadOnly } from './disk_problems';
import { writeGradedFolders } from './graded_folders/write_folders';
import { lostWork } from './lost_work';
import type { SyncCount } from './pass';
import { because, type SyncProblem, type Why, whyOf } from './reason';
import type { LeftUndone, SyncEngine, SyncRunOptions } from './request';
import { keepTrouble, salvagedLately, troubleOf } from './trouble';
import { lookAgain } from './verify/second_look';
import { type Derived, derive, deriveInSlices } from './wanted/derive';

type Outcome = 'complete' | 'complete with issues' | 'paused' | 'waiting' | 'offline' | 'sign in' | 'failed';

export interface SyncReport {
  readonly outcome: Outcome;
  readonly requests: number;
  readonly downloaded: number;
  readonly bytes: number;
  readonly unchanged: number;
  readonly issues: readonly SyncProblem[];
  readonly duration_ms: number;
}

/**
 * An upload returns with the feed and may need another: bytes first, then the name. A disagreement that does not end waits for
 * the next sync.
 */
const mostPushes = 4;

export async function runSync(engine: SyncEngine, given: SyncRunOptions): Promise<SyncReport> {
  const { user, clock } = engine;
  const { session } = given;
  const started = clock.now().getTime();
  const salvaged = salvagedLately(user, clock.now());
  const before = session.requests;
  const run: Run = { engine, given, count: { downloaded: 0, bytes: 0, unchanged: 0 }, issues: [] };
  const { issues, count } = run;
  // Counted for each sync: if no request of it gets a response, the server is unreachable.
  session.answers = 0;
  const reached = await inSteps(run).catch((problem: unknown) => failure(problem, given));
  if (reached.issue) issues.push(reached.issue);
  const ended = () => ({ requests: session.requests - before, ...count, issues, duration_ms: clock.now().getTime() - started });
  // Cancelled by the program itself: this is no problem of the server or the folder.
  if (session.isClosed) return { outcome: 'offline', ...ended() };
  issues.push(...parkedIssues(engine));
  if (salvaged) issues.push({ what: 'damaged', where: salvaged.aside, ...because('why.salvaged') });
  const outcome = reached.outcome === 'complete' && issues.length > 0 ? 'complete with issues' : reached.outcome;
  keepResult(engine, { ...reached, outcome }, issues);
  return { outcome, ...ended() };
}

/** What the steps of one sync work with; each adds the problems that it finds. */
interface Run {
  readonly engine: SyncEngine;
  readonly given: SyncRunOptions;
  readonly count: SyncCount;
  readonly issues: SyncProblem[];
}

/** How far a sync came, and what ended it. */
interface Reached {
  readonly outcome: Outcome;
  readonly issue?: SyncProblem;
  readonly trouble?: ReturnType<typeof troubleOf>;
}

/** Feed, outbox, folder. */
async function inSteps(run: Run): Promise<Reached> {
  const { cache, user } = run.engine;
  const hasNew = await exchange(run);
  const wanted = await deriveInSlices(cache, user, run.given.account, setImmediate);
  try {
    return { outcome: await settleFolder(run, wanted, hasNew) };
  } catch (problem) {
    if (!(problem instanceof FolderMissing || problem instanceof FolderInUse)) throw problem;
    return { outcome: 'paused', issue: { what: 'paused', where: problem.folder, ...whyOf(problem) } };
  }
}

/** What may be new. */
interface Exchanged {
  readonly attachments: boolean;
  /** Of students, besides what the feed has sent. */
  readonly work: boolean;
}

/** Everything but the folder. */
async function exchange({ engine, given, issues }: Run): Promise<Exchanged> {
  const { cache, user, clock } = engine;
  const { session, onPulled } = given;
  const hasNewWork = await ask(engine, given, issues);
  // The user's edits do not wait for the folder or downloads; their effect on the server is requested at once.
  const outbox = new Outbox(user, clock.now);
  const only = listsOf(outbox.pending());
  const isOfAnonymous = outbox.pending().some((intent) => intent.verb === 'grade' && intent.body.anonymous_id !== undefined);
  const hasSent = await outbox.send(session, cache);
  const hasAnswered = await given.quizzes?.sendAll();
  if (hasSent || hasAnswered) await ask(engine, given, issues, only);
  await signReceipts(session, user);
  const lost = lostWork(cache, user, clock.now());
  const isGraded = await fetchGradingFacts(session, cache, chosenForGrading(user), clock.now());
  const isDue = isOfAnonymous || given.isThorough !== false;
  const hasAnonymous = await fetchAnonymousWork(gradedInFolders(user), { session, cache, now: clock.now(), isDue });
  const fetched = await fetchThreads(session, cache, clock.now);
  if (isGraded) onPulled?.(new Set(['enrollment']));
  if (fetched.size > 0) onPulled?.(fetched);
  if (await fetchTotals(session, cache)) onPulled?.(new Set(['enrollment']));
  issues.push(...lost);
  return { attachments: fetched.size > 0 || hasNewWork, work: isGraded || hasAnonymous };
}

async function settleFolder({ engine, given, count, issues }: Run, wanted: Derived, hasNew: Exchanged): Promise<Outcome> {
  const { cache, user, clock, transfers } = engine;
  const { session } = given;
  const root = checkFolder(user);
  let unlock: (() => void) | undefined;
  // If nothing changes in the folder, no lock is needed.
  const enter = async () => {
    unlock ??= await lockFolder(root);
  };
  try {
    const left = await inPasses({ engine, given: { ...given, enter }, count, issues }, wanted);
    // Given up in this sync, so the folder is not in line.
    issues.push(...(left.stale ?? []));
    const outcome = left.heldBack ? 'paused' : left.waiting ? 'waiting' : 'complete';
    given.onLeft?.(left);
    if (await fetchAttachments({ cache, user, session, transfers }, hasNew.attachments))
      given.onPulled?.(new Set(['conversation', 'discussion_topic']));
    if (outcome !== 'paused' && !session.isClosed) {
      const around = { cache, user, session, account: given.account, wanted, root, now: clock.now, transfers, enter, issues };
      const diskOf = (net?: Net) => engine.diskOf?.(root, net) ?? diskAt(root, { net });
      await writeGradedFolders({ ...around, diskOf }, hasNew.work || given.isThorough !== false);
    }
    if (outcome === 'complete' && !session.isClosed) {
      const root = checkFolder(user);
      issues.push(...(await lookAgain(engine.diskOf?.(root) ?? diskAt(root), user, clock.now(), wanted.bothWays)));
    }
    return outcome;
  } finally {
    unlock?.();
  }
}

/** Brings the folder in line, again after each upload. */
async function inPasses({ engine, given, count, issues }: Run, wanted: Derived): Promise<LeftUndone> {
  const { cache, user } = engine;
  const known = issues.length;
  let left = await bringInLine(engine, given, wanted, count, issues);
  for (let nth = 0; left.hasSent && nth < mostPushes; nth++) {
    // Earlier problems are checked again.
    issues.splice(known);
    // Without a feed, the lists would only repeat the responses of the server.
    if (wayOf(cache) === 'feed') await ask(engine, given, issues);
    left = await bringInLine(engine, given, derive(cache, user, given.account), count, issues);
  }
  return left;
}

/** What a problem that ended the sync means. Throws damage that can be repaired. */
function failure(problem: unknown, { session, isMended }: SyncRunOptions): Reached {
  if (isDamage(problem) && !isMended) throw problem;
  const outcome = problem instanceof SignInRequired ? 'sign in' : problem instanceof Offline ? 'offline' : 'failed';
  const what = isDiskFull(problem) ? 'disk full' : isReadOnly(problem) ? 'read only' : outcome;
  return { outcome, issue: { what, where: session.url, ...whyOf(problem) }, trouble: troubleOf(problem) };
}

function keepResult({ user, clock }: SyncEngine, { outcome, trouble }: Reached, issues: readonly SyncProblem[]): void {
  try {
    user.issues.keep(issues);
    keepTrouble(user, clock.now, trouble);
    if (outcome === 'complete' || outcome === 'complete with issues') user.set('last_complete_at', clock.now().toISOString());
  } catch (problem) {
    // The report says that the disk is full or read-only, even if that cannot be stored.
    if (!isDiskFull(problem) && !isReadOnly(problem)) throw problem;
  }
}

/**
 * Returns whether submissions have changed.
 * @param only which lists of a server without the feed
 */
async function ask(
  { cache, user, clock }: SyncEngine,
  { session, onPulled, isThorough }: SyncRunOptions,
  issues: SyncProblem[],
  only?: ReadonlySet<string>,
): Promise<boolean> {
  const isKnown = wayOf(cache) === 'feed';
  const {
    changes,
    kinds,
    isRebuilt,
    troubles = [],
  } = await pull(session, cache, clock, { isThorough, only, graded: chosenForGrading(user) });
  if (isRebuilt && isKnown) user.set('rebuilt_at', clock.now().toISOString());
  session.isForgetful = wayOf(cache) === 'lists';
  ageTotals(cache, kinds);
  if (changes > 0) onPulled?.(kinds);
  for (const { where, problem } of troubles)
    if (!issues.some((issue) => issue.where === where)) issues.push({ what: 'list', where, ...whyOf(problem) });
  return kinds.has('submission');
}

/** The lists that change with these intents, beyond the response of the server. */
const listsOf = (intents: readonly Intent[]): ReadonlySet<string> => new Set(intents.flatMap(listsTouchedBy));

const parkedIssues = ({ cache, user, clock }: SyncEngine): SyncProblem[] =>
  new Outbox(user, clock.now)
    .pending()
    .filter(({ state }) => state === 'parked')
    .map((intent) => ({ ...sayingOf(intent, cache), ...whyParked(intent) }));

/** In the words of the desk if it knows the reason, otherwise in those of the server. */
function whyParked({ hold, reason, verb }: Intent): Why {
  if (hold === null || hold === 'declined' || hold === 'trouble') return reason === null ? because('why.notTaken') : { why: reason };
  return { ...because(wordsOfHold(hold, verb)), ...(reason !== null && { why: reason }) };
}
