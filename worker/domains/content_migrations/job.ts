// Content migrations as queued work, one at a time in a context. A delivery works for a limited time and then queues the next.

import { lookUp } from '@carrel/shared/wire/look_up';
import { sql } from 'drizzle-orm';
import { type Database, newMeter, open } from '../../database/open';
import type { Job, Platform } from '../../platform';
import { allowance, mostCrashes, Overtaken, type ResumableWork, textOfError } from '../../steps';
import { Unfetched } from '../../web/fetch_public';
import { BadArchive } from '../sis_imports/files/archive';
import { importCartridgeStep } from './cartridge/import_cartridge';
import { courseCopyStep } from './copying/copy_step';
import { datesStep } from './dates/dates_step';
import { fetchStep } from './fetch';
import { reportCopies } from './interrupted_copy';
import type { ContentMigrationRow } from './json';
import { cartridgeTypes, courseCopyType, qtiType, zipType } from './migrators';
import { placeStep } from './placing';
import { qtiStep } from './qti/import_qti';
import { content_migrations, migrationPhases } from './table';
import { MigrationWork, Unimportable } from './work';
import { unzipStep } from './zip/unzip';

export const unfinishedMigrations: ResumableWork = {
  job: 'content_migration',
  table: 'content_migrations',
  unfinished: ['exporting', 'queued', 'importing'],
};

type Step = (work: MigrationWork, mayGoOn: () => boolean) => Promise<boolean>;

const importers: Readonly<Record<string, Step>> = {
  [courseCopyType]: courseCopyStep,
  [zipType]: unzipStep,
  [qtiType]: qtiStep,
  ...Object.fromEntries(cartridgeTypes.map((type) => [type, importCartridgeStep])),
};

/** Each returns whether its phase has ended. */
const steps: Readonly<Record<Exclude<ContentMigrationRow['phase'], 'finish'>, Step>> = {
  fetch: fetchStep,
  import: (work, mayGoOn) => {
    const importer = lookUp(importers, work.it.migration_type);
    if (!importer) throw new Unimportable('this type of migration is no longer possible');
    return importer(work, mayGoOn);
  },
  dates: datesStep,
  place: placeStep,
};

/** The migration, as the only running one of its context; undefined when it has ended or waits for another one. */
async function claim(db: Database, id: number): Promise<ContentMigrationRow | undefined> {
  const now = new Date().toISOString().slice(0, 19);
  const other = sql`exists (select 1 from content_migrations o where o.context_type = m.context_type and o.context_id = m.context_id and o.workflow_state = 'importing' and o.id <> m.id)`;
  const [, [it]] = await db.perform([
    db.build.run(
      sql`update content_migrations as m set workflow_state = case when ${other} then 'queued' else 'importing' end, started_at = coalesce(started_at, ${`${now}Z`}), updated_at = ${`${now}Z`}
        where m.id = ${id} and m.workflow_state in ('exporting', 'queued', 'importing')`,
    ),
    db.build.select().from(content_migrations).where(sql`${content_migrations.id} = ${id}`),
  ]);
  return it?.workflow_state === 'importing' ? it : undefined;
}

/** @returns whether the migration has ended */
async function leg(work: MigrationWork, mayGoOn: () => boolean): Promise<boolean> {
  for (;;) {
    const { phase } = work.it;
    if (phase === 'finish') {
      await work.end();
      return true;
    }
    if (!mayGoOn()) return false;
    if (!(await steps[phase](work, mayGoOn))) return false;
    await work.commit([], { phase: migrationPhases[migrationPhases.indexOf(phase) + 1] ?? 'finish', at: 0 });
  }
}

/** What the user learns of an error that repeating does not solve. */
const reasonOf = (error: unknown): string | undefined =>
  error instanceof Unimportable || error instanceof BadArchive || error instanceof Unfetched ? error.message : undefined;

/** Starts the next migration of the context, if one waits. */
async function startNext({ db, env, it }: MigrationWork): Promise<void> {
  const [[next]] = await db.perform([
    db.build.all<{ id: number }>(
      sql`select id from content_migrations where context_type = ${it.context_type} and context_id = ${it.context_id} and workflow_state = 'queued' order by id limit 1`,
    ),
  ]);
  if (next) await env.WORK.send({ job: 'content_migration', ids: [next.id] });
}

const isCancelled = async (db: Database, { progress_id }: ContentMigrationRow): Promise<boolean> => {
  const [[progress]] = await db.perform([
    db.build.all<{ id: number }>(sql`select id from progress where id = ${progress_id} and workflow_state = 'failed'`),
  ]);
  return progress !== undefined;
};

/** Counts a failure. @returns whether to give up */
async function crashed(db: Database, { id, step }: ContentMigrationRow): Promise<boolean> {
  const [, [after]] = await db.perform([
    db.build.run(
      sql`update content_migrations set crashes = crashes + 1 where id = ${id} and step = ${step} and workflow_state = 'importing'`,
    ),
    db.build.all<{ crashes: number; step: number }>(sql`select crashes, step from content_migrations where id = ${id}`),
  ]);
  return after !== undefined && after.step === step && after.crashes >= mostCrashes;
}

async function continueMigration(id: number, env: Platform): Promise<void> {
  const meter = newMeter();
  const db = open(env.DB, meter, 'first-primary');
  const it = await claim(db, id);
  if (!it) return;
  const work = new MigrationWork(env, db, meter, it);
  try {
    if (await isCancelled(db, it)) await work.end({ message: 'The migration was cancelled.' }, await reportCopies(work));
    else if (
      !(await leg(
        work,
        allowance(() => work.calls),
      ))
    ) {
      // Until its content is selected, the migrations after it go first.
      if (work.it.workflow_state === 'exported') await startNext(work);
      else await env.WORK.send({ job: 'content_migration', ids: [id] });
      return;
    }
  } catch (error) {
    if (error instanceof Overtaken) throw error;
    const reason = reasonOf(error);
    if (reason === undefined && !(await crashed(db, work.it))) throw error;
    console.error(JSON.stringify({ job: 'content_migration', content_migration_id: id, error: textOfError(error) }));
    await work.end(
      { message: reason ?? 'The content could not be imported.', details: textOfError(error).slice(0, 500) },
      await reportCopies(work),
    );
  }
  await startNext(work);
}

/** Another delivery may have made the same step, or have recorded the same failure. */
export async function migrateContent({ ids: [id = 0] = [] }: Job, env: Platform): Promise<void> {
  try {
    await continueMigration(id, env);
  } catch (error) {
    if (!(error instanceof Overtaken)) throw error;
  }
}
