// What a migration leaves in the context when it fails for good after some of its content was added: it stays, is reported, and is updated by another
// import.

import { sql } from 'drizzle-orm';
import type { Database, Statement } from '../../database/open';
import { type CountedKind, countCopies, countedKinds } from '../course_copy/counted_copies';
import { keepCopies } from './cartridge/import_cartridge';
import type { ContentMigrationRow } from './json';
import { qtiType } from './migrators';
import { addIssue, type MigrationWork } from './work';

/** What an import without a copy has added; files that no one has seen disappear. */
const countImported = ({ build }: Database, { id }: Pick<ContentMigrationRow, 'id'>) =>
  build.all<CountedKind>(
    sql`select i.kind, count(*) as count from imported_items i where i.content_migration_id = ${id}
      and (i.kind <> 'file' or exists (select 1 from files f where f.id = i.item_id and f.workflow_state = 'available')) group by i.kind order by min(i.item_id)`,
  );

/** Quizzes of a QTI package become copies, unless a request replaces them. */
const completing = ({ migration_type, settings }: ContentMigrationRow): string =>
  migration_type === qtiType && !settings.overwrite_quizzes
    ? 'Another import that replaces quizzes (overwrite_quizzes) completes it.'
    : 'Another import of the same content completes it.';

/** Statements for the end of the migration; none when nothing was added. */
export async function reportCopies(work: MigrationWork): Promise<Statement[]> {
  const { db, it } = work;
  const isStagedOnly = it.copy_id === null && it.staging_course_id !== null;
  if (isStagedOnly) return [];
  const [counts] = await db.perform([it.copy_id === null ? countImported(db, it) : countCopies(db, it.context_id, it.copy_id)]);
  if (counts.length === 0) return [];
  return [
    ...(it.staging_course_id === null ? [] : keepCopies(work, it.staging_course_id)),
    addIssue(
      db,
      it.id,
      'error',
      `The import stopped before its end. It has added or changed: ${countedKinds(counts)}. ${completing(it)}`,
      work.now(),
    ),
  ];
}
