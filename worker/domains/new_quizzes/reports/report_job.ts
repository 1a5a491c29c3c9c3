// Writes a report about a New Quiz in steps: its start, some rows at a time, then the file from these pieces.

import { sql } from 'drizzle-orm';
import type { Database, Statement } from '../../../database/open';
import { newBlobKey, storeBlob } from '../../files/upload/blobs';
import { completeFile } from '../../gradebook_csv/exports/file';
import { keptPieces } from '../../gradebook_csv/exports/pieces';
import { inSteps, type ProgressStep, type SteppedJob, unfinishedSteps } from '../../progress/in_steps';
import { expectBlob } from '../../sis_imports/files/kept_files';
import { closingOf, linesOf, type NewQuizReportFormat, type NewQuizReportType, openingOf } from './lines';
import { itemsAfter, type ReportScope, rowsOfStep, studentsAfter } from './read';

/** The input of the job: what was asked for, and what the caller may see. */
export interface NewQuizReportRequest extends ReportScope {
  readonly type: NewQuizReportType;
  readonly format: NewQuizReportFormat;
  readonly file_uuid: string;
  /** The address of the file. */
  readonly url: string;
  readonly seesNames: boolean;
}

/** Where the rows end, and the file is made. */
interface Standing {
  readonly has_all?: boolean;
}

const keepPiece = (db: Database, progress_id: number, content: string, now: string): Statement =>
  db.build.run(
    sql`insert into gradebook_csv_pieces (progress_id, piece, content, created_at)
      select ${progress_id}, 1 + coalesce(max(piece), 0), ${content}, ${now} from gradebook_csv_pieces where progress_id = ${progress_id}`,
  );

/** A report names students, so it ends where they have become anonymous. */
const isAnonymousNow = (db: Database, { new_quiz_id }: ReportScope) =>
  db.build.all<{ is_anonymous: number }>(sql`select a.anonymize_students as is_anonymous from assignments a where a.id = ${new_quiz_id}`);

async function goOn(db: Database, id: number, request: NewQuizReportRequest, after: number, now: string): Promise<ProgressStep> {
  const { type, format, seesNames } = request;
  const [rows, facts] = await db.perform([
    type === 'student_analysis' ? studentsAfter(db, request, after) : itemsAfter(db, request, after),
    isAnonymousNow(db, request),
  ]);
  if (type === 'student_analysis' && facts[0]?.is_anonymous === 1 && !seesNames)
    return { statements: [], after: after + 1, completion: 0, end: { failure: 'The students of this quiz are anonymous.' } };
  const isLast = rows.length < rowsOfStep;
  const content = `${after === 0 ? openingOf(type, format) : ''}${linesOf(type, format, rows, after === 0)}${isLast ? closingOf(format) : ''}`;
  return {
    statements: [
      ...(content === '' ? [] : [keepPiece(db, id, content, now)]),
      ...(isLast
        ? [db.build.run(sql`update progress set arguments = json_set(arguments, '$.has_all', json('true')) where id = ${id}`)]
        : []),
    ],
    after: rows.at(-1)?.reached ?? after + 1,
    completion: isLast ? 90 : 50,
  };
}

const reporting: SteppedJob = {
  job: 'new_quiz_report',
  tag: 'new_quiz_report',
  async next(db, { id, after, arguments: given }, now, env) {
    const { has_all, ...request } = given as NewQuizReportRequest & Standing;
    if (!has_all) return goOn(db, id, request, after, now);
    const key = newBlobKey();
    await db.perform([expectBlob(db, key, now)]);
    const kept = await storeBlob(env.FILES, key, keptPieces(db, id), Number.POSITIVE_INFINITY, { r2_calls: 0 });
    return {
      statements: [
        ...completeFile(db, request.file_uuid, { key, ...kept }, now),
        db.build.run(sql`delete from gradebook_csv_pieces where progress_id = ${id}`),
        db.build.run(
          sql`update progress set results = json_object('url', ${request.url} || '/files/' || (select f.id from files f where f.uuid = ${request.file_uuid}) || '/download?download_frd=1') where id = ${id}`,
        ),
      ],
      after: after + 1,
      completion: 100,
      end: {},
    };
  },
};

export const newQuizReportJob = reporting.job;
export const newQuizReportTag = reporting.tag;
export const writeNewQuizReport = inSteps(reporting);
export const unfinishedNewQuizReports = unfinishedSteps(reporting);
