// What a copy that failed half-way has written, in words.

import { sql } from 'drizzle-orm';
import type { Database } from '../../database/open';

export interface CountedKind {
  readonly kind: string;
  readonly count: number;
}

const pluralOf = (word: string): string => (word.endsWith('quiz') ? `${word}zes` : `${word}s`);

/** "2 files, 1 page". Pure. */
export const countedKinds = (counts: readonly CountedKind[]): string =>
  counts.map(({ kind, count }) => `${count} ${count === 1 ? kind.replaceAll('_', ' ') : pluralOf(kind.replaceAll('_', ' '))}`).join(', ');

/** The items that a copy has added or changed. */
export const countCopies = ({ build }: Database, course_id: number, copy_id: number) =>
  build.all<CountedKind>(
    sql`select l.kind, count(*) as count from copied_items l where l.course_id = ${course_id} and l.copy_id = ${copy_id} group by l.kind order by min(l.rowid)`,
  );
