// Sorts a file whose rows are scattered over courses before it is applied: into blocks of rows of one course, in file order within each. A chunk then
// visits each course once, not once per row. Applied rows are removed from the stage in the batch that applied them, so that the stage always
// contains exactly the remaining rows.

import { lookUp } from '@carrel/shared/wire/look_up';
import { type SQL, sql } from 'drizzle-orm';
import { atMost } from '../../../database/at_most';
import { insertMany } from '../../../database/many_rows';
import type { Database, Statement } from '../../../database/open';
import type { RowKind } from '../row_rules';
import type { ImportWork } from '../work';
import { csvRows, numbered } from './chunks';
import { type ParsedRow, parsedRowOf } from './file_types';

export interface StagedPart {
  readonly id: number;
  readonly columns: string;
  readonly size: number;
  readonly rows: number;
  readonly at_byte: number;
  readonly key: string;
  readonly stage: 'filling' | 'filled' | null;
  readonly staged_rows: number;
  /** The last applied row, and its course. */
  readonly stage_course: number;
  readonly stage_row: number;
}

/** Maximum number and total length of rows sorted at once. */
const window = { rows: 10_000, length: 1_000_000 };
/** Rows per block; limits memory use regardless of the rows' order. */
const mostRows = 50;
const mostBlocks = 400;

/** Whether the rows are scattered over courses: a few exceptions do not count. */
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

/** Rows in blocks of one course each, in order. */
export function blocksOf(rows: readonly ParsedRow[], courses: readonly number[], columns: readonly string[]): Block[] {
  const byCourse = Map.groupBy(
    rows.map((row, at) => ({ row, course: courses[at] as number })),
    ({ course }) => course,
  );
  return [...byCourse].flatMap(([course_id, all]) =>
    Array.from({ length: Math.ceil(all.length / mostRows) }, (_, nth) => {
      const some = all.slice(nth * mostRows, (nth + 1) * mostRows).map(({ row }) => row);
      const result = some.map(({ at, cells }) => [at, ...columns.map((column) => lookUp(cells, column) ?? '')]);
      return { course_id, last_row: some.at(-1)?.at ?? 0, rows: JSON.stringify(result) };
    }),
  );
}

async function* windowsOf(rows: AsyncIterable<ParsedRow>): AsyncGenerator<ParsedRow[]> {
  let [some, length]: [ParsedRow[], number] = [[], 0];
  for await (const row of rows) {
    some.push(row);
    for (const value of Object.values(row.cells)) length += value?.length ?? 0;
    if (some.length < window.rows && length < window.length) continue;
    yield some;
    [some, length] = [[], 0];
  }
  if (some.length > 0) yield some;
}

/** Blocks per statement: a text may be up to 2 MB long. */
const atOnce = 200;

/**
 * Sorts the rows of a file if it is worthwhile.
 * @returns the state of the file, or undefined when the time is up
 */
export async function stageFile<F extends StagedPart>(
  work: ImportWork,
  file: F,
  kind: RowKind,
  mayGoOn: () => boolean,
): Promise<F | undefined> {
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

/** The remaining rows, course by course. */
export async function* stagedRows(work: ImportWork, { id, columns, stage_course, stage_row }: StagedPart): AsyncGenerator<ParsedRow> {
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
        if (course_id !== stage_course || at > stage_row) yield { ...parsedRowOf(names, cells, at), course: course_id };
    const last = blocks.at(-1);
    if (!last) return;
    [course, row] = [last.course_id, last.last_row];
  }
}

/** Removes applied rows from the stage. @param last the last applied row */
export const takenOff = ({ db: { build } }: ImportWork, { id }: StagedPart, { at, course = 0 }: ParsedRow): Statement[] => [
  build.run(sql`update sis_import_files set stage_course = ${course}, stage_row = ${at} where id = ${id}`),
  build.run(sql`delete from sis_import_stage where sis_import_file_id = ${id} and (course_id, last_row) <= (${course}, ${at})`),
];

/** Removes the remaining rows of aborted and failed imports. */
export const offStage = ({ build }: Database, imports: SQL): Statement =>
  build.run(
    sql`delete from sis_import_stage where sis_import_file_id in (select id from sis_import_files where sis_import_id in (${imports}) and stage is not null)`,
  );
