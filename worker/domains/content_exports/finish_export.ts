// The last step of an export: one file of its pieces.

import { sql } from 'drizzle-orm';
import type { ProgressStep } from '../progress/in_steps';
import { paper } from '../sis_imports/files/kept_files';
import { deletePieces, type ExportRun, storeArchive } from './pieces';
import type { content_exports } from './table';

/** The root account, whose hidden folder has the archives: they are no files of the course or of the user. */
const holder = { context_type: 'Account', context_id: 1 } as const;
const levels = [{ name: 'Content exports', hidden: true, unique_type: 'content exports' }];

/** Makes the archive beside a book, of its pieces. */
export async function keepCompanion(run: ExportRun, { id, user_id }: { readonly id: number; readonly user_id: number }, name: string) {
  const { db, now } = run;
  const blob = await storeArchive(run, id, undefined, true);
  const file = paper(db, { holder, levels, user_id, name, content_type: 'application/zip', blob }, now);
  return [...file.statements, db.build.run(sql`update content_exports set companion_uuid = ${file.uuid} where id = ${id}`)];
}

export const exportFailed = (after: number, failure: string): ProgressStep => ({ statements: [], after, completion: 0, end: { failure } });

interface Finishing {
  readonly after: number;
  readonly content_type: string;
  readonly manifest?: Parameters<typeof storeArchive>[2];
}

export async function finishExport(
  run: ExportRun,
  { id, user_id, name }: Pick<typeof content_exports.$inferSelect, 'id' | 'user_id' | 'name'>,
  { after, content_type, manifest }: Finishing,
): Promise<ProgressStep> {
  const { db, now } = run;
  const blob = await storeArchive(run, id, manifest);
  const file = paper(db, { holder, levels, user_id, name, content_type, blob }, now);
  return {
    statements: [
      ...file.statements,
      db.build.run(sql`update content_exports set file_uuid = ${file.uuid}, updated_at = ${now} where id = ${id}`),
      deletePieces(db, id),
    ],
    after: after + 1,
    completion: 100,
    end: {},
  };
}
