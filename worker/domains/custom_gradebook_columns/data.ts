// Writes the data of custom columns: one text, or many with a Progress. Blank texts delete.

import { type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import type { Database, Statement } from '../../database/open';
import { isStudentInReach, presentColumns } from './policy';

export interface DatumGiven {
  readonly column_id: number;
  readonly user_id: number;
  readonly content?: string | null;
}

const isBlank = ({ content }: DatumGiven) => (content ?? '').trim() === '';
const keyOf = ({ column_id, user_id }: DatumGiven) => `${column_id} ${user_id}`;

const asRows = (data: readonly DatumGiven[]): SQL =>
  sql`json_each(${JSON.stringify(data.map(({ column_id, user_id, content }) => [column_id, user_id, content]))})`;

/** Reads which of the data the caller may write: the column exists, and the user is a student whom the caller may grade. */
export const writable = ({ db, course }: { db: Database; course: CourseContext }, data: readonly DatumGiven[]) =>
  db.build.all<{ column_id: number; user_id: number }>(
    sql`select j.value ->> 0 as column_id, j.value ->> 1 as user_id from ${asRows(data)} j
      where j.value ->> 0 in (select id from custom_gradebook_columns where ${presentColumns(course)}) and ${isStudentInReach(course, sql`j.value ->> 1`)}`,
  );

/** The given data that may be written, the last of each column and user, and the others. */
export function dividedData(data: readonly DatumGiven[], allowed: readonly DatumGiven[]) {
  const keys = new Set(allowed.map(keyOf));
  const last = new Map(data.map((one) => [keyOf(one), one]));
  return {
    kept: [...last.values()].filter((one) => keys.has(keyOf(one))),
    refused: data.filter((one) => !keys.has(keyOf(one))),
  };
}

export function writeData(db: Database, data: readonly DatumGiven[]): Statement[] {
  const [blank, full] = [data.filter(isBlank), data.filter((one) => !isBlank(one))];
  return [
    ...(blank.length > 0
      ? [
          db.build.run(
            sql`delete from custom_gradebook_data where (column_id, user_id) in (select j.value ->> 0, j.value ->> 1 from ${asRows(blank)} j)`,
          ),
        ]
      : []),
    ...(full.length > 0
      ? [
          db.build.run(
            sql`insert into custom_gradebook_data (column_id, user_id, content) select j.value ->> 0, j.value ->> 1, j.value ->> 2 from ${asRows(full)} j where true
              on conflict (column_id, user_id) do update set content = excluded.content`,
          ),
        ]
      : []),
  ];
}
