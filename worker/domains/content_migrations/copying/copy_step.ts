// Carries out a course copy with the engine of `course_copy`, whose steps the migration's job makes.

import { eq, sql } from 'drizzle-orm';
import { isEverything } from '../../course_copy/plan';
import { type Choice, course_copies } from '../../course_copy/table';
import { CopyWork } from '../../course_copy/work';
import { addIssue, type MigrationWork, Unimportable } from '../work';
import { choiceFor } from './choice';

/** @returns whether the copy is complete */
export async function courseCopyStep(work: MigrationWork, mayGoOn: () => boolean): Promise<boolean> {
  const { db, it } = work;
  const source = it.source_course_id;
  if (source === null) throw new Unimportable('the course to copy is missing');
  const [[there]] = await db.perform([
    db.build.all<{ id: number }>(
      sql`select id from courses where id = ${source} and (workflow_state <> 'deleted' or ${it.copy_id} is not null)`,
    ),
  ]);
  if (!there) throw new Unimportable('the course to copy was deleted');
  return copyFrom(work, source, {}, mayGoOn);
}

/** What a source does not have, so that the target keeps its own. */
export interface Lacking {
  readonly settings?: false;
  readonly syllabus?: false;
}

/**
 * Copies what the client has selected from a course.
 * @returns whether the copy is complete
 */
export async function copyFrom(work: MigrationWork, source: number, lacking: Lacking, mayGoOn: () => boolean): Promise<boolean> {
  const { db, it } = work;
  if (it.copy_id === null) await beginIts(work, source, lacking);
  const [[copy]] = await db.perform([
    db.build
      .select()
      .from(course_copies)
      .where(eq(course_copies.id, work.it.copy_id ?? 0)),
  ]);
  if (!copy) throw new Unimportable('the copy is missing');
  if (copy.workflow_state === 'completed') return true;
  const copying = new CopyWork(db, copy);
  const hasEnded = await copying.goOn(mayGoOn);
  if (!hasEnded) await db.perform([db.build.run(sql`update content_migrations set crashes = 0 where id = ${it.id}`)]);
  return hasEnded;
}

async function beginIts(work: MigrationWork, source: number, lacking: Lacking): Promise<void> {
  const { db, it } = work;
  const now = work.now();
  const { kept, importer_skips, adds_tools } = it.settings;
  const wanted: Choice = {
    ...(await choiceFor(db, source, it.selection, importer_skips)),
    ...lacking,
    ...(adds_tools ? {} : { without: ['external_tool'] }),
  };
  const isWithheld = kept?.settings === false && (wanted.settings ?? isEverything(wanted));
  const message = 'The settings of the course were not imported, because you may not change them.';
  await work.commit(
    [
      ...(isWithheld ? [addIssue(db, it.id, 'warning', message, now)] : []),
      db.build.insert(course_copies).values({
        course_id: it.context_id,
        source_course_id: source,
        user_id: it.user_id,
        purpose: 'migration',
        choice: { ...wanted, ...kept },
        progress_id: it.progress_id,
        created_at: now,
        updated_at: now,
      }),
      db.build.run(sql`update content_migrations set copy_id = last_insert_rowid() where id = ${it.id}`),
    ],
    {},
  );
  const [[row]] = await db.perform([db.build.all<{ copy_id: number }>(sql`select copy_id from content_migrations where id = ${it.id}`)]);
  work.it = { ...work.it, copy_id: row?.copy_id ?? null };
}
