// Carries out a course copy with the engine of `course_copy`, whose steps the migration's job makes.

import { eq, sql } from 'drizzle-orm';
import { kindFacts } from '../../../rules/copied_kinds';
import { migrationIdOf } from '../../course_copy/identity';
import { inventoryOf } from '../../course_copy/inventory';
import { type Choice, type CopiedKind, copiedKinds, course_copies } from '../../course_copy/table';
import { CopyWork } from '../../course_copy/work';
import type { Selection } from '../table';
import { type MigrationWork, Unimportable } from '../work';
import { copyChoice, type FindSource } from './selection';

/** The choice for a selection, from the content that the source has now. */
async function choiceFor({ db, it }: MigrationWork, source: number): Promise<Choice> {
  const { selection, settings } = it;
  const skips = settings.importer_skips ?? [];
  if (selection === null || selection.everything || !selection.items) return copyChoice(selection, skips, () => undefined);
  const inventory = await inventoryOf(db, source, { alone: true });
  const find = await finder(selection, (kind) => inventory[kind].map(({ id }) => id));
  return copyChoice(selection, skips, find, (folder) => inventory.file.filter(({ folder_id }) => folder_id === folder).map(({ id }) => id));
}

/** Finds items by their ids, asset strings and migration ids; these are computed only where one is named. */
async function finder({ items = {} }: Selection, idsOf: (kind: CopiedKind) => readonly number[]): Promise<FindSource> {
  const wantsHashes = Object.values(items).some((named) => named.some((one) => /^[ig][0-9a-f]{32}$/.test(one)));
  const known = new Map<CopiedKind, Map<string, number>>();
  for (const kind of copiedKinds) {
    const names = new Map<string, number>();
    for (const id of idsOf(kind)) {
      names.set(String(id), id);
      names.set(`${kindFacts[kind].asset}_${id}`, id);
      if (wantsHashes) names.set(await migrationIdOf(kind, id), id);
    }
    known.set(kind, names);
  }
  return (kind, named) => known.get(kind)?.get(named);
}

/** @returns whether the copy is complete */
export async function courseCopyStep(work: MigrationWork, mayGoOn: () => boolean): Promise<boolean> {
  const { db, it } = work;
  const source = it.source_course_id;
  if (source === null) throw new Unimportable('the course to copy is missing');
  if (it.copy_id === null) await beginIts(work, source);
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

async function beginIts(work: MigrationWork, source: number): Promise<void> {
  const { db, it } = work;
  const now = work.now();
  const [[there]] = await db.perform([
    db.build.all<{ id: number }>(sql`select id from courses where id = ${source} and workflow_state <> 'deleted'`),
  ]);
  if (!there) throw new Unimportable('the course to copy was deleted');
  const choice = await choiceFor(work, source);
  await work.commit(
    [
      db.build.insert(course_copies).values({
        course_id: it.context_id,
        source_course_id: source,
        user_id: it.user_id,
        purpose: 'migration',
        choice,
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
