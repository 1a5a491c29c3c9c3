// What a migration has imported, as selects of `item_id`.

import { type SQL, sql } from 'drizzle-orm';
import type { ContentMigrationRow } from './json';

/** The items of one kind that the migration has written; the assignments of imported quizzes belong to them. */
export const importedOf = ({ id, copy_id, context_id }: ContentMigrationRow, kind: string): SQL =>
  copy_id === null
    ? kind === 'assignment'
      ? sql`select q.assignment_id as item_id from imported_items i join quizzes q on q.id = i.item_id where i.content_migration_id = ${id} and i.kind = 'quiz' and q.assignment_id is not null`
      : sql`select i.item_id as item_id from imported_items i where i.content_migration_id = ${id} and i.kind = ${sql.raw(`'${kind}'`)}`
    : sql`select l.item_id as item_id from copied_items l where l.course_id = ${context_id} and l.kind = ${sql.raw(`'${kind}'`)} and l.copy_id = ${copy_id}`;
