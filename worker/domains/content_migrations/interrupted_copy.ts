// What a migration leaves in the course when the copy of its content fails for good: the copies stay, are reported, and are updated by another import.

import { sql } from 'drizzle-orm';
import type { Statement } from '../../database/open';
import { keepCopies } from './cartridge/import_cartridge';
import { addIssue, type MigrationWork } from './work';

/** "2 files, 1 page". Pure. */
export const countedKinds = (counts: readonly { readonly kind: string; readonly count: number }[]): string =>
  counts.map(({ kind, count }) => `${count} ${count === 1 ? kind.replaceAll('_', ' ') : pluralOf(kind.replaceAll('_', ' '))}`).join(', ');

const pluralOf = (word: string): string => (word.endsWith('quiz') ? `${word}zes` : `${word}s`);

/** Statements for the end of the migration; none when nothing was copied. */
export async function reportCopies(work: MigrationWork): Promise<Statement[]> {
  const { db, it } = work;
  if (it.copy_id === null) return [];
  const [counts] = await db.perform([
    db.build.all<{ kind: string; count: number }>(
      sql`select l.kind, count(*) as count from copied_items l where l.course_id = ${it.context_id} and l.copy_id = ${it.copy_id} group by l.kind order by min(l.rowid)`,
    ),
  ]);
  if (counts.length === 0) return [];
  return [
    ...(it.staging_course_id === null ? [] : keepCopies(work, it.staging_course_id)),
    addIssue(
      db,
      it.id,
      'error',
      `The import stopped before its end. It has added or changed: ${countedKinds(counts)}. Another import of the same content completes it.`,
      work.now(),
    ),
  ];
}
