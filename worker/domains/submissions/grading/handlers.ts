// Grading endpoints: one student, or many with a Progress.

import { blankSubmissionVersion } from '@carrel/shared/sync/submission_version';
import type { Shape } from '@carrel/shared/wire/fields';
import { lookUp } from '@carrel/shared/wire/look_up';
import { eq, sql } from 'drizzle-orm';
import { isAnonymousTo } from '../../../contexts/anonymous_students';
import { theIds } from '../../../database/ids';
import type { Statement } from '../../../database/open';
import type { Call } from '../../../http/call';
import { rows } from '../../../http/listing';
import { badParameter, found, notFound, Problem, unauthorized } from '../../../http/problem';
import { one, type Reply, write } from '../../../http/reply';
import { completeReview } from '../../../rules/peer_reviews';
import { submissionId } from '../../../rules/submission_ids';
import { checkCommentFiles } from '../../assignments/submissions/comment_files';
import { looksAsReviewer } from '../../assignments/submissions/policy';
import { requirementEvent } from '../../modules/progress/record';
import { queued } from '../../progress/queue';
import { progress } from '../../progress/table';
import type { AssessmentGiven } from '../../rubrics/assessments/score';
import { assignmentAt, type Here, slotOf } from '../context';
import { type GradePrecondition, readGradePrecondition } from './authorisation';
import { type BulkGrading, bulkGrading, failureOf, type QueuedGrade } from './bulk_job';
import { gradeConditionOf } from './conditional_grade';
import { withMates } from './group_members';
import { asksForGrade, type CommentGiven, checkGrade, type GradeWrite, type gradeParams, refuseClosedGrade, saysSomething } from './input';
import { checkProvisional, isUnpublished, notAdmitted, performProvisional, refuseDirectGrade } from './provisional';
import { performRubrics, withRubric } from './rubric_part';
import { performGrades } from './writes';

type Grading = Call & Here;

/** Up to this many students get their module progress updated at once; otherwise it is updated when they next visit. */
export const notifiedGrades = 20;

function scored(call: Grading, deeds: readonly GradeWrite[]) {
  const graded = deeds.filter((deed) => asksForGrade(deed.grade)).slice(0, notifiedGrades);
  return graded.flatMap((deed) =>
    requirementEvent(call, call.course, { type: 'Assignment', content_id: deed.assignment.id }, 'scored', deed.user_id),
  );
}

const refuse = (error: string) => new Problem(400, { error });

type One = Grading & {
  readonly user: { readonly id: number };
  readonly path: { readonly assignment_id: string };
  readonly params: Shape<typeof gradeParams>;
};

/** @throws Problem 401 for callers who neither grade nor comment as the student or a reviewer */
function checkMayWrite({ course, user, me, params }: One, reviews: boolean): void {
  if (course.can('manage_grades')) return;
  const comments = course.participates && (user.id === me.id || reviews);
  if (!comments || asksForGrade(params.submission) || params.rubric_assessment) throw unauthorized();
}

/** Completes the caller's review, if the comment is one. */
function completed({ db, me, now, params }: One, request: GradePrecondition['reviews'][number] | undefined): Statement[] {
  if (!request || !saysSomething(params.comment)) return [];
  return [completeReview(db, { submission_id: request.submission_id, assessor_id: me.id, by: 'comment' }, now)];
}

/**
 * Grades, excuses or comments on one student's submission.
 * @param isAnonymous the path names the student by an anonymous id, as it must for anonymous reviewers
 */
export async function gradeOne(call: One, isAnonymous = false): Promise<Reply> {
  const { course, section, user, params } = call;
  const reviews = looksAsReviewer(call, user.id);
  checkMayWrite(call, reviews);
  checkGrade(params.submission ?? {});
  const condition = gradeConditionOf(call, assignmentAt(call));
  const ground = await readGradePrecondition(call, {
    course,
    section,
    assignments: assignmentAt(call),
    users: [String(user.id)],
    fileIds: params.comment?.file_ids ?? [],
    assesses: params.rubric_assessment !== undefined,
    statusId: params.submission?.custom_grade_status_id,
  });
  const request = ground.reviews.find((one) => one.submission_id === submissionId(ground.assignments[0]?.id ?? 0, user.id));
  if (reviews && !(request && (isAnonymous || request.is_anonymous === 0))) throw unauthorized();
  const assignment = found(ground.assignments[0]);
  const student = found(ground.students[0]);
  if (!student.is_assigned && !ground.attempts[0]) throw unauthorized();
  if (!ground.hasStatus) throw badParameter('submission[custom_grade_status_id]', 'is not a status of the institution');
  await condition.check(ground.attempts[0]?.version ?? blankSubmissionVersion);
  const attempt = ground.attempts[0]?.attempt ?? 0;
  if ((params.comment?.attempt ?? 0) > attempt) throw new Problem(400, { error: 'comment[attempt] is beyond the current attempt' });
  const deed: GradeWrite = {
    assignment,
    user_id: user.id,
    grade: params.submission,
    comment: params.comment,
    prefersPoints: params.prefer_points_over_scheme,
  };
  checkCommentFiles(deed, ground.files, 'comment[file_ids]');
  const rated = withRubric(deed, params.rubric_assessment, ground);
  refuseClosedGrade(rated, student);
  const deeds = withMates([rated], reviews ? [] : ground.mates);
  if (params.submission?.provisional && isUnpublished(assignment, ground)) {
    checkProvisional(deed, call);
    const statements = [...condition.guard(deed), ...performProvisional(call, deeds)];
    return write(statements, one(slotOf(call, sql`select ${assignment.id}`, user.id)), { ...notAdmitted, ...condition.refusals });
  }
  refuseDirectGrade(deeds, ground);
  return write(
    [
      ...condition.guard(deed),
      ...scored(call, deeds),
      ...performGrades(call, deeds),
      ...performRubrics(call, deeds),
      ...completed(call, request),
    ],
    one(slotOf(call, sql`select ${assignment.id}`, user.id)),
    condition.refusals,
  );
}

interface Entry {
  readonly posted_grade?: string | null;
  readonly excuse?: boolean;
  readonly text_comment?: string | null;
  readonly media_comment_id?: string | null;
  readonly media_comment_type?: 'audio' | 'video' | null;
  readonly file_ids?: number[];
  readonly group_comment?: boolean;
  readonly rubric_assessment?: AssessmentGiven;
}
export type GradeData = Readonly<Record<string, Entry>>;

const deedOf = (assignment: GradeWrite['assignment'], user_id: number, { posted_grade, excuse, ...comment }: Entry): GradeWrite => ({
  assignment,
  user_id,
  grade: { posted_grade, excuse },
  comment: comment satisfies CommentGiven,
});

/** Ids of all files to attach to comments. */
const filesIn = (data: GradeData): number[] => Object.values(data).flatMap(({ file_ids }) => file_ids ?? []);

/** The grades of an assignment, and how the request names it. */
type Graded = readonly [assignment: number, grades: GradeData, reference: string];

const sisPrefix = 'sis_assignment_id:';
const unknownAssignments = (references: readonly string[]) => refuse(`unknown assignment ids: ${references.join(', ')}`);

/** A select of assignments by id and by SIS id. */
const assignmentsNamed = (ids: readonly number[], sisIds: readonly string[]) =>
  sisIds.length === 0
    ? theIds(ids)
    : sql`select value from json_each(${JSON.stringify(ids)}) union all select named.id from assignments named
        where named.sis_assignment_id in (select value from json_each(${JSON.stringify(sisIds.map((one) => one.slice(sisPrefix.length)))})) and named.sis_assignment_id is not null`;

const idIn = (reference: string, { assignments }: GradePrecondition): number =>
  reference.startsWith(sisPrefix)
    ? (assignments.find(({ sis_assignment_id }) => sis_assignment_id === reference.slice(sisPrefix.length))?.id ?? 0)
    : Number(reference);

const assessesIn = (data: GradeData): boolean => Object.values(data).some(({ rubric_assessment }) => rubric_assessment !== undefined);

/** The changes that can be made, and references to unknown students. */
function deedsOf(call: Grading, data: readonly Graded[], ground: GradePrecondition) {
  const deeds: GradeWrite[] = [];
  const unknown: string[] = [];
  for (const [id, entries] of data) {
    const assignment = ground.assignments.find((one) => one.id === id);
    if (!assignment) continue;
    const handedIn = new Set(ground.attempts.flatMap((one) => (one.assignment_id === id ? one.user_id : [])));
    const here = ground.students.filter((one) => one.assignment_id === id && (one.is_assigned || handedIn.has(one.user_id)));
    const within = new Map(here.map((one) => [one.user_id, one]));
    for (const [reference, entry] of Object.entries(entries)) {
      const user_id = ground.sis.get(reference) ?? Number(reference);
      const student = within.get(user_id);
      if (!student) {
        unknown.push(reference);
        continue;
      }
      if (isAnonymousTo(call, id, user_id))
        throw badParameter(`grade_data[${reference}]`, 'names a student who is anonymous: grade by anonymous id');
      const deed = deedOf(assignment, user_id, entry);
      checkCommentFiles(deed, ground.files, `grade_data[${reference}][file_ids]`);
      const rated = withRubric(deed, entry.rubric_assessment, ground);
      refuseClosedGrade(rated, student);
      deeds.push(rated);
    }
  }
  return { deeds: withMates(deeds, ground.mates), unknown };
}

/** The largest row of D1 is 2 MB. */
const longestJob = 1_500_000;

/** Many grades are a job, which continues after it was stopped. */
function queueGrades(
  call: Grading,
  deeds: readonly GradeWrite[],
  { rubrics }: GradePrecondition,
  unknown: readonly string[],
  context: { type: string; id: number },
): Promise<Reply> {
  const grades = deeds.map(
    ({ assignment, rated, ...rest }): QueuedGrade => ({
      ...rest,
      assignment_id: assignment.id,
      ...(rated && { rated: { user_ids: rated.user_ids, assessed: rated.assessed } }),
    }),
  );
  const work: BulkGrading = { grades, rubrics, unknown };
  if (JSON.stringify(work).length > longestJob) throw refuse('grade_data is too large');
  return queued(call, bulkGrading.job, {
    context_type: context.type,
    context_id: context.id,
    user_id: call.me.id,
    tag: bulkGrading.tag,
    arguments: { ...work },
  });
}

/** Grades many students, few of them at once; unknown references do not prevent the other grades. */
async function gradeMany(
  call: Grading,
  data: readonly Graded[],
  ground: GradePrecondition,
  context: { type: string; id: number },
): Promise<Reply> {
  const missing = data.flatMap(([id, , reference]) => (ground.assignments.some((one) => one.id === id) ? [] : reference));
  if (missing.length > 0) throw unknownAssignments(missing);
  if (ground.assignments.some((one) => one.workflow_state !== 'published')) throw unauthorized();
  const { deeds, unknown } = deedsOf(call, data, ground);
  for (const { grade } of deeds) checkGrade(grade ?? {});
  const failure = failureOf({ unknown });
  refuseDirectGrade(deeds, ground);
  if (deeds.length > notifiedGrades) return queueGrades(call, deeds, ground, unknown, context);
  const work = {
    context_type: context.type,
    context_id: context.id,
    user_id: call.me.id,
    tag: 'submissions_update',
    completion: 100,
    workflow_state: failure === undefined ? ('completed' as const) : ('failed' as const),
    message: failure ?? null,
    created_at: call.now,
    updated_at: call.now,
  };
  return write(
    [...scored(call, deeds), ...performGrades(call, deeds), ...performRubrics(call, deeds), call.db.build.insert(progress).values(work)],
    one(rows(progress, { where: eq(progress.id, sql`last_insert_rowid()`) })),
  );
}

const required = () => refuse("'grade_data' parameter required");

/** For one assignment: grades by student. */
export async function gradeStudents(
  call: Grading & { path: { assignment_id: string }; params: { grade_data?: GradeData } },
): Promise<Reply> {
  const data = call.params.grade_data;
  if (!data) throw required();
  const ground = await readGradePrecondition(call, {
    ...call,
    assignments: assignmentAt(call),
    users: Object.keys(data),
    fileIds: filesIn(data),
    assesses: assessesIn(data),
  });
  const assignment = ground.assignments[0];
  if (!assignment) throw notFound();
  return gradeMany(call, [[assignment.id, data, String(assignment.id)]], ground, { type: 'Assignment', id: assignment.id });
}

/** For a course: grades by assignment, then student. */
export async function gradeCourse(call: Grading & { params: { grade_data?: Readonly<Record<string, GradeData>> } }): Promise<Reply> {
  const data = call.params.grade_data;
  if (!data) throw required();
  const references = Object.keys(data);
  const isId = (one: string) => /^\d{1,15}$/.test(one);
  const unreadable = references.filter((one) => !isId(one) && !one.startsWith(sisPrefix));
  if (unreadable.length > 0) throw unknownAssignments(unreadable);
  const users = [...new Set(Object.values(data).flatMap((entries) => Object.keys(entries)))];
  const ground = await readGradePrecondition(call, {
    ...call,
    assignments: assignmentsNamed(
      references.filter(isId).map(Number),
      references.filter((one) => !isId(one)),
    ),
    users,
    fileIds: Object.values(data).flatMap(filesIn),
    assesses: Object.values(data).some(assessesIn),
  });
  return gradeMany(
    call,
    references.map((one) => [idIn(one, ground), lookUp(data, one) ?? {}, one] as const),
    ground,
    { type: 'Course', id: call.course.id },
  );
}
