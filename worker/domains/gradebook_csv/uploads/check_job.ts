// The dry run of an uploaded gradebook, in steps: which cells differ from what is stored.

import { eq, sql } from 'drizzle-orm';
import { theIds } from '../../../database/ids';
import type { Database, Statement } from '../../../database/open';
import type { RowOf } from '../../../http/listing';
import { schemesOfAssignments } from '../../../rules/grading_schemes';
import { inSteps, type ProgressStep, type SteppedJob, unfinishedSteps } from '../../progress/in_steps';
import { judgeGrade, judgeOverride, judgeText, noGrade, type Verdict } from '../cells';
import { type GradebookAssignment, gradebookAssignments } from '../columns';
import { gradebook_upload_rows, gradebook_uploads, type UploadChange, type UploadColumn, type UploadIssue } from '../table';
import {
  type GradingState,
  gradesByPlace,
  gradingStates,
  keyOf,
  namedStudents,
  overridesByUser,
  type Place,
  refusalOfState,
  storedGrades,
  storedOverrides,
  storedTexts,
  studentOf,
  textsByPlace,
} from './facts';

export type StoredUpload = RowOf<typeof gradebook_uploads>;
export type UploadRow = RowOf<typeof gradebook_upload_rows>;

/** Cells of one step, and its most students. */
const mostCells = 4000;
const mostAtOnce = 50;

export const gradebookUploadAt = (db: Database, id: number) =>
  db.build.select().from(gradebook_uploads).where(eq(gradebook_uploads.id, id));

const rowsAfter = ({ build }: Database, upload_id: number, after: number) =>
  build
    .select()
    .from(gradebook_upload_rows)
    .where(sql`${gradebook_upload_rows.upload_id} = ${upload_id} and ${gradebook_upload_rows.row} > ${after}`)
    .orderBy(gradebook_upload_rows.row)
    .limit(mostAtOnce);

const idsOf = (columns: readonly UploadColumn[], name: 'assignment_id' | 'custom_column_id') => columns.flatMap((one) => one[name] ?? []);

/** A new assignment takes points. */
const newAssignment = ({ points_possible = 0 }: UploadColumn) => ({ grading_type: 'points' as const, points_possible });

type Assignments = ReadonlyMap<
  number,
  GradebookAssignment & { readonly scheme?: Awaited<ReturnType<typeof schemesOfAssignments>>[number] }
>;

interface Stored {
  readonly assignments: Assignments;
  readonly grades: ReturnType<typeof gradesByPlace>;
  readonly texts: ReturnType<typeof textsByPlace>;
  readonly overrides: ReturnType<typeof overridesByUser>;
}

function verdictOn(
  text: string,
  column: UploadColumn,
  user: number,
  { assignments, grades, texts, overrides }: Stored,
  { options }: StoredUpload,
): Verdict {
  if (column.kind === 'override') return judgeOverride(text, overrides.get(user) ?? null, options);
  if (column.custom_column_id) return judgeText(text, texts.get(keyOf([column.custom_column_id, user])) ?? '', options);
  if (!column.assignment_id) return judgeGrade(text, noGrade, newAssignment(column), undefined, options);
  const assignment = assignments.get(column.assignment_id);
  if (!assignment) return { error: 'the assignment is no longer in the gradebook' };
  return judgeGrade(text, grades.get(keyOf([assignment.id, user])) ?? noGrade, assignment, assignment.scheme, options);
}

interface Judged {
  readonly row: UploadRow;
  readonly user: number | undefined;
  readonly ignored: string | null;
  readonly changes: readonly UploadChange[];
  readonly errors: readonly UploadIssue[];
}

function judgeRow(row: UploadRow, user: number, upload: StoredUpload, stored: Stored): Judged {
  const columns = new Map(upload.columns.map((one) => [one.column, one]));
  const changes: UploadChange[] = [];
  const errors: UploadIssue[] = [];
  for (const [number, text] of row.cells) {
    const column = columns.get(number);
    const verdict = column && verdictOn(text, column, user, stored, upload);
    if (!column || !verdict) continue;
    if ('error' in verdict) errors.push({ column: number, message: verdict.error });
    else
      changes.push({
        column: number,
        assignment_id: column.assignment_id,
        custom_column_id: column.custom_column_id,
        ...verdict,
      });
  }
  return { row, user, ignored: null, changes, errors };
}

/** Moves changes that grading does not allow to the errors. */
function allowed(judged: Judged, states: ReadonlyMap<string, GradingState>, grades: Stored['grades']): Judged {
  const refusal = ({ assignment_id }: UploadChange): string | undefined => {
    if (!assignment_id || judged.user === undefined) return undefined;
    const key = keyOf([assignment_id, judged.user]);
    return refusalOfState(states.get(key), grades.has(key));
  };
  const refused = judged.changes.flatMap((change) => {
    const message = refusal(change);
    return message === undefined ? [] : { column: change.column, message };
  });
  return { ...judged, changes: judged.changes.filter((one) => refusal(one) === undefined), errors: [...judged.errors, ...refused] };
}

const placesOf = (judged: readonly Judged[]): Place[] =>
  judged.flatMap(({ user, changes }) =>
    changes.flatMap(({ assignment_id }): Place[] => (assignment_id && user !== undefined ? [[assignment_id, user]] : [])),
  );

/** The students of the rows; the second row of a student is ignored. */
async function matched(db: Database, upload: StoredUpload, rows: readonly UploadRow[]): Promise<ReadonlyMap<number, number | string>> {
  const [sisIds, logins, reached] = await db.perform(
    namedStudents(
      db,
      upload.course_id,
      upload.options.reach,
      rows.map((one) => one.student),
    ),
  );
  const inReach = new Set(reached.map((one) => one.user_id));
  return new Map(rows.map((row) => [row.id, studentOf(row.student, sisIds, logins, inReach)]));
}

async function judge(db: Database, upload: StoredUpload, rows: readonly UploadRow[], now: string): Promise<Judged[]> {
  const students = await matched(db, upload, rows);
  const users = [...new Set(students.values())].filter((one) => typeof one === 'number');
  const assignmentIds = idsOf(upload.columns, 'assignment_id');
  const [all, schemes, grades, texts, overrides, earlier] = await db.perform([
    gradebookAssignments(db, upload.course_id),
    schemesOfAssignments(db, theIds(assignmentIds)),
    storedGrades(db, assignmentIds, users),
    storedTexts(db, idsOf(upload.columns, 'custom_column_id'), users),
    storedOverrides(db, upload.course_id, users),
    db.build.all<{ user_id: number }>(
      sql`select r.user_id from gradebook_upload_rows r where r.upload_id = ${upload.id} and r.user_id is not null and r.user_id in (select value from json_each(${JSON.stringify(users)}))`,
    ),
  ]);
  const stored: Stored = {
    assignments: new Map(all.map((one) => [one.id, { ...one, scheme: schemes.find(({ assignment_id }) => assignment_id === one.id) }])),
    grades: gradesByPlace(grades),
    texts: textsByPlace(texts),
    overrides: overridesByUser(overrides),
  };
  const seen = new Set(earlier.map((one) => one.user_id));
  const judged = rows.map((row): Judged => {
    const user = students.get(row.id) ?? '';
    const ignored = typeof user === 'string' ? user : seen.has(user) ? 'an earlier row has the same student' : undefined;
    if (typeof user === 'string' || ignored !== undefined)
      return { row, user: undefined, ignored: ignored ?? null, changes: [], errors: [] };
    seen.add(user);
    return judgeRow(row, user, upload, stored);
  });
  const [states] = await db.perform([gradingStates(db, upload.course_id, upload.options.reach, placesOf(judged), now)]);
  const byPlace = new Map(states.map((one) => [keyOf([one.assignment_id, one.user_id]), one]));
  return judged.map((one) => allowed(one, byPlace, stored.grades));
}

function store(db: Database, { id }: StoredUpload, judged: readonly Judged[], now: string): Statement[] {
  const given = judged.map(({ row, user, ignored, changes, errors }) => [row.id, user ?? null, ignored, changes, errors]);
  const count = (of: (one: Judged) => number) => judged.reduce((sum, one) => sum + of(one), 0);
  return [
    db.build.run(sql`update gradebook_upload_rows set user_id = j.value ->> 1, ignored = j.value ->> 2, changes = j.value -> 3, errors = j.value -> 4, workflow_state = 'checked'
      from json_each(${JSON.stringify(given)}) j where gradebook_upload_rows.id = j.value ->> 0`),
    db.build.run(sql`update gradebook_uploads set ignored_row_count = ignored_row_count + ${count((one) => (one.ignored === null ? 0 : 1))},
      change_count = change_count + ${count((one) => one.changes.length)}, error_count = error_count + ${count((one) => one.errors.length)}, updated_at = ${now} where id = ${id}`),
  ];
}

/** How far a job has come. @param last the last row of the step */
export const completionAt = (last: number, { row_count }: StoredUpload): number => Math.min(99, (100 * last) / (row_count + 3));

const checking: SteppedJob = {
  job: 'gradebook_check',
  tag: 'gradebook_upload',
  async next(db, { after, arguments: given }, now): Promise<ProgressStep> {
    const { upload_id } = given as { upload_id: number };
    const [[upload], read] = await db.perform([gradebookUploadAt(db, upload_id), rowsAfter(db, upload_id, after)]);
    if (!upload) return { statements: [], after: after + 1, completion: 100, end: { failure: 'The file was deleted.' } };
    const count = Math.max(1, Math.floor(mostCells / Math.max(1, upload.columns.length)));
    const rows = read.slice(0, count);
    const judged = rows.length === 0 ? [] : await judge(db, upload, rows, now);
    const isOver = read.length < mostAtOnce && rows.length === read.length;
    const last = rows.at(-1)?.row ?? after + 1;
    return {
      statements: [
        ...store(db, upload, judged, now),
        ...(isOver
          ? [
              db.build.run(
                sql`update gradebook_uploads set workflow_state = 'checked', updated_at = ${now} where id = ${upload_id} and workflow_state = 'checking'`,
              ),
            ]
          : []),
      ],
      after: last,
      completion: completionAt(last, upload),
      ...(isOver && { end: {} }),
    };
  },
};

export const checkJob = checking.job;
export const checkTag = checking.tag;
export const checkGradebook = inSteps(checking);
export const unfinishedChecks = unfinishedSteps(checking);
