// Writes a gradebook as CSV in steps: the header, some students at a time, then the file from these pieces.

import { sql } from 'drizzle-orm';
import type { Database, Statement } from '../../../database/open';
import type { Retention } from '../../../database/retention';
import type { Platform } from '../../../platform';
import { newBlobKey, storeBlob } from '../../files/upload/blobs';
import { inSteps, type ProgressStep, type SteppedJob, unfinishedSteps } from '../../progress/in_steps';
import { expectBlob } from '../../sis_imports/files/kept_files';
import { gradebookAssignments, gradebookCustomColumns, gradebookGroups } from '../columns';
import { completeFile } from './file';
import { type ExportPlan, type HeadColumns, headLines, partsOf, studentLine } from './lines';
import { keptPieces } from './pieces';
import {
  assignmentsInPeriod,
  countedHere,
  courseAndStandard,
  type ExportRequest,
  ordered,
  studentsInOrder,
  studentsWithWork,
  visibleColumns,
} from './read';

type Arguments = ExportRequest & { readonly plan?: ExportPlan };

/** Cells of one step, and its most students. */
const mostCells = 10_000;
const mostAtOnce = 50;
/** The row of a piece may have 2 MB, which texts of custom columns could exceed. */
const longestPiece = 500_000;

/** The lines as rows of the table. @param step part of their order */
const keep = (db: Database, progress_id: number, step: number, lines: string, now: string): Statement[] =>
  partsOf(lines, longestPiece).map((content, at) =>
    db.build.run(
      sql`insert into gradebook_csv_pieces (progress_id, piece, content, created_at) values (${progress_id}, ${step * 1000 + at}, ${content}, ${now})`,
    ),
  );

/** Decides which students and columns the file has, and writes its header. */
async function begin(db: Database, id: number, request: ExportRequest, now: string): Promise<ProgressStep> {
  const { course_id, period, group } = request;
  const [students, all, customColumns, groups, [course], inPeriod] = await db.perform([
    studentsInOrder(db, request),
    gradebookAssignments(db, course_id),
    gradebookCustomColumns(db, course_id, false),
    gradebookGroups(db, course_id),
    courseAndStandard(db, request)[0],
    assignmentsInPeriod(db, course_id, period ?? 0),
  ]);
  const periods = new Set(inPeriod.map((one) => one.id));
  const columns: HeadColumns = {
    shown: request.shown,
    assignments: ordered(
      visibleColumns(all, request).filter(
        (one) => (period === undefined || periods.has(one.id)) && (group === undefined || one.assignment_group_id === group),
      ),
      request.assignmentOrder,
    ),
    customColumns,
    groups: groups.filter((one) => group === undefined || one.id === group),
    hasGrades: (course?.grading_standard_id ?? null) !== null,
    hasOverrides: course?.settings.allow_final_grade_override === true,
  };
  const idsOf = (some: readonly { readonly id: number }[]) => some.map((one) => one.id);
  const plan: ExportPlan = {
    students: idsOf(ordered(students, request.studentOrder)),
    assignments: idsOf(columns.assignments),
    customColumns: idsOf(customColumns),
    groups: idsOf(columns.groups),
    hasGrades: columns.hasGrades,
    hasOverrides: columns.hasOverrides,
  };
  return {
    statements: [
      db.build.run(sql`update progress set arguments = json_set(arguments, '$.plan', json(${JSON.stringify(plan)})) where id = ${id}`),
      ...keep(db, id, 0, `${request.hasMark ? '\ufeff' : ''}${headLines(columns)}`, now),
    ],
    after: 1,
    completion: 5,
  };
}

/** @param from the number of students that are written */
async function goOn(db: Database, id: number, request: ExportRequest, plan: ExportPlan, from: number, now: string): Promise<ProgressStep> {
  const count = Math.max(1, Math.min(mostAtOnce, Math.floor(mostCells / Math.max(1, plan.assignments.length))));
  const ids = plan.students.slice(from, from + count);
  const [all, [course], [standard], [row], students] = await db.perform([
    gradebookAssignments(db, request.course_id),
    ...courseAndStandard(db, request),
    countedHere(db, request),
    studentsWithWork(db, request, ids, plan.customColumns),
  ]);
  const assignments = new Map(visibleColumns(all, request).map((one) => [one.id, one]));
  const counting = row && {
    assignments,
    row,
    leftOut: new Set(all.flatMap((one) => (assignments.has(one.id) ? [] : one.id))),
    period: request.period,
    course: { grading_standard_id: course?.grading_standard_id ?? null, standard },
  };
  const lines = counting ? students.map((one) => studentLine(one, request.shown, plan, counting)).join('') : '';
  const reached = from + ids.length;
  return {
    statements: keep(db, id, reached, lines, now),
    after: reached + 1,
    completion: 5 + (90 * reached) / Math.max(1, plan.students.length),
  };
}

/** Stores the file, and deletes its pieces. */
async function finish(
  db: Database,
  env: Platform,
  id: number,
  { file_uuid }: ExportRequest,
  after: number,
  now: string,
): Promise<ProgressStep> {
  const key = newBlobKey();
  await db.perform([expectBlob(db, key, now)]);
  const kept = await storeBlob(env.FILES, key, keptPieces(db, id), Number.POSITIVE_INFINITY, { r2_calls: 0 });
  return {
    statements: [
      ...completeFile(db, file_uuid, { key, ...kept }, now),
      db.build.run(sql`delete from gradebook_csv_pieces where progress_id = ${id}`),
    ],
    after: after + 1,
    completion: 100,
    end: {},
  };
}

const exporting: SteppedJob = {
  job: 'gradebook_export',
  tag: 'gradebook_export',
  async next(db, { id, after, arguments: given }, now, env) {
    const { plan, ...request } = given as Arguments;
    if (!plan) return begin(db, id, request, now);
    if (after - 1 < plan.students.length) return goOn(db, id, request, plan, after - 1, now);
    return finish(db, env, id, request, after, now);
  },
};

export const exportJob = exporting.job;
export const exportTag = exporting.tag;
export const exportGradebook = inSteps(exporting);
export const unfinishedExports = unfinishedSteps(exporting);
/** Pieces of exports that failed. */
export const pieceRetention: Retention = { table: 'gradebook_csv_pieces', by: 'created_at', isInIdOrder: true, days: 2 };
