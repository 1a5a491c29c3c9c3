// Imports the outcomes of a CSV file in steps. A step is one batch that contains its changes, its errors and the progress, and that aborts when another
// delivery has made it, so that nothing happens twice.

import { BadCsv } from '@carrel/shared/csv/reader';
import { wireTime } from '@carrel/shared/wire/fields';
import { eq, sql } from 'drizzle-orm';
import { type Database, newMeter, open, type Statement } from '../../../database/open';
import type { Job, Platform } from '../../../platform';
import { allowance, breath, Overtaken, type ResumableWork, textOfError } from '../../../steps';
import { type OutcomeImportError, outcome_imports } from '../table';
import { type OutcomeImportRow, readImportFacts } from './facts';
import { planImport } from './plan';
import { importRowsOf, nextRows } from './rows';
import { importStatements } from './writes';

/** Errors that an import reports. */
const mostErrors = 25;

/** Imports whose message was lost. */
export const unfinishedOutcomeImports: ResumableWork = {
  job: 'outcome_import',
  table: 'outcome_imports',
  unfinished: ['created', 'importing'],
};

type Advance = Pick<OutcomeImportRow, 'workflow_state' | 'rows_done' | 'progress' | 'errors'>;

const isOver = ({ workflow_state }: Pick<OutcomeImportRow, 'workflow_state'>) =>
  workflow_state === 'succeeded' || workflow_state === 'failed';

/** Breaks the batch unless the import is where this delivery read it. */
const advance = (db: Database, { id, rows_done }: OutcomeImportRow, to: Advance, now: string): Statement =>
  db.build.run(sql`update outcome_imports set rows_done = case when rows_done = ${rows_done} and workflow_state in ('created', 'importing') then ${to.rows_done} end,
    workflow_state = ${to.workflow_state}, progress = ${to.progress}, errors = ${JSON.stringify(to.errors)}, csv = iif(${isOver(to) ? 1 : 0}, null, csv),
    ended_at = iif(${isOver(to) ? 1 : 0}, ${now}, null), updated_at = ${now} where id = ${id}`);

async function makeStep(
  db: Database,
  work: OutcomeImportRow,
  to: Advance,
  statements: readonly Statement[],
  now: string,
): Promise<OutcomeImportRow> {
  try {
    await db.perform([advance(db, work, to, now), ...statements]);
  } catch (error) {
    if (/NOT NULL constraint failed: outcome_imports\.rows_done/.test(textOfError(error))) throw new Overtaken();
    throw error;
  }
  await breath();
  return { ...work, ...to };
}

const failed = ({ rows_done, progress }: OutcomeImportRow, message: string): Advance => ({
  workflow_state: 'failed',
  rows_done,
  progress,
  errors: [[1, message]],
});

/** The first errors, by row. */
const merged = (all: readonly OutcomeImportError[]): readonly OutcomeImportError[] =>
  [...all].sort(([one], [other]) => one - other).slice(0, mostErrors);

type Content = ReturnType<typeof importRowsOf>;

/** A file without rows that can be imported has a step, too, which ends the import. */
async function importNext(db: Database, work: OutcomeImportRow, { rows, errors }: Content): Promise<OutcomeImportRow> {
  const now = wireTime(Date.now());
  const next = nextRows(rows, work.rows_done);
  const facts = await readImportFacts(db, work, next);
  if (!facts) return makeStep(db, work, failed(work, 'the group of outcomes was deleted'), [], now);
  const { plan, count } = planImport(next, facts);
  const rows_done = work.rows_done + count;
  const known = work.workflow_state === 'created' ? errors : work.errors;
  const to: Advance = {
    workflow_state: rows_done >= rows.length ? 'succeeded' : 'importing',
    rows_done,
    progress: rows.length === 0 ? 100 : Math.floor((100 * rows_done) / rows.length),
    errors: merged([...known, ...plan.errors]),
  };
  return makeStep(db, work, to, importStatements(db, work, facts.target, plan, now), now);
}

/** The rows of the file; undefined, and the import failed, when it cannot be read. */
async function contentOf(db: Database, work: OutcomeImportRow): Promise<Content | undefined> {
  try {
    return importRowsOf(work.csv ?? '');
  } catch (error) {
    if (!(error instanceof BadCsv)) throw error;
    await makeStep(db, work, failed(work, error.message), [], wireTime(Date.now()));
    return undefined;
  }
}

/** How long an import is tried again. */
const patience = 60 * 60_000;

export async function importOutcomes({ ids: [id = 0] = [] }: Job, env: Platform): Promise<void> {
  const meter = newMeter();
  const db = open(env.DB, meter, 'first-primary');
  const [[begun]] = await db.perform([db.build.select().from(outcome_imports).where(eq(outcome_imports.id, id))]);
  if (!begun || isOver(begun)) return;
  const mayGoOn = allowance(() => meter.d1_trips);
  let work = begun;
  try {
    const content = await contentOf(db, work);
    while (content && !isOver(work)) {
      if (!mayGoOn()) return await env.WORK.send({ job: 'outcome_import', ids: [id] }).then(() => undefined);
      work = await importNext(db, work, content);
    }
  } catch (error) {
    if (error instanceof Overtaken) return;
    if (Date.now() - Date.parse(work.created_at) < patience) throw error;
    console.error(JSON.stringify({ job: 'outcome_import', id, error: textOfError(error) }));
    await makeStep(db, work, failed(work, 'An error occurred.'), [], wireTime(Date.now()));
  }
}
