// Grading: the statements that write the changes to submissions of one student or many (reference 03 §4.5, §4.6).

import { gradeFrom } from '@carrel/shared/grading/score_to_grade';
import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import { type Acting, actedBy, actorOf } from '../../../contexts/acting';
import type { Statement } from '../../../database/open';
import { valuesInOrder } from '../../../database/values_in_order';
import type { Call } from '../../../http/call';
import { recordSchemeUse } from '../../../rules/grading_schemes';
import { notifyOfInsert, notifyOfUpdate } from '../../../rules/notify';
import { isHiddenSql } from '../../../rules/posted';
import { submissionId } from '../../../rules/submission_ids';
import { applyLatePolicy } from '../../late_policies/apply';
import { withDeductions } from '../../late_policies/deduction';
import { submission_comments, submission_reads, submissions } from '../table';
import { scoreQuizzes } from './fudge_points';
import { type GradeWrite, saysSomething, type WorkWithGrade } from './input';
import { changesStatus, setStatuses, withoutCustomStatus } from './statuses';
import { setStickers } from './stickers';

/** A row as JSON, for one statement over all rows. */
interface Outcome {
  readonly id: number;
  readonly course_id: number;
  readonly assignment_id: number;
  readonly user_id: number;
  readonly score: number | null;
  readonly grade: string | null;
  readonly excused: 0 | 1;
  readonly grader_id: number;
  /** Null removes the grade. */
  readonly graded_at: string | null;
  readonly work?: WorkWithGrade;
}

const placeOf = ({ assignment, user_id }: GradeWrite) => ({
  id: submissionId(assignment.id, user_id),
  course_id: assignment.course_id,
  assignment_id: assignment.id,
  user_id,
});

/** The outcome of a grade; undefined for a change without grading. */
function outcomeOf(deed: GradeWrite, { me, now }: Pick<Around, 'me' | 'now'>): Outcome | undefined {
  const { assignment, grade: given } = deed;
  if (!given || (given.posted_grade === undefined && !given.excuse)) return undefined;
  const { score, grade } = given.excuse
    ? { score: null, grade: null }
    : gradeFrom(given.posted_grade ?? '', assignment, assignment.scheme, deed.prefersPoints);
  const excused = given.excuse ? 1 : 0;
  const graded_at = excused || score !== null ? now : null;
  return { ...placeOf(deed), score, grade, excused, grader_id: deed.grader_id ?? me.id, graded_at, ...(deed.work && { work: deed.work }) };
}

type Around = Pick<Call, 'db' | 'now'> & { readonly me: Acting };

/** For a row of `json_each`. */
export const jsonField = (name: string) => sql.raw(`value ->> '${name}'`);
const blank = { attachment_ids: sql`'[]'`, workflow_state: sql`'unsubmitted'`, excused: sql`0`, is_missing_score: sql`0` };
const place = {
  id: jsonField('id'),
  course_id: jsonField('course_id'),
  assignment_id: jsonField('assignment_id'),
  user_id: jsonField('user_id'),
};

/** Creates rows for students who have none yet. */
export const ensureAll = ({ db, now }: Around, deeds: readonly GradeWrite[]): Statement =>
  db.build
    .insert(submissions)
    .select(
      sql`select ${valuesInOrder(getTableColumns(submissions), { ...blank, ...place, created_at: sql`${now}`, updated_at: sql`${now}` })} from json_each(${JSON.stringify(deeds.map(placeOf))}) where true`,
    )
    .onConflictDoNothing();

const ofWork = ['attempt', 'submitted_at', 'body', 'submission_type'] as const satisfies readonly (keyof WorkWithGrade)[];

/**
 * Writes grades. What counts of them is decided on the rows that this statement finds.
 * @param withWork all of them come with work; otherwise all students have a row
 */
function write({ db, now }: Around, outcomes: readonly Outcome[], withWork: boolean): Statement[] {
  const names = ['id', 'course_id', 'assignment_id', 'user_id', 'score', 'grade', 'excused', 'grader_id', 'graded_at'];
  const columns = [
    ...names.map((name) => `value ->> '${name}' as ${name}`),
    ...(withWork ? ofWork.map((name) => `value ->> '$.work.${name}' as ${name}`) : []),
  ];
  const entered = sql`select ${sql.raw(columns.join(', '))} from json_each(${JSON.stringify(outcomes)})`;
  const counted = sql`(${withDeductions(entered, now, withWork)}) j`;
  const outcome = (name: string) => sql.raw(`j.${name}`);
  const isGraded = sql.raw('j.graded_at is not null');
  const isLowered = sql.raw('j.deducted is not null');
  const whenGraded = (value: SQL) => sql`iif(${isGraded}, ${value}, null)`;
  // A grade is posted at once, unless the assignment posts manually; then it stays as it was.
  const posted_at = sql.raw(
    'iif(j.post_manually, j.was_posted_at, iif(j.graded_at is null, null, coalesce(j.was_posted_at, j.graded_at)))',
  );
  // The values that the conflict clause below writes.
  const changing = {
    set: {
      ...(withWork && { id: outcome('id') }),
      score: outcome('counted_score'),
      posted_at,
      workflow_state: sql`iif(${isGraded}, 'graded', 'unsubmitted')`,
    },
    from: sql`${counted} ${sql.raw(withWork ? 'left join' : 'join')} ${submissions} on ${submissions.id} = ${outcome('id')}`,
    where: sql`true`,
    inserts: withWork,
  };
  const cells = {
    ...blank,
    ...Object.fromEntries(['id', 'course_id', 'assignment_id', 'user_id', 'excused', 'graded_at'].map((name) => [name, outcome(name)])),
    posted_at,
    score: outcome('counted_score'),
    grade: outcome('counted_grade'),
    points_deducted: outcome('deducted'),
    entered_score: sql`iif(${isLowered}, ${outcome('score')}, null)`,
    entered_grade: sql`iif(${isLowered}, ${outcome('grade')}, null)`,
    workflow_state: sql`iif(${isGraded}, 'graded', 'unsubmitted')`,
    graded_attempt: whenGraded(withWork ? outcome('attempt') : sql`0`),
    grader_id: whenGraded(outcome('grader_id')),
    created_at: sql`${now}`,
    updated_at: sql`${now}`,
    ...(withWork && Object.fromEntries(ofWork.map((name) => [name, outcome(name)]))),
  };
  return [
    ...notifyOfUpdate(db, submissions, changing, now),
    db.build
      .insert(submissions)
      .select(sql`select ${valuesInOrder(getTableColumns(submissions), cells)} from ${counted} where true`)
      .onConflictDoUpdate({
        target: submissions.id,
        set: {
          score: sql`excluded.score`,
          grade: sql`excluded.grade`,
          points_deducted: sql`excluded.points_deducted`,
          entered_score: sql`excluded.entered_score`,
          entered_grade: sql`excluded.entered_grade`,
          is_missing_score: false,
          excused: sql`excluded.excused`,
          ...withoutCustomStatus(sql.raw('excluded.excused')),
          graded_at: sql`excluded.graded_at`,
          grader_id: sql`excluded.grader_id`,
          graded_attempt: withWork
            ? sql`excluded.graded_attempt`
            : sql`iif(excluded.graded_at is null, null, coalesce(submissions.attempt, 0))`,
          posted_at: sql`excluded.posted_at`,
          workflow_state: sql`iif(excluded.graded_at is not null, 'graded', iif(submissions.submission_type is not null, 'submitted', 'unsubmitted'))`,
          updated_at: now,
          ...(withWork && {
            ...Object.fromEntries(ofWork.map((name) => [name, sql.raw(`excluded.${name}`)])),
            late_policy_status: null,
            seconds_late_override: null,
            custom_grade_status_id: null,
          }),
        },
      }),
  ];
}

/** The late policy for students whose status changed, or who have no grade any more. */
function followPolicy({ db, now }: Around, deeds: readonly GradeWrite[]): Statement[] {
  const places = JSON.stringify(deeds.map(placeOf));
  return applyLatePolicy(
    db,
    {
      existing: sql`s.id in (select value ->> 'id' from json_each(${places}))`,
      places: sql`select value ->> 'assignment_id' as assignment_id, value ->> 'user_id' as user_id from json_each(${places})`,
    },
    now,
  );
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
      points_deducted: null,
      workflow_state: sql`iif(submission_type is not null, 'submitted', 'unsubmitted')`,
      updated_at: now,
    })
    .where(sql`excused = 1 and id in (select value ->> 'id' from json_each(${JSON.stringify(deeds.map(placeOf))}))`);
}

function comment({ db, me, now }: Around, deeds: readonly GradeWrite[]): Statement[] {
  const said = deeds.map((deed) => ({
    submission_id: submissionId(deed.assignment.id, deed.user_id),
    comment: deed.comment?.text_comment ?? '',
    attempt: deed.comment?.attempt ?? null,
    files: deed.comment?.file_ids ?? [],
    media_id: deed.comment?.media_comment_id || null,
    media_type: deed.comment?.media_comment_type ?? null,
  }));
  const cells = {
    submission_id: jsonField('submission_id'),
    author_id: sql`${me.id}`,
    comment: jsonField('comment'),
    attempt: sql`coalesce(value ->> 'attempt', (select submissions.attempt from submissions where submissions.id = json_each.value ->> 'submission_id'))`,
    attachment_ids: sql`value -> 'files'`,
    media_comment_id: jsonField('media_id'),
    media_comment_type: jsonField('media_type'),
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

/** Marks new feedback as unread for the student, once it is shown. */
export const unread = ({ db, now }: Around, item: 'grade' | 'comment' | 'rubric', deeds: readonly GradeWrite[]): Statement =>
  db.build
    .insert(submission_reads)
    .select(
      sql`select s.id, s.user_id, ${item}, 0, ${now} from json_each(${JSON.stringify(deeds.map(placeOf))}) j join submissions s on s.id = j.value ->> 'id'
        join assignments a on a.id = s.assignment_id where not ${isHiddenSql('s', 'a')}`,
    )
    .onConflictDoUpdate({
      target: [submission_reads.submission_id, submission_reads.user_id, submission_reads.item],
      set: { read: false, read_at: now },
    });

/** All statements of these changes, for one batch. @param scoresQuizzes false for the scores of quizzes themselves */
export function performGrades(around: Around, deeds: readonly GradeWrite[], scoresQuizzes = true): Statement[] {
  const outcomes = deeds.flatMap((deed) => outcomeOf(deed, around) ?? []);
  const forgiven = deeds.filter(({ grade }) => grade?.excuse === false && grade.posted_grade === undefined);
  const said = deeds.filter((deed) => saysSomething(deed.comment));
  const ofOthers = (those: readonly GradeWrite[]) => those.filter((deed) => deed.user_id !== around.me.id);
  const shown = ofOthers(deeds.filter((deed) => outcomeOf(deed, around)?.graded_at));
  const heard = ofOthers(said);
  const open = deeds.filter((deed) => changesStatus(deed) || deed.grade?.excuse === false || outcomeOf(deed, around)?.graded_at === null);
  if (deeds.length === 0) return [];
  // A submission without a grade has no grader, so the grade-change log takes the user from the batch.
  const withWork = deeds.every(({ work }) => work !== undefined);
  const removes = forgiven.length > 0 || outcomes.some(({ graded_at }) => graded_at === null);
  const statements = [
    ...(withWork ? [] : [ensureAll(around, deeds)]),
    // A status decides what counts of the grade that follows.
    ...setStatuses(around, deeds),
    ...(outcomes.length > 0 ? write(around, outcomes, withWork) : []),
    ...recordSchemeUse(around.db, deeds, around.now),
    ...setStickers(around, deeds),
    ...(scoresQuizzes ? scoreQuizzes(around, deeds) : []),
    ...(forgiven.length > 0 ? [unexcuse(around, forgiven)] : []),
    ...(open.length > 0 ? followPolicy(around, open) : []),
    ...(said.length > 0 ? comment(around, said) : []),
    ...(shown.length > 0 ? [unread(around, 'grade', shown)] : []),
    ...(heard.length > 0 ? [unread(around, 'comment', heard)] : []),
  ];
  return removes ? actedBy(around.db, actorOf(around.me), statements) : statements;
}
