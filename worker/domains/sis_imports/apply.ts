// The apply phase of an import: file by file, chunk by chunk. Progress and results are written in the same batch.

import { csvLine } from '@carrel/shared/csv/writer';
import { sql } from 'drizzle-orm';
import { chunksOf, csvRows, numbered } from './files/chunks';
import { countOf, type FileType, type ParsedRow } from './files/file_types';
import { type StagedPart, stagedRows, stageFile, takenOff } from './files/sort_by_course';
import { rowKinds } from './row_kinds';
import type { RowKind, RowWrites } from './row_rules';
import { type ImportWork, Moved, Notes } from './work';

interface Current extends StagedPart {
  readonly name: string;
  readonly type: FileType;
  readonly at_row: number;
  /** Number of rows in all files, and in completed files. */
  readonly all_rows: number;
  readonly done_rows: number;
}

const attempts = 3;

/** @returns whether every file is done */
export async function applyFiles(work: ImportWork, mayGoOn: () => boolean): Promise<boolean> {
  for (;;) {
    const [[file]] = await work.read([
      work.db.build.all<Current>(
        sql`select s.id as id, s.name as name, s.type as type, s.columns as columns, s.size as size, s.rows as rows, s.at_byte as at_byte, s.at_row as at_row, b.key as key, s.stage as stage, s.staged_rows as staged_rows, s.stage_course as stage_course, s.stage_row as stage_row,
          (select coalesce(sum(sis_import_files.rows), 0) from sis_import_files where sis_import_files.sis_import_id = s.sis_import_id and sis_import_files.workflow_state in ('waiting', 'done')) as all_rows,
          (select coalesce(sum(sis_import_files.at_row), 0) from sis_import_files where sis_import_files.sis_import_id = s.sis_import_id and sis_import_files.workflow_state in ('waiting', 'done')) as done_rows
          from sis_import_files s join files f on f.id = s.file_id join blobs b on b.id = f.blob_id
          where s.sis_import_id = ${work.it.id} and s.workflow_state = 'waiting' order by s.position, s.id limit 1`,
      ),
    ]);
    if (!file) return true;
    if (!(await applyFile(work, file, mayGoOn))) return false;
  }
}

async function applyFile(work: ImportWork, found: Current, mayGoOn: () => boolean): Promise<boolean> {
  const kind = rowKinds[found.type];
  const file = found.at_row === 0 ? await stageFile(work, found, kind, mayGoOn) : found;
  if (!file) return false;
  const columns = JSON.parse(file.columns) as string[];
  let done = file.at_row;
  // The header is row 1 of the file.
  const rows = file.stage
    ? stagedRows(work, file)
    : numbered(csvRows(work.env, file.key, file.at_byte, file.size), columns, file.at_row + 2);
  for await (const chunk of chunksOf(rows, kind.cutting)) {
    if (!mayGoOn()) return false;
    await applyRows(work, file, kind, chunk.rows, done);
    done += chunk.rows.length;
  }
  await work.commit({
    statements: [work.db.build.run(sql`update sis_import_files set workflow_state = 'done', at_row = rows where id = ${file.id}`)],
  });
  return true;
}

const secrets = ['password', 'ssha_password'];
const longestInfo = 300;

/** The row as text for error messages, without passwords. */
function infoOf(row: ParsedRow | undefined): string | undefined {
  if (!row) return undefined;
  const result = Object.entries(row.cells).map(([column, value]) => (secrets.includes(column) && value ? '…' : (value ?? '')));
  return csvLine(result).trimEnd().slice(0, longestInfo);
}

/** @param before number of rows in completed files */
async function applyRows(work: ImportWork, file: Current, kind: RowKind, rows: readonly ParsedRow[], before: number): Promise<void> {
  const done = before + rows.length;
  const all = Math.max(1, file.all_rows);
  const byNumber = new Map(rows.map((row) => [row.at, row]));
  const cameTo = (statements: RowWrites['statements'], notes: Notes, moved?: RowWrites['moved']) =>
    work.commit({
      notes: notes.beside((message) => ({ ...message, row_info: infoOf(byNumber.get(message.row ?? 0)) })),
      moved,
      file: file.name,
      set: { progress: Math.min(99, Math.floor((100 * (file.done_rows + done - file.at_row)) / all)) },
      statements: [
        ...statements,
        work.db.build.run(sql`update sis_import_files set at_row = ${done} where id = ${file.id}`),
        ...(file.stage
          ? takenOff(work, file, rows.at(-1) as ParsedRow)
          : [work.db.build.run(sql`update sis_import_files set at_byte = ${rows.at(-1)?.end ?? file.size} where id = ${file.id}`)]),
      ],
    });
  for (let attempt = 1; ; attempt += 1) {
    const notes = new Notes();
    try {
      const part = await kind.apply(work, rows, notes);
      notes.count(countOf[file.type], notes.applied);
      return await cameTo(part.statements, notes, part.moved);
    } catch (error) {
      if (!(error instanceof Moved)) throw error;
      if (attempt < attempts) continue;
      // A row violates an unexpected database constraint: it is isolated, reported and skipped.
      if (rows.length === 1) {
        const refused = new Notes();
        refused.warn(rows[0]?.at, 'the row conflicts with existing data');
        return cameTo([], refused);
      }
      for (const [at, row] of rows.entries()) await applyRows(work, file, kind, [row], before + at);
      return;
    }
  }
}
