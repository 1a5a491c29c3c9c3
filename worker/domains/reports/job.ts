// Reports as queued work: each by itself. A delivery works for a while and sends the next message, so that none lasts longer than it may.

import { wireTime } from '@carrel/shared/wire/fields';
import { eq, sql } from 'drizzle-orm';
import { type Database, newMeter, open } from '../../database/open';
import type { Job, Platform } from '../../platform';
import { Overtaken, textOfError } from '../sis_imports/work';
import { type ReportRow, Run } from './run';
import { account_reports } from './table';

const longest = 20_000;
const mostCalls = 600;
/** So often the same step may break off before the report is given up. */
const mostCrashes = 4;

const isUnfinished = ({ workflow_state }: ReportRow) => ['created', 'running', 'compiling'].includes(workflow_state);

const found = async (db: Database, id: number): Promise<ReportRow | undefined> => {
  const [[it]] = await db.perform([db.build.select().from(account_reports).where(eq(account_reports.id, id))]);
  return it;
};

/** Counts that the work has broken off. Where another delivery has gone on meanwhile, taking pieces away, nothing has. */
async function crashed(db: Database, { id, step }: ReportRow): Promise<'overtaken' | 'again' | 'given up'> {
  await db.perform([db.build.run(sql`update account_reports set crashes = crashes + 1 where id = ${id} and step = ${step}`)]);
  const after = await found(db, id);
  if (after?.step !== step) return 'overtaken';
  return after.crashes >= mostCrashes ? 'given up' : 'again';
}

export async function runReport({ ids: [id = 0] = [] }: Job, env: Platform): Promise<void> {
  const started = Date.now();
  const db = open(env.DB, newMeter(), 'first-primary');
  const it = await found(db, id);
  if (!it) return;
  const run = new Run(env, db, it);
  // One that was aborted, or deleted, leaves its pieces behind.
  if (!isUnfinished(it)) return run.tidy();
  const mayGoOn = () => Date.now() - started < longest && run.calls < mostCalls;
  try {
    if (!(await run.goOn(mayGoOn))) await env.WORK.send({ job: 'account_report', ids: [id] });
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

/** A message may be lost, and a delivery may end in the dead-letter queue: what has stood still is taken up again. Called by the clock. */
export async function resumeReports(env: Pick<Platform, 'WORK'>, db: Database, now: string): Promise<void> {
  const still = wireTime(Date.parse(now) - 2 * 60_000);
  const [waiting] = await db.perform([
    db.build.all<{ id: number }>(
      sql`select id from account_reports where workflow_state in ('created', 'running', 'compiling') and updated_at < ${still} limit 10`,
    ),
  ]);
  for (const { id } of waiting) await env.WORK.send({ job: 'account_report', ids: [id] });
}
