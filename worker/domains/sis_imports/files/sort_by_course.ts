// A file whose rows lie in no order of the courses that they are about is sorted before it is applied: into blocks of rows of one course, in
// the order of the file within each. A course is then visited once for a chunk, not once for a row. What has been applied leaves the stage in
// the batch that applied it, so that the stage says at any moment what is still to be done.

import { lookUp } from '@carrel/shared/wire/look_up';
import { type SQL, sql } from 'drizzle-orm';
import { atMost } from '../../../database/at_most';
import type { Database, Statement } from '../../../database/open';
import { insertMany } from '../changes_of_rows';
import type { Kind } from '../row_rules';
import type { Work } from '../work';
import { csvRows, numbered } from './chunks';
import { type Row, rowOf } from './file_types';

export interface Staged {
  readonly id: number;
  readonly columns: string;
  readonly size: number;
  readonly rows: number;
  readonly at_byte: number;
  readonly key: string;
  readonly stage: 'filling' | 'filled' | null;
  readonly staged_rows: number;
  /** The last row that has been applied, and its course. */
  readonly stage_course: number;
  readonly stage_row: number;
}

/** Rows that are sorted at once, and how long they may be in all. */
const window = { rows: 10_000, length: 1_000_000 };
/** Rows of a block, and blocks that are read at once: what is in memory stays small, however the rows lie. */
const mostRows = 50;
const mostBlocks = 400;

/** Whether rows of one course lie apart: some strays do not make a file unsorted. */
export function isScattered(courses: readonly number[]): boolean {
  const distinct = new Set(courses).size;
  const runs = courses.filter((course, at) => course !== courses[at - 1]).length;
  return runs - distinct > Math.max(10, distinct / 50);
}

interface Block {
  readonly course_id: number;
  readonly last_row: number;
  /** Rows as JSON: each its number, then its cells. */
  readonly rows: string;
}

/** Rows in blocks of one course each, in their order. */
export function blocksOf(rows: readonly Row[], courses: readonly number[], columns: readonly string[]): Block[] {
  const byCourse = Map.groupBy(
    rows.map((row, at) => ({ row, course: courses[at] as number })),
    ({ course }) => course,
  );
  return [...byCourse].flatMap(([course_id, all]) =>
    Array.from({ length: Math.ceil(all.length / mostRows) }, (_, nth) => {
      const some = all.slice(nth * mostRows, (nth + 1) * mostRows).map(({ row }) => row);
      const told = some.map(({ at, cells }) => [at, ...columns.map((column) => lookUp(cells, column) ?? '')]);
      return { course_id, last_row: some.at(-1)?.at ?? 0, rows: JSON.stringify(told) };
    }),
  );
}

async function* windowsOf(rows: AsyncIterable<Row>): AsyncGenerator<Row[]> {
  let [some, length]: [Row[], number] = [[], 0];
  for await (const row of rows) {
    some.push(row);
    for (const value of Object.values(row.cells)) length += value?.length ?? 0;
    if (some.length < window.rows && length < window.length) continue;
    yield some;
    [some, length] = [[], 0];
  }
  if (some.length > 0) yield some;
}

/** So many blocks are bound to one statement: a text may be 2 MB long. */
const atOnce = 200;

/**
 * Sorts the rows of a file, if it is worth it.
 * @returns how the file stands, or undefined when there is no more time
 */
export async function stageFile<F extends Staged>(work: Work, file: F, kind: Kind, mayGoOn: () => boolean): Promise<F | undefined> {
  const { coursesOf, cutting } = kind;
  if (!coursesOf || file.stage === 'filled') return file;
  const columns = JSON.parse(file.columns) as string[];
  let [stage, at_byte, done] = [file.stage, file.at_byte, file.staged_rows];
  for await (const rows of windowsOf(numbered(csvRows(work.env, file.key, at_byte, file.size), columns, done + 2))) {
    if (!mayGoOn()) return undefined;
    const courses = await coursesOf(work, rows);
    const fitsOneChunk = file.rows <= cutting.most && new Set(courses).size <= (cutting.mostGroups ?? Number.POSITIVE_INFINITY);
    if (stage === null && (fitsOneChunk || !isScattered(courses))) return file;
    stage = 'filling';
    at_byte = rows.at(-1)?.end ?? file.size;
    done += rows.length;
    const blocks = blocksOf(rows, courses, columns);
    await work.commit({
      statements: [
        ...insertMany(
          work.db,
          'sis_import_stage',
          { sis_import_file_id: sql`${file.id}`, course_id: true, last_row: true, rows: true },
          blocks,
          atOnce,
        ),
        work.db.build.run(
          sql`update sis_import_files set stage = 'filling', at_byte = ${at_byte}, staged_rows = ${done} where id = ${file.id}`,
        ),
      ],
    });
  }
  if (stage === null) return file;
  await work.commit({ statements: [work.db.build.run(sql`update sis_import_files set stage = 'filled' where id = ${file.id}`)] });
  return { ...file, stage: 'filled', at_byte };
}

/** The rows that are still to be applied, course by course. */
export async function* stagedRows(work: Work, { id, columns, stage_course, stage_row }: Staged): AsyncGenerator<Row> {
  const names = JSON.parse(columns) as string[];
  let [course, row] = [stage_course, stage_row];
  for (;;) {
    const [blocks] = await work.read([
      work.db.build.all<Block>(
        sql`select course_id, last_row, rows from sis_import_stage where sis_import_file_id = ${id} and (course_id, last_row) > (${course}, ${row}) order by course_id, last_row limit ${atMost(mostBlocks)}`,
      ),
    ]);
    for (const { course_id, rows } of blocks)
      for (const [at, ...cells] of JSON.parse(rows) as [number, ...string[]][])
        if (course_id !== stage_course || at > stage_row) yield { ...rowOf(names, cells, at), course: course_id };
    const last = blocks.at(-1);
    if (!last) return;
    [course, row] = [last.course_id, last.last_row];
  }
}

/** Takes what has been applied off the stage. @param last the last row of what has */
export const takenOff = ({ db: { build } }: Work, { id }: Staged, { at, course = 0 }: Row): Statement[] => [
  build.run(sql`update sis_import_files set stage_course = ${course}, stage_row = ${at} where id = ${id}`),
  build.run(sql`delete from sis_import_stage where sis_import_file_id = ${id} and (course_id, last_row) <= (${course}, ${at})`),
];

/** What imports that have ended before their time had still to do. */
export const offStage = ({ build }: Database, imports: SQL): Statement =>
  build.run(
    sql`delete from sis_import_stage where sis_import_file_id in (select id from sis_import_files where sis_import_id in (${imports}) and stage is not null)`,
  );
