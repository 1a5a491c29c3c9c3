// Reports as queued work, one job each. A delivery works for a limited time and then queues the next, to stay within the time limit.

import { wireTime } from '@carrel/shared/wire/fields';
import { eq, sql } from 'drizzle-orm';
import { type Database, newMeter, open } from '../../database/open';
import type { Job, Platform } from '../../platform';
import { allowance, mostCrashes, Overtaken, type ResumableWork, textOfError } from '../../steps';
import { type ReportRow, Run } from './run';
import { account_reports } from './table';

export const unfinishedReports: ResumableWork = {
  job: 'account_report',
  table: 'account_reports',
  unfinished: ['created', 'running', 'compiling'],
};

const isUnfinished = ({ workflow_state }: ReportRow) => unfinishedReports.unfinished.includes(workflow_state);

const found = async (db: Database, id: number): Promise<ReportRow | undefined> => {
  const [[it]] = await db.perform([db.build.select().from(account_reports).where(eq(account_reports.id, id))]);
  return it;
};

/** Counts a failure, unless another delivery has continued meanwhile and deleted the pieces. */
async function crashed(db: Database, { id, step }: ReportRow): Promise<'overtaken' | 'again' | 'given up'> {
  await db.perform([db.build.run(sql`update account_reports set crashes = crashes + 1 where id = ${id} and step = ${step}`)]);
  const after = await found(db, id);
  if (after?.step !== step) return 'overtaken';
  return after.crashes >= mostCrashes ? 'given up' : 'again';
}

export async function runReport({ ids: [id = 0] = [] }: Job, env: Platform): Promise<void> {
  const db = open(env.DB, newMeter(), 'first-primary');
  const it = await found(db, id);
  if (!it) return;
  const run = new Run(env, db, it);
  // An aborted or deleted report may leave pieces behind.
  if (!isUnfinished(it)) return run.tidy();
  try {
    if (!(await run.goOn(allowance(() => run.calls)))) await env.WORK.send({ job: 'account_report', ids: [id] });
  } catch (error) {
    if (error instanceof Overtaken) return;
    const fate = await crashed(db, run.it);
    if (fate === 'overtaken') return;
    if (fate === 'again') throw error;
    const message = textOfError(error).slice(0, 500);
    console.error(JSON.stringify({ job: 'account_report', report_id: id, error: message }));
    const last = await found(db, id);
    if (!last || !isUnfinished(last)) return;
    const ending = new Run(env, db, last);
    const now = wireTime(Date.now());
    await ending.commit({ workflow_state: 'error', message, ended_at: now }, ending.told('report_generation_failed', now));
    await ending.tidy();
  }
}
