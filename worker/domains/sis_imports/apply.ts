// The phase in which rows are applied: file by file in their order, chunk by chunk. How far a file has come is written with what came of it.

import { sql } from 'drizzle-orm';
import { chunksOf, csvRows } from './chunks';
import { countOf, type FileType } from './file_types';
import { kinds } from './kinds';
import { Moved, Notes, type Work } from './work';

interface Current {
  readonly id: number;
  readonly name: string;
  readonly type: FileType;
  readonly columns: string;
  readonly size: number;
  readonly rows: number;
  readonly at_byte: number;
  readonly at_row: number;
  readonly key: string;
  /** Rows of all files, and of those that are done. */
  readonly all_rows: number;
  readonly done_rows: number;
}

const attempts = 5;

/** @returns whether every file is done */
export async function applyFiles(work: Work, mayGoOn: () => boolean): Promise<boolean> {
  for (;;) {
    const [[file]] = await work.read([
      work.db.build.all<Current>(
        sql`select s.id as id, s.name as name, s.type as type, s.columns as columns, s.size as size, s.rows as rows, s.at_byte as at_byte, s.at_row as at_row, b.key as key,
          (select coalesce(sum(rows), 0) from sis_import_files where sis_import_id = s.sis_import_id and workflow_state in ('waiting', 'done')) as all_rows,
          (select coalesce(sum(at_row), 0) from sis_import_files where sis_import_id = s.sis_import_id and workflow_state in ('waiting', 'done')) as done_rows
          from sis_import_files s join files f on f.id = s.file_id join blobs b on b.id = f.blob_id
          where s.sis_import_id = ${work.it.id} and s.workflow_state = 'waiting' order by s.position, s.id limit 1`,
      ),
    ]);
    if (!file) return true;
    if (!(await applyFile(work, file, mayGoOn))) return false;
  }
}

async function applyFile(work: Work, file: Current, mayGoOn: () => boolean): Promise<boolean> {
  const kind = kinds[file.type];
  if (!kind) throw new Error(`nobody applies files of the type ${file.type}`);
  const columns = JSON.parse(file.columns) as string[];
  const rows = csvRows(work.env, file.key, file.at_byte, file.size);
  let done = file.at_row;
  // The header is row 1 of the file.
  for await (const chunk of chunksOf(rows, columns, file.at_row + 2, kind.cutting)) {
    if (!mayGoOn()) return false;
    done += chunk.rows.length;
    for (let attempt = 1; ; attempt += 1) {
      const notes = new Notes();
      try {
        const part = await kind.apply(work, chunk.rows, notes);
        notes.count(countOf[file.type], notes.applied);
        await work.commit({
          ...part,
          notes,
          file: file.name,
          set: { progress: Math.min(99, Math.floor((100 * (file.done_rows + done - file.at_row)) / Math.max(1, file.all_rows))) },
          statements: [
            ...part.statements,
            work.db.build.run(sql`update sis_import_files set at_byte = ${chunk.end}, at_row = ${done} where id = ${file.id}`),
          ],
        });
        break;
      } catch (error) {
        if (!(error instanceof Moved) || attempt === attempts) throw error;
      }
    }
  }
  await work.commit({
    statements: [work.db.build.run(sql`update sis_import_files set workflow_state = 'done', at_row = rows where id = ${file.id}`)],
  });
  return true;
}
