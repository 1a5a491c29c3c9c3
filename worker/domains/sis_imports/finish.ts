// The end of an import: its state, its first messages, and a file with all messages.

import { csvLine } from '@carrel/shared/csv/writer';
import { sql } from 'drizzle-orm';
import { encoded, fileId, writePaper } from './files/kept_files';
import { offStage } from './files/sort_by_course';
import type { ImportState } from './table';
import { type ImportWork, Notes } from './work';

export function endState({ error_count, warning_count }: { error_count: number; warning_count: number }): ImportState {
  if (error_count > 0) return 'failed_with_messages';
  return warning_count > 0 ? 'imported_with_messages' : 'imported';
}

interface Said {
  readonly id: number;
  readonly file: string;
  readonly message: string;
  readonly row: number | null;
}

/** All messages as CSV lines, read a thousand at a time. */
async function* messageLines(work: ImportWork): AsyncGenerator<string> {
  yield csvLine(['sis_import_id', 'file', 'message', 'row']);
  for (let after = 0; ; ) {
    const [said] = await work.read([
      work.db.build.all<Said>(
        sql`select id, file, message, row from sis_import_errors where sis_import_id = ${work.it.id} and id > ${after} order by id limit 1000`,
      ),
    ]);
    for (const { file, message, row } of said) yield csvLine([String(work.it.id), file, message, row === null ? '' : String(row)]);
    const last = said.at(-1);
    if (!last) return;
    after = last.id;
  }
}

const firstOf = (id: number, failure: 0 | 1) =>
  sql`(select json_group_array(json_array(m.file, m.message)) from (select file, message from sis_import_errors where sis_import_id = ${id} and failure = ${failure} order by id limit 50) m having count(*) > 0)`;

/** @param crash the final error, if the import failed */
export async function finishImport(work: ImportWork, crash?: string): Promise<void> {
  const { it, db } = work;
  if (crash !== undefined) {
    const notes = new Notes();
    notes.messages.push({ message: `the import failed: ${crash}`, failure: true });
    await work.commit({ notes });
  }
  const hasMessages = work.it.error_count + work.it.warning_count > 0;
  const paper = hasMessages
    ? await writePaper(work, `sis_errors_attachment_${it.id}.csv`, 'text/csv', encoded(messageLines(work)))
    : undefined;
  const { id } = it;
  await work.commit({
    set: { workflow_state: endState(work.it), phase: 'over', progress: 100, ended_at: work.now() },
    statements: [
      ...(paper?.statements ?? []),
      db.build.run(
        sql`update sis_imports set processing_errors = ${firstOf(id, 1)}, processing_warnings = ${firstOf(id, 0)} ${paper ? sql`, errors_attachment_id = ${fileId(paper.uuid)}` : sql``} where id = ${id}`,
      ),
      db.build.run(sql`delete from sis_import_seen where sis_import_id = ${id}`),
      offStage(db, sql`${id}`),
    ],
  });
}
