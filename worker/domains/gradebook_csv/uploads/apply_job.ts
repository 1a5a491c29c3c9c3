// Applies the changes of a confirmed gradebook, in steps of whole students. A cell that has changed since the dry run stays as it is.

import { sql } from 'drizzle-orm';
import { theIds } from '../../../database/ids';
import type { Database, Statement } from '../../../database/open';
import { schemeOfCourse, schemesOfAssignments } from '../../../rules/grading_schemes';
import { submissionId } from '../../../rules/submission_ids';
import { textOfError } from '../../../steps';
import { type DatumGiven, writeData } from '../../custom_gradebook_columns/data';
import { type OverrideChange, overrideChange } from '../../final_grade_overrides/input';
import { saveOverrides } from '../../final_grade_overrides/stored';
import { inSteps, type ProgressStep, type SteppedJob, unfinishedSteps } from '../../progress/in_steps';
import type { GradeWrite } from '../../submissions/grading/input';
import { performGrades } from '../../submissions/grading/writes';
import { excusedCell, judgeGrade, judgeOverride, judgeText, noGrade, type StoredGrade } from '../cells';
import { gradebookAssignments, gradebookCustomColumns, refusalOf } from '../columns';
import { courseAndStandard } from '../exports/read';
import { gradebook_upload_rows, type UploadChange } from '../table';
import { completionAt, gradebookUploadAt, type StoredUpload, type UploadRow } from './check_job';
import {
  gradedStudents,
  gradesByPlace,
  gradingStates,
  keyOf,
  overridesByUser,
  type Place,
  refusalOfState,
  storedGrades,
  storedOverrides,
  storedTexts,
  textsByPlace,
} from './facts';

/** Changes of one step, unless one student has more. */
const mostChanges = 200;
const mostAtOnce = 50;
/** After this many failures of a step its first student is left out. */
const patience = 3;

const rowsAfter = ({ build }: Database, upload_id: number, after: number) =>
  build
    .select()
    .from(gradebook_upload_rows)
    .where(
      sql`${gradebook_upload_rows.upload_id} = ${upload_id} and ${gradebook_upload_rows.row} > ${after} and ${gradebook_upload_rows.workflow_state} = 'checked'`,
    )
    .orderBy(gradebook_upload_rows.row)
    .limit(mostAtOnce);

/** Whole students, up to a number of changes. */
export function oneStep<R extends { readonly changes: readonly unknown[] }>(rows: readonly R[], most: number): R[] {
  let changes = 0;
  const end = rows.findIndex((row, at) => {
    changes += row.changes.length;
    return at > 0 && changes > most;
  });
  return end < 0 ? [...rows] : rows.slice(0, end);
}

type Read = Awaited<ReturnType<typeof readStored>>;

/** The assignment of a change: new ones have it since the confirmation. */
const assignmentOf = ({ columns }: StoredUpload, { column, custom_column_id }: UploadChange): number | undefined =>
  custom_column_id ? undefined : (columns.find((one) => one.column === column)?.assignment_id ?? undefined);

async function readStored(db: Database, upload: StoredUpload, rows: readonly UploadRow[], now: string) {
  const { course_id, options } = upload;
  const users = rows.flatMap(({ user_id }) => user_id ?? []);
  const places = rows.flatMap(({ user_id, changes }) =>
    changes.flatMap((change): Place[] => {
      const id = assignmentOf(upload, change);
      return id && user_id !== null ? [[id, user_id]] : [];
    }),
  );
  const [all, custom, schemes, reached, grades, texts, states, overrides, [course], [standard]] = await db.perform([
    gradebookAssignments(db, course_id),
    gradebookCustomColumns(db, course_id, true),
    schemesOfAssignments(db, theIds([...new Set(places.map(([id]) => id))])),
    gradedStudents(db, course_id, options.reach, theIds(users)),
    storedGrades(db, [...new Set(places.map(([id]) => id))], users),
    storedTexts(
      db,
      upload.columns.flatMap((one) => one.custom_column_id ?? []),
      users,
    ),
    gradingStates(db, course_id, options.reach, places, now),
    storedOverrides(db, course_id, users),
    ...courseAndStandard(db, upload),
  ]);
  return {
    assignments: new Map(all.map((one) => [one.id, { ...one, scheme: schemes.find(({ assignment_id }) => assignment_id === one.id) }])),
    customColumns: new Set(custom.flatMap((one) => (one.read_only ? [] : one.id))),
    inReach: new Set(reached.map((one) => one.user_id)),
    grades: gradesByPlace(grades),
    texts: textsByPlace(texts),
    overrides: overridesByUser(overrides),
    allowsOverrides: course?.settings.allow_final_grade_override === true,
    courseScheme: schemeOfCourse({ grading_standard_id: course?.grading_standard_id ?? null, standard }),
    states: new Map(states.map((one) => [keyOf([one.assignment_id, one.user_id]), one])),
  };
}

/** What becomes of a change, and what it writes. */
interface Outcome {
  readonly change: UploadChange;
  readonly grade?: { readonly write: GradeWrite; readonly stored: StoredGrade };
  readonly text?: { readonly datum: DatumGiven; readonly stored: string };
  readonly override?: { readonly saved: OverrideChange; readonly stored: number | null };
}

const asIs = { clears: true, hasDecimalComma: false };
const conflict = (change: UploadChange, now: string): Outcome => ({
  change: { ...change, result: 'conflict', message: `the stored value is ${now === '' ? 'empty' : now.slice(0, 100)} now` },
});
const refused = (change: UploadChange, message: string): Outcome => ({ change: { ...change, result: 'refused', message } });

function textOutcome(change: UploadChange, column_id: number, user_id: number, { customColumns, texts }: Read): Outcome {
  if (!customColumns.has(column_id)) return refused(change, 'the column is no longer in the gradebook');
  const stored = texts.get(keyOf([column_id, user_id])) ?? '';
  const verdict = judgeText(change.to, stored, asIs);
  if (!verdict || 'error' in verdict) return { change: { ...change, result: 'unchanged' } };
  if (stored !== change.from) return conflict(change, stored);
  return { change: { ...change, result: 'applied' }, text: { datum: { column_id, user_id, content: change.to }, stored } };
}

function gradeOutcome(change: UploadChange, id: number, user_id: number, upload: StoredUpload, read: Read): Outcome {
  const assignment = read.assignments.get(id);
  if (!assignment) return refused(change, 'the assignment is no longer in the gradebook');
  const key = keyOf([id, user_id]);
  const stored = read.grades.get(key) ?? noGrade;
  const refusal = refusalOf(assignment, upload.options.reach.isAdmin) ?? refusalOfState(read.states.get(key), read.grades.has(key));
  if (refusal !== undefined) return refused(change, refusal);
  const verdict = judgeGrade(change.to, stored, assignment, assignment.scheme, asIs);
  if (!verdict) return { change: { ...change, result: 'unchanged' } };
  if ('error' in verdict) return refused(change, verdict.error);
  if (verdict.from !== change.from) return conflict(change, verdict.from);
  const grade = change.to === excusedCell ? { excuse: true } : { posted_grade: change.to };
  return { change: { ...change, result: 'applied' }, grade: { write: { assignment, user_id, grade, prefersPoints: true }, stored } };
}

function overrideOutcome(change: UploadChange, user_id: number, { allowsOverrides, courseScheme, overrides }: Read): Outcome {
  if (!allowsOverrides) return refused(change, 'the course allows no overrides of final grades');
  const stored = overrides.get(user_id) ?? null;
  const verdict = judgeOverride(change.to, stored, asIs);
  if (!verdict || 'error' in verdict) return { change: { ...change, result: 'unchanged' } };
  if (verdict.from !== change.from) return conflict(change, verdict.from);
  const saved = overrideChange(user_id, change.to === '' ? null : Number(change.to), courseScheme);
  return { change: { ...change, result: 'applied' }, override: { saved, stored } };
}

function outcomeOf(change: UploadChange, row: UploadRow, upload: StoredUpload, read: Read): Outcome {
  const { user_id } = row;
  if (user_id === null || !read.inReach.has(user_id)) return refused(change, 'the student is no longer in the course');
  if (change.custom_column_id) return textOutcome(change, change.custom_column_id, user_id, read);
  if (upload.columns.find(({ column }) => column === change.column)?.kind === 'override') return overrideOutcome(change, user_id, read);
  const id = assignmentOf(upload, change);
  return id ? gradeOutcome(change, id, user_id, upload, read) : { change: { ...change, result: 'skipped' } };
}

/** Breaks the batch when a grade or text that it replaces is no longer what was read. */
function checkUnchanged(db: Database, { course_id }: StoredUpload, row: UploadRow, outcomes: readonly Outcome[]): Statement[] {
  const grades = outcomes.flatMap(({ grade }) =>
    grade
      ? [
          [
            submissionId(grade.write.assignment.id, grade.write.user_id),
            grade.stored.score,
            grade.stored.grade,
            grade.stored.excused ? 1 : 0,
          ],
        ]
      : [],
  );
  const texts = outcomes.flatMap(({ text }) => (text ? [[text.datum.column_id, text.datum.user_id, text.stored]] : []));
  const overrides = outcomes.flatMap(({ override }) => (override ? [[override.saved.student_id, override.stored]] : []));
  return [
    db.build.run(sql`update gradebook_upload_rows set workflow_state = case when
        exists (select 1 from json_each(${JSON.stringify(grades)}) j left join submissions s on s.id = j.value ->> 0 and s.workflow_state <> 'deleted'
          where s.score is not (j.value ->> 1) or s.grade is not (j.value ->> 2) or coalesce(s.excused, 0) <> (j.value ->> 3))
        or exists (select 1 from json_each(${JSON.stringify(texts)}) j left join custom_gradebook_data d on d.column_id = j.value ->> 0 and d.user_id = j.value ->> 1
          where coalesce(d.content, '') <> (j.value ->> 2))
        or exists (select 1 from json_each(${JSON.stringify(overrides)}) j left join final_grade_overrides o on o.course_id = ${course_id} and o.user_id = j.value ->> 0
          and o.grading_period_id = 0 where o.score is not (j.value ->> 1)) then null else workflow_state end
      where id = ${row.id}`),
  ];
}

const isOutdated = (error: unknown) => /NOT NULL constraint failed: gradebook_upload_rows\.workflow_state/.test(textOfError(error));

type Done = readonly [row: UploadRow, outcomes: readonly Outcome[]];

function store(db: Database, { id }: StoredUpload, done: readonly Done[], state: 'applied' | 'failed', now: string): Statement[] {
  const given = done.map(([row, outcomes]) => [row.id, outcomes.map(({ change }) => change)]);
  const count = (result: UploadChange['result']) =>
    done.reduce((sum, [, outcomes]) => sum + outcomes.filter(({ change }) => change.result === result).length, 0);
  return [
    db.build.run(
      sql`update gradebook_upload_rows set changes = j.value -> 1, workflow_state = ${state} from json_each(${JSON.stringify(given)}) j where gradebook_upload_rows.id = j.value ->> 0`,
    ),
    db.build.run(
      sql`update gradebook_uploads set applied_count = applied_count + ${count('applied')}, conflict_count = conflict_count + ${count('conflict')}, updated_at = ${now} where id = ${id}`,
    ),
  ];
}

/** The statements of a step. */
async function changesOf(db: Database, upload: StoredUpload, rows: readonly UploadRow[], now: string): Promise<Statement[]> {
  const [first] = rows;
  if (!first) return [];
  const read = await readStored(db, upload, rows, now);
  const done: Done[] = rows.map((row) => [row, row.changes.map((change) => outcomeOf(change, row, upload, read))]);
  const outcomes = done.flatMap(([, some]) => some);
  const around = { db, me: { id: upload.user_id }, now };
  const saved = outcomes.flatMap(({ override }) => override?.saved ?? []);
  return [
    ...checkUnchanged(db, upload, first, outcomes),
    ...performGrades(
      around,
      outcomes.flatMap(({ grade }) => grade?.write ?? []),
    ),
    ...writeData(
      db,
      outcomes.flatMap(({ text }) => text?.datum ?? []),
    ),
    ...(saved.length > 0 ? [saveOverrides(db, { id: upload.course_id }, 0, saved, upload.user_id)] : []),
    ...store(db, upload, done, 'applied', now),
  ];
}

const failedRow = (row: UploadRow): Done => [
  row,
  row.changes.map((change) => ({ change: { ...change, result: 'failed', message: 'An error occurred.' } })),
];

const applying: SteppedJob = {
  job: 'gradebook_apply',
  tag: 'gradebook_upload_apply',
  isOutdated,
  async next(db, { after, crashes, crashed_at, arguments: given }, now): Promise<ProgressStep> {
    const { upload_id } = given as { upload_id: number };
    const [[upload], read] = await db.perform([gradebookUploadAt(db, upload_id), rowsAfter(db, upload_id, after)]);
    if (!upload) return { statements: [], after: after + 1, completion: 100, end: { failure: 'The file was deleted.' } };
    const isLeftOut = crashes >= patience;
    // One by one where a step has failed, to find the student that fails.
    const isCareful = isLeftOut || (crashed_at !== undefined && after < crashed_at + mostAtOnce);
    const rows = isCareful ? read.slice(0, 1) : oneStep(read, mostChanges);
    const isOver = read.length < mostAtOnce && rows.length === read.length;
    const last = rows.at(-1)?.row ?? after + 1;
    return {
      statements: [
        ...(isLeftOut ? store(db, upload, rows.map(failedRow), 'failed', now) : await changesOf(db, upload, rows, now)),
        ...(isOver
          ? [db.build.run(sql`update gradebook_uploads set workflow_state = 'applied', updated_at = ${now} where id = ${upload_id}`)]
          : []),
      ],
      after: last,
      completion: completionAt(last, upload),
      ...(isOver && { end: {} }),
    };
  },
};

export const applyJob = applying.job;
export const applyTag = applying.tag;
export const applyGradebook = inSteps(applying);
export const unfinishedApplications = unfinishedSteps(applying);
