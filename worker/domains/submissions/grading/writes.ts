// Grading: input for one student or many, and the statements that write it (reference 03 §4.5, §4.6).

import { bool, idField, int, listOf, maybe, object, optional, type Shape, text } from '@carrel/shared/wire/fields';
import { lookUp } from '@carrel/shared/wire/look_up';
import { type Column, getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { Statement } from '../../../database/open';
import type { Call } from '../../../http/call';
import type { RowOf } from '../../../http/listing';
import { Problem } from '../../../http/problem';
import { notifyOfInsert, notifyOfUpdate } from '../../../rules/notify';
import { gradeFrom } from '../../../rules/score_to_grade';
import { submissionId } from '../../assignments/submissions/ids';
import type { assignments } from '../../assignments/table';
import { submission_comments, submission_reads, submissions } from '../table';

const gradeFields = {
  posted_grade: optional(maybe(text)),
  excuse: optional(bool),
  late_policy_status: optional(maybe(text)),
  seconds_late_override: optional(maybe(int)),
};
const commentFields = {
  text_comment: optional(maybe(text)),
  attempt: optional(maybe(int)),
  file_ids: optional(listOf(idField('file'))),
  group_comment: optional(bool),
};
export const gradeParams = {
  submission: optional(object(gradeFields)),
  comment: optional(object(commentFields)),
  prefer_points_over_scheme: optional(bool),
};

export type GradeGiven = Shape<typeof gradeFields>;
export type CommentGiven = Shape<typeof commentFields>;

/** The change to one student's submission. */
export interface GradeWrite {
  readonly assignment: Pick<
    RowOf<typeof assignments>,
    'id' | 'course_id' | 'grading_type' | 'points_possible' | 'post_manually' | 'options'
  >;
  readonly user_id: number;
  readonly grade?: GradeGiven;
  readonly comment?: CommentGiven;
  readonly prefersPoints?: boolean;
}

const statuses = ['late', 'missing', 'extended', 'none'] as const;
type Status = (typeof statuses)[number];
const refuse = (error: string) => new Problem(400, { error });

/** @throws Problem 400 for contradictory input */
export function checkGrade({ posted_grade, excuse, late_policy_status: status }: GradeGiven): void {
  if (excuse && posted_grade) throw refuse('a submission cannot be graded and excused at once');
  if (status && !statuses.includes(status as Status)) throw refuse(`late_policy_status is not one of ${statuses.join(', ')}`);
}

/** A row as JSON, for one statement over all rows. */
interface Outcome {
  readonly id: number;
  readonly course_id: number;
  readonly assignment_id: number;
  readonly user_id: number;
  readonly score: number | null;
  readonly grade: string | null;
  readonly excused: 0 | 1;
  /** Null removes the grade. */
  readonly graded_at: string | null;
  readonly posted_at: string | null;
}

const placeOf = ({ assignment, user_id }: GradeWrite) => ({
  id: submissionId(assignment.id, user_id),
  course_id: assignment.course_id,
  assignment_id: assignment.id,
  user_id,
});

/** The outcome of a grade; undefined for a change without grading. */
function outcomeOf(deed: GradeWrite, now: string): Outcome | undefined {
  const { assignment, grade: given } = deed;
  if (!given || (given.posted_grade === undefined && !given.excuse)) return undefined;
  const { score, grade } = given.excuse
    ? { score: null, grade: null }
    : gradeFrom(given.posted_grade ?? '', assignment, undefined, deed.prefersPoints);
  const excused = given.excuse ? 1 : 0;
  const graded_at = excused || score !== null ? now : null;
  return { ...placeOf(deed), score, grade, excused, graded_at, posted_at: assignment.post_manually ? null : graded_at };
}

type Around = Pick<Call, 'db' | 'me' | 'now'>;

/** All columns of a table in order, for `insert … select`. */
export const valuesInOrder = (columns: Record<string, Column>, given: Record<string, SQL>) =>
  sql.join(
    // Generated columns cannot be written.
    Object.entries(columns).flatMap(([name, { generated }]) => (generated ? [] : [lookUp(given, name) ?? sql`null`])),
    sql`, `,
  );

/** For a row of `json_each`. */
export const jsonField = (name: string) => sql.raw(`value ->> '${name}'`);
const blank = { attachment_ids: sql`'[]'`, workflow_state: sql`'unsubmitted'`, excused: sql`0` };
const place = {
  id: jsonField('id'),
  course_id: jsonField('course_id'),
  assignment_id: jsonField('assignment_id'),
  user_id: jsonField('user_id'),
};

/** Creates rows for students who have none yet. */
const ensureAll = ({ db, now }: Around, deeds: readonly GradeWrite[]): Statement =>
  db.build
    .insert(submissions)
    .select(
      sql`select ${valuesInOrder(getTableColumns(submissions), { ...blank, ...place, created_at: sql`${now}`, updated_at: sql`${now}` })} from json_each(${JSON.stringify(deeds.map(placeOf))}) where true`,
    )
    .onConflictDoNothing();

/** Writes grades, of students who all have a row. */
function write({ db, me, now }: Around, outcomes: readonly Outcome[]): Statement[] {
  const given = JSON.stringify(outcomes);
  const outcome = (name: string) => sql.raw(`j.value ->> '${name}'`);
  // The values that the conflict clause below writes.
  const changing = {
    set: {
      score: outcome('score'),
      posted_at: sql`iif(${outcome('graded_at')} is null, null, coalesce(${submissions.posted_at}, ${outcome('posted_at')}))`,
      workflow_state: sql`iif(${outcome('graded_at')} is null, 'unsubmitted', 'graded')`,
    },
    from: sql`json_each(${given}) j join ${submissions} on ${submissions.id} = ${outcome('id')}`,
    where: sql`true`,
  };
  const cells = {
    ...blank,
    ...place,
    score: jsonField('score'),
    grade: jsonField('grade'),
    excused: jsonField('excused'),
    workflow_state: sql`iif(value ->> 'graded_at' is null, 'unsubmitted', 'graded')`,
    graded_at: jsonField('graded_at'),
    graded_attempt: sql`iif(value ->> 'graded_at' is null, null, 0)`,
    grader_id: sql`iif(value ->> 'graded_at' is null, null, ${me.id})`,
    posted_at: jsonField('posted_at'),
    created_at: sql`${now}`,
    updated_at: sql`${now}`,
  };
  return [
    ...notifyOfUpdate(db, submissions, changing, now),
    db.build
      .insert(submissions)
      .select(sql`select ${valuesInOrder(getTableColumns(submissions), cells)} from json_each(${given}) where true`)
      .onConflictDoUpdate({
        target: submissions.id,
        set: {
          score: sql`excluded.score`,
          grade: sql`excluded.grade`,
          excused: sql`excluded.excused`,
          graded_at: sql`excluded.graded_at`,
          grader_id: sql`excluded.grader_id`,
          graded_attempt: sql`iif(excluded.graded_at is null, null, coalesce(submissions.attempt, 0))`,
          posted_at: sql`iif(excluded.graded_at is null, null, coalesce(submissions.posted_at, excluded.posted_at))`,
          workflow_state: sql`iif(excluded.graded_at is not null, 'graded', iif(submissions.submission_type is not null, 'submitted', 'unsubmitted'))`,
          updated_at: now,
        },
      }),
  ];
}

/** A status set by a grader counts as grading, and is posted like a grade. An unchanged status does not. */
function setStatuses({ db, now }: Around, deeds: readonly GradeWrite[]): Statement[] {
  const postedBy = (isSame: SQL) => sql`iif(${isSame}, ${submissions.posted_at}, coalesce(${submissions.posted_at}, ${now}))`;
  const posting = deeds.flatMap(({ assignment, user_id, grade }) =>
    grade?.late_policy_status === undefined || assignment.post_manually
      ? []
      : [{ id: submissionId(assignment.id, user_id), status: grade.late_policy_status }],
  );
  const changing = {
    set: { posted_at: postedBy(sql`${submissions.late_policy_status} is j.value ->> 'status'`) },
    from: sql`json_each(${JSON.stringify(posting)}) j join ${submissions} on ${submissions.id} = j.value ->> 'id'`,
    where: sql`true`,
  };
  return [
    ...(posting.length > 0 ? notifyOfUpdate(db, submissions, changing, now) : []),
    ...deeds.flatMap(({ assignment, user_id, grade }) => {
      const { late_policy_status: status, seconds_late_override: seconds } = grade ?? {};
      if (status === undefined && seconds === undefined) return [];
      const isSame = sql`${submissions.late_policy_status} is ${status ?? null}`;
      return [
        db.build
          .update(submissions)
          .set({
            ...(status !== undefined && {
              late_policy_status: status as Status | null,
              graded_at: sql`iif(${isSame}, ${submissions.graded_at}, ${now})`,
            }),
            ...(status !== undefined && !assignment.post_manually && { posted_at: postedBy(isSame) }),
            ...(seconds !== undefined && { seconds_late_override: seconds }),
            updated_at: now,
          })
          .where(sql`id = ${submissionId(assignment.id, user_id)}`),
      ];
    }),
  ];
}

/** When a student is no longer excused, an existing submission needs grading again. */
function unexcuse({ db, now }: Around, deeds: readonly GradeWrite[]): Statement {
  return db.build
    .update(submissions)
    .set({
      excused: false,
      graded_at: null,
      grader_id: null,
      graded_attempt: null,
      posted_at: null,
      workflow_state: sql`iif(submission_type is not null, 'submitted', 'unsubmitted')`,
      updated_at: now,
    })
    .where(sql`excused = 1 and id in (select value ->> 'id' from json_each(${JSON.stringify(deeds.map(placeOf))}))`);
}

export const saysSomething = (comment: CommentGiven | undefined) =>
  Boolean(comment?.text_comment?.trim()) || (comment?.file_ids?.length ?? 0) > 0;

function comment({ db, me, now }: Around, deeds: readonly GradeWrite[]): Statement[] {
  const said = deeds.map((deed) => ({
    submission_id: submissionId(deed.assignment.id, deed.user_id),
    comment: deed.comment?.text_comment ?? '',
    attempt: deed.comment?.attempt ?? null,
    files: deed.comment?.file_ids ?? [],
  }));
  const cells = {
    submission_id: jsonField('submission_id'),
    author_id: sql`${me.id}`,
    comment: jsonField('comment'),
    attempt: sql`coalesce(value ->> 'attempt', (select submissions.attempt from submissions where submissions.id = json_each.value ->> 'submission_id'))`,
    attachment_ids: sql`value -> 'files'`,
    is_draft: sql`0`,
    workflow_state: sql`'active'`,
    created_at: sql`${now}`,
  };
  return [
    db.build
      .insert(submission_comments)
      .select(sql`select ${valuesInOrder(getTableColumns(submission_comments), cells)} from json_each(${JSON.stringify(said)})`),
    ...notifyOfInsert(db, submission_comments, now),
  ];
}

/** Marks new feedback as unread for the student. */
const unread = ({ db, now }: Around, item: 'grade' | 'comment', deeds: readonly GradeWrite[]): Statement =>
  db.build
    .insert(submission_reads)
    .select(
      sql`select value ->> 'id', value ->> 'user_id', ${item}, 0, ${now} from json_each(${JSON.stringify(deeds.map(placeOf))}) where true`,
    )
    .onConflictDoUpdate({
      target: [submission_reads.submission_id, submission_reads.user_id, submission_reads.item],
      set: { read: false, read_at: now },
    });

/** All statements of these changes, for one batch. */
export function performGrades(around: Around, deeds: readonly GradeWrite[]): Statement[] {
  const outcomes = deeds.flatMap((deed) => outcomeOf(deed, around.now) ?? []);
  const forgiven = deeds.filter(({ grade }) => grade?.excuse === false && grade.posted_grade === undefined);
  const said = deeds.filter((deed) => saysSomething(deed.comment));
  const ofOthers = (those: readonly GradeWrite[]) => those.filter((deed) => deed.user_id !== around.me.id);
  const shown = ofOthers(deeds.filter((deed) => !deed.assignment.post_manually && outcomeOf(deed, around.now)?.graded_at));
  const heard = ofOthers(said);
  if (deeds.length === 0) return [];
  return [
    ensureAll(around, deeds),
    ...(outcomes.length > 0 ? write(around, outcomes) : []),
    ...(forgiven.length > 0 ? [unexcuse(around, forgiven)] : []),
    ...setStatuses(around, deeds),
    ...(said.length > 0 ? comment(around, said) : []),
    ...(shown.length > 0 ? [unread(around, 'grade', shown)] : []),
    ...(heard.length > 0 ? [unread(around, 'comment', heard)] : []),
  ];
}
