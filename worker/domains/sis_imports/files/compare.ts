// The second phase of an import with diffing: only differences from the last successful import of the same data set are applied.

import { csvLine } from '@carrel/shared/csv/writer';
import { lookUp } from '@carrel/shared/wire/look_up';
import { sql } from 'drizzle-orm';
import { atMost } from '../../../database/at_most';
import type { ImportOptions } from '../table';
import { type ImportWork, Notes } from '../work';
import { csvRows } from './chunks';
import { changePercent, EarlierRows } from './difference';
import { type Cells, type FileType, fileTypeFacts, fileTypes, parsedRowOf } from './file_types';
import { encoded, fileId, writePaper } from './kept_files';

interface FileRow {
  readonly id: number;
  readonly type: FileType;
  readonly columns: string;
  readonly rows: number;
  readonly size: number;
  readonly first_byte: number;
  readonly key: string;
}

interface Earlier {
  readonly id: number;
  readonly size: number;
}

/** Maximum number of rows to compare in memory; a larger file is applied completely. */
const mostRows = 2_000_000;

const keyOf = (type: FileType, cells: Cells): string => fileTypeFacts[type].key.map((column) => lookUp(cells, column) ?? '').join('\u001f');
const textOf = (cells: Cells): string =>
  Object.keys(cells)
    .sort()
    .map((column) => `${column}\u001f${lookUp(cells, column) ?? ''}`)
    .join('\u001e');

async function* cellsIn(work: ImportWork, files: readonly FileRow[]): AsyncGenerator<Cells> {
  for (const { columns, first_byte, size, key } of files) {
    const names = JSON.parse(columns) as string[];
    for await (const { cells } of csvRows(work.env, key, first_byte, size)) yield parsedRowOf(names, cells, 0).cells;
  }
}

/** The status for missing rows; undefined for types without deletions. */
function statusOfMissing(type: FileType, { diffing_drop_status, diffing_user_remove_status }: ImportOptions): string | undefined {
  if (type === 'enrollment') return diffing_drop_status ?? 'deleted';
  if (type === 'user') return diffing_user_remove_status ?? 'deleted';
  return ['login', 'change_sis_id', 'grade_publishing_result'].includes(type) ? undefined : 'deleted';
}

interface Compared {
  readonly columns: readonly string[];
  count: number;
}

/** The differing rows, as lines of one file. */
async function* differing(work: ImportWork, type: FileType, before: readonly FileRow[], after: readonly FileRow[], compared: Compared) {
  const { columns } = compared;
  const line = (cells: Cells) => csvLine(columns.map((column) => lookUp(cells, column) ?? ''));
  const earlier = new EarlierRows(before.reduce((sum, { rows }) => sum + rows, 0));
  for await (const cells of cellsIn(work, before)) earlier.put(keyOf(type, cells), textOf(cells));
  yield csvLine(columns);
  for await (const cells of cellsIn(work, after)) {
    if (earlier.compare(keyOf(type, cells), textOf(cells)) === 'same') continue;
    compared.count += 1;
    yield line(cells);
  }
  const status = statusOfMissing(type, work.it.options);
  if (status === undefined) return;
  for await (const cells of cellsIn(work, before)) {
    if (!earlier.isMissing(keyOf(type, cells)) || cells.status?.toLowerCase() === status) continue;
    compared.count += 1;
    yield line({ ...cells, status });
  }
}

async function compareType(work: ImportWork, type: FileType, before: readonly FileRow[], after: readonly FileRow[]): Promise<void> {
  const names = after.flatMap(({ columns }) => JSON.parse(columns) as string[]);
  const compared: Compared = { columns: [...new Set([...names, 'status'])], count: 0 };
  const name = `${type}.csv`;
  const paper = await writePaper(work, `diffed-${name}`, 'text/csv', encoded(differing(work, type, before, after, compared)));
  const at_byte = new TextEncoder().encode(csvLine(compared.columns)).length;
  await work.commit({
    statements: [
      ...paper.statements,
      work.db.build.run(sql`insert into sis_import_files (sis_import_id, name, origin, type, file_id, size, rows, columns, first_byte, at_byte, at_row, position, workflow_state)
        values (${work.it.id}, ${name}, 'diffed', ${type}, ${fileId(paper.uuid)}, ${paper.size}, ${compared.count}, ${JSON.stringify(compared.columns)}, ${at_byte}, ${at_byte}, 0, ${fileTypes.indexOf(type)}, 'waiting')`),
    ],
  });
}

const filesOf = ({ db }: ImportWork, sis_import_id: number, origin: 'sent' | 'diffed') =>
  db.build.all<FileRow>(
    sql`select s.id as id, s.type as type, s.columns as columns, s.rows as rows, s.size as size, s.first_byte as first_byte, b.key as key
      from sis_import_files s join files f on f.id = s.file_id join blobs b on b.id = f.blob_id
      where s.sis_import_id = ${sis_import_id} and s.origin = ${origin} and s.workflow_state <> 'unusable' and s.type is not null order by s.position, s.id`,
  );

const overInARow = 5;

/** @returns whether the phase is over */
export async function compareWithPrevious(work: ImportWork, mayGoOn: () => boolean): Promise<boolean> {
  const { it, db } = work;
  const { diffing_data_set_identifier: set, diffing_remaster_data_set, change_threshold, diff_row_count_threshold } = it.options;
  if (set === undefined) return true;
  const [recent, [base], [own]] = await work.read([
    db.build.all<{ over: number | null }>(
      sql`select diffing_threshold_exceeded as over from sis_imports where diffing_data_set_identifier = ${set} and id < ${it.id} and workflow_state <> 'aborted' order by id desc limit ${atMost(overInARow)}`,
    ),
    db.build.all<Earlier>(
      sql`select i.id as id, f.size as size from sis_imports i join files f on f.id = i.attachment_id where i.diffing_data_set_identifier = ${set} and i.id < ${it.id} and i.workflow_state in ('imported', 'imported_with_messages') and coalesce(i.diffing_threshold_exceeded, 0) = 0 order by i.id desc limit 1`,
    ),
    db.build.all<{ size: number }>(sql`select size from files where id = ${it.attachment_id}`),
  ]);
  if (diffing_remaster_data_set) return true;
  if (recent.length === overInARow && recent.every(({ over }) => over === 1)) {
    const notes = new Notes();
    notes.messages.push({
      message: `the data set "${set}" exceeded the change threshold ${overInARow} times in a row; send a remaster`,
      failure: true,
    });
    await work.commit({
      notes,
      statements: [db.build.run(sql`update sis_import_files set workflow_state = 'unusable' where sis_import_id = ${it.id}`)],
    });
    return true;
  }
  if (!base) return true;
  if (change_threshold !== undefined && changePercent(base.size, own?.size ?? 0) > change_threshold) {
    await work.commit({ set: { diffing_threshold_exceeded: true } });
    return true;
  }
  const [before, after, done] = await work.read([
    filesOf(work, base.id, 'sent'),
    filesOf(work, it.id, 'sent'),
    filesOf(work, it.id, 'diffed'),
  ]);
  const types = fileTypes.filter((type) => {
    const sides = [before, after].map((files) => files.filter((file) => file.type === type));
    return sides.every((side) => side.length > 0 && side.reduce((sum, { rows }) => sum + rows, 0) <= mostRows);
  });
  for (const type of types) {
    if (done.some((file) => file.type === type)) continue;
    if (!mayGoOn()) return false;
    await compareType(
      work,
      type,
      before.filter((file) => file.type === type),
      after.filter((file) => file.type === type),
    );
  }
  const [[counted]] = await work.read([
    db.build.all<{ count: number }>(
      sql`select coalesce(sum(rows), 0) as count from sis_import_files where sis_import_id = ${it.id} and origin = 'diffed'`,
    ),
  ]);
  const isOver = diff_row_count_threshold !== undefined && (counted?.count ?? 0) > diff_row_count_threshold;
  const spared = isOver ? sql`origin = 'diffed'` : sql`origin = 'sent' and type in (select value from json_each(${JSON.stringify(types)}))`;
  await work.commit({
    set: isOver ? { diffing_threshold_exceeded: true } : { diffed_against_import_id: base.id, diffing_threshold_exceeded: false },
    statements: [
      db.build.run(
        sql`update sis_import_files set workflow_state = 'compared' where sis_import_id = ${it.id} and workflow_state <> 'unusable' and ${spared}`,
      ),
    ],
  });
  return true;
}
