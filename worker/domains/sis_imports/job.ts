// SIS imports as queued work: one at a time, in order of arrival. A message only triggers work; each delivery works for a limited time and then
// queues the next, to stay within the time limit.

import { wireTime } from '@carrel/shared/wire/fields';
import { and, eq, inArray, lt, sql } from 'drizzle-orm';
import { type Database, newMeter, open } from '../../database/open';
import type { Job, Platform } from '../../platform';
import { longestStep, mostCalls, mostCrashes, Overtaken, textOfError } from '../../steps';
import { applyFiles } from './apply';
import { cleanUp } from './cleanup';
import { compareWithPrevious } from './files/compare';
import { unpack } from './files/unpack';
import { finishImport } from './finish';
import { isBatch } from './row_rules';
import { sis_imports } from './table';
import { type ImportRow, type ImportStep, ImportWork } from './work';

/** Failures of several deliveries within this time, in milliseconds, count as one. */
const oneCrash = 700;

const unfinished = ['initializing', 'created', 'importing', 'cleanup_batch'] as const;

const head = async (db: Database): Promise<ImportRow | undefined> => {
  const [[it]] = await db.perform([
    db.build
      .select()
      .from(sis_imports)
      .where(inArray(sis_imports.workflow_state, [...unfinished]))
      .orderBy(sis_imports.id)
      .limit(1),
  ]);
  return it;
};

type Phase = ImportRow['phase'];
const next: Partial<Record<Phase, Phase>> = { unpack: 'diff', diff: 'apply', apply: 'cleanup', cleanup: 'finish' };

/** @returns whether the import has ended */
async function leg(work: ImportWork, mayGoOn: () => boolean): Promise<boolean> {
  if (work.it.workflow_state === 'created') await work.commit({ set: { workflow_state: 'importing', started_at: work.now() } });
  const phases: Partial<Record<Phase, () => Promise<boolean | ImportStep>>> = {
    unpack: () => unpack(work, mayGoOn),
    // Diffing is ignored in batch mode.
    diff: () => (isBatch(work.it.options) ? Promise.resolve(true) : compareWithPrevious(work, mayGoOn)),
    apply: () => applyFiles(work, mayGoOn),
    cleanup: () => cleanUp(work, mayGoOn),
  };
  for (;;) {
    const phase = phases[work.it.phase];
    if (!phase) {
      await finishImport(work);
      return true;
    }
    const ended = await phase();
    if (ended === false) return false;
    await work.commit({ ...(ended === true ? {} : ended), set: { phase: next[work.it.phase] ?? 'finish' } });
  }
}

/** Counts a failure, once for deliveries that fail together. @returns whether to give up */
async function crashed(db: Database, { id, step }: ImportRow): Promise<boolean> {
  const at = Date.now();
  const [, [after]] = await db.perform([
    db.build.run(
      sql`update sis_imports set crashes = crashes + 1, crashed_at = ${at} where id = ${id} and step = ${step} and crashed_at < ${at - oneCrash}`,
    ),
    db.build.select({ crashes: sis_imports.crashes, step: sis_imports.step }).from(sis_imports).where(eq(sis_imports.id, id)),
  ]);
  return after !== undefined && after.step === step && after.crashes >= mostCrashes;
}

/** `ended` lets the next import start, `paused` needs another delivery, and `overtaken` leaves the import to a concurrent one. */
type Outcome = 'ended' | 'paused' | 'overtaken';

async function attempt(work: ImportWork, mayGoOn: () => boolean): Promise<Outcome> {
  const { env, db, it } = work;
  try {
    return (await leg(work, mayGoOn)) ? 'ended' : 'paused';
  } catch (error) {
    // An import that was aborted is no longer the first one.
    if (error instanceof Overtaken) return (await head(db))?.id === it.id ? 'overtaken' : 'ended';
    if (!(await crashed(db, work.it))) throw error;
    console.error(JSON.stringify({ job: 'sis_import', sis_import_id: it.id, error: textOfError(error) }));
    const again = await head(db);
    if (again?.id === it.id) await finishImport(new ImportWork(env, db, again), textOfError(error).slice(0, 500));
    return 'ended';
  }
}

export async function runImports(_job: Job, env: Platform): Promise<void> {
  const started = Date.now();
  const hasTime = () => Date.now() - started < longestStep;
  for (;;) {
    const db = open(env.DB, newMeter(), 'first-primary');
    const it = await head(db);
    if (!it) return;
    const work = new ImportWork(env, db, it);
    const outcome = await attempt(work, () => hasTime() && work.calls < mostCalls);
    if (outcome === 'overtaken') return;
    if (outcome === 'paused' || !hasTime()) {
      await env.WORK.send({ job: 'sis_import', ids: [it.id] });
      return;
    }
  }
}

/** Messages may be lost or dead-lettered, so the scheduled run resumes imports that make no progress. */
export async function resumeImports(env: Pick<Platform, 'WORK'>, db: Database, now: string): Promise<void> {
  const still = wireTime(Date.parse(now) - 2 * 60_000);
  const [waiting] = await db.perform([
    db.build
      .select({ id: sis_imports.id })
      .from(sis_imports)
      .where(and(inArray(sis_imports.workflow_state, [...unfinished]), lt(sis_imports.updated_at, still)))
      .limit(1),
  ]);
  if (waiting[0]) await env.WORK.send({ job: 'sis_import', ids: [waiting[0].id] });
}
