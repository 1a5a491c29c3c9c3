// Writes the archive of an export in steps: what it contains, some of it at a time, then the file.

import { eq, sql } from 'drizzle-orm';
import type { Database, Statement } from '../../database/open';
import { inSteps, type ProgressStep, type SteppedJob, unfinishedSteps } from '../progress/in_steps';
import type { CartridgePlan } from './cartridge/plan';
import { beginCartridge, endOfCartridge, exportedChunk } from './cartridge/steps';
import { fileIds, filesToExport } from './file_parts';
import { exportFailed, finishExport } from './finish_export';
import { type ExportRun, fileEntry, storePiece, textEntry } from './pieces';
import { bankIds, bankParts, courseToExport, type PackagePart, quizIds, quizParts } from './quiz_parts';
import { contentExportJob, contentExportTag } from './request';
import { leadingWithin, refusalOfFiles } from './selection';
import { content_exports } from './table';

type ExportRow = typeof content_exports.$inferSelect;

/** What the archive contains, in order; the ids of one kind are together. */
interface Plan {
  readonly files?: readonly number[];
  readonly quizzes?: readonly number[];
  readonly banks?: readonly number[];
  readonly cartridge?: CartridgePlan;
}

/** Of one step. */
const filesAtOnce = 50;
const bytesAtOnce = 64 * 1024 * 1024;
const quizzesAtOnce = 5;

const planned = (db: Database, progress_id: number, plan: Plan): Statement =>
  db.build.run(sql`update progress set arguments = json_set(arguments, '$.plan', json(${JSON.stringify(plan)})) where id = ${progress_id}`);

async function begin({ db, now }: ExportRun, progress_id: number, it: ExportRow): Promise<ProgressStep> {
  const idsOf = (rows: readonly { readonly id: number }[]) => rows.map(({ id }) => id);
  if (it.export_type === 'zip') {
    const [files] = await db.perform([fileIds(db, it, now)]);
    const refusal = refusalOfFiles(files.map(({ size }) => size));
    if (refusal !== undefined) return exportFailed(1, refusal);
    return { statements: [planned(db, progress_id, { files: idsOf(files) })], after: 1, completion: 5 };
  }
  if (it.export_type === 'common_cartridge') {
    const cartridge = await beginCartridge(db, it);
    return 'failure' in cartridge
      ? exportFailed(1, cartridge.failure)
      : { statements: [planned(db, progress_id, { cartridge })], after: 1, completion: 5 };
  }
  const [quizzes, banks] = await db.perform([quizIds(db, it.context_id, it.selection), bankIds(db, it.context_id, it.selection)]);
  return { statements: [planned(db, progress_id, { quizzes: idsOf(quizzes), banks: idsOf(banks) })], after: 1, completion: 5 };
}

const completionAt = (done: number, of: number): number => 5 + (90 * done) / Math.max(1, of);

/** @param from the number of files that are written */
async function addFiles(run: ExportRun, it: ExportRow, ids: readonly number[], from: number): Promise<ProgressStep> {
  const next = ids.slice(from, from + filesAtOnce);
  const found = await filesToExport(run.db, it, next, run.now);
  const sizes = new Map(found.map(({ id, size }) => [id, size]));
  // The files of a step can be stored within its time.
  const count = leadingWithin(
    next.map((id) => sizes.get(id) ?? 0),
    bytesAtOnce,
  );
  const taken = new Set(next.slice(0, count));
  const entries = found.filter(({ id }) => taken.has(id)).map(({ path, key }) => fileEntry(run, path, key));
  return {
    statements: await storePiece(run, { export_id: it.id, at: from }, entries, []),
    after: 1 + from + count,
    completion: completionAt(from + count, ids.length),
  };
}

/** @param from the number of quizzes and banks that are written */
async function addQuizzes(run: ExportRun, it: ExportRow, { quizzes = [], banks = [] }: Plan, from: number): Promise<ProgressStep> {
  const { db } = run;
  const [[course]] = await db.perform([courseToExport(db, it.context_id)]);
  if (!course) return exportFailed(1 + from, 'The course was deleted.');
  const isBanks = from >= quizzes.length;
  const ids = isBanks ? banks.slice(from - quizzes.length, from - quizzes.length + 1) : quizzes.slice(from, from + quizzesAtOnce);
  const parts: readonly PackagePart[] = await (isBanks ? bankParts : quizParts)(db, course, ids);
  const entries = parts.flatMap(({ files }) => files.map(({ path, content }) => textEntry(path, content)));
  const done = from + ids.length;
  return {
    statements: await storePiece(
      run,
      { export_id: it.id, at: from },
      entries,
      parts.flatMap(({ resources }) => resources),
    ),
    after: 1 + done,
    completion: completionAt(done, quizzes.length + banks.length),
  };
}

/** @param from the number of chunks that are written */
async function addChunk(run: ExportRun, it: ExportRow, plan: CartridgePlan, from: number): Promise<ProgressStep> {
  const made = await exportedChunk(run, it, plan, from);
  if (!made) return exportFailed(1 + from, 'The course was deleted.');
  return {
    statements: await storePiece(run, { export_id: it.id, at: from }, made.entries, made.resources),
    after: 2 + from,
    completion: completionAt(from + 1, plan.chunks.length + 1),
  };
}

async function finish(run: ExportRun, it: ExportRow, after: number, cartridge: CartridgePlan | undefined): Promise<ProgressStep> {
  const { db } = run;
  const [[course]] = await db.perform([courseToExport(db, it.export_type === 'zip' ? 0 : it.context_id)]);
  const manifest = course && {
    identifier: `${it.file_uuid.slice(0, 16)}_manifest`,
    title: course.name,
    ...(await endOfCartridge(db, course, it, cartridge)),
  };
  return finishExport(run, it, { after, content_type: 'application/zip', ...(manifest && { manifest }) });
}

const exporting: SteppedJob = {
  job: contentExportJob,
  tag: contentExportTag,
  async next(db, { id, context_id, after, arguments: given }, now, env, meter) {
    const run: ExportRun = { db, env, meter, now };
    const [[it]] = await db.perform([db.build.select().from(content_exports).where(eq(content_exports.id, context_id))]);
    if (!it) return exportFailed(after + 1, 'The export was deleted.');
    const { plan } = (given ?? {}) as { readonly plan?: Plan };
    if (!plan) return begin(run, id, it);
    const from = after - 1;
    if (plan.files && from < plan.files.length) return addFiles(run, it, plan.files, from);
    if (from < (plan.quizzes?.length ?? 0) + (plan.banks?.length ?? 0)) return addQuizzes(run, it, plan, from);
    // After the chunks, the settings of the course are one more step.
    if (plan.cartridge && from <= plan.cartridge.chunks.length) return addChunk(run, it, plan.cartridge, from);
    return finish(run, it, after, plan.cartridge);
  },
};

export const exportContent = inSteps(exporting);
export const unfinishedContentExports = unfinishedSteps(exporting);
