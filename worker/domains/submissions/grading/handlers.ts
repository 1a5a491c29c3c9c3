// Grading endpoints: one student, or many with a Progress.

import type { Shape } from '@carrel/shared/wire/fields';
import { lookUp } from '@carrel/shared/wire/look_up';
import { eq, sql } from 'drizzle-orm';
import { theIds } from '../../../database/ids';
import type { Call } from '../../../http/call';
import { rows } from '../../../http/listing';
import { found, notFound, Problem, unauthorized } from '../../../http/problem';
import { one, type Reply, write } from '../../../http/reply';
import { checkCommentFiles } from '../../assignments/submissions/comment_files';
import { requirementEvent } from '../../modules/progress/record';
import { progress } from '../../progress/table';
import { assignmentAt, type Here, slotOf } from '../context';
import { type GradePrecondition, readGradePrecondition } from './authorisation';
import { withMates } from './group_members';
import { type CommentGiven, checkGrade, type GradeGiven, type GradeWrite, type gradeParams, performGrades } from './writes';

type Grading = Call & Here;

const asksForGrade = (given: GradeGiven | undefined): given is GradeGiven =>
  given !== undefined && Object.values(given).some((value) => value !== undefined);

/** Up to this many students get their module progress updated at once; otherwise it is updated when they next visit. */
export const notifiedGrades = 20;

function scored(call: Grading, deeds: readonly GradeWrite[]) {
  const graded = deeds.filter((deed) => asksForGrade(deed.grade)).slice(0, notifiedGrades);
  return graded.flatMap((deed) =>
    requirementEvent(call, call.course, { type: 'Assignment', content_id: deed.assignment.id }, 'scored', deed.user_id),
  );
}

type One = Grading & {
  readonly user: { readonly id: number };
  readonly path: { readonly assignment_id: string };
  readonly params: Shape<typeof gradeParams>;
};

/** Grades, excuses or comments on one student's submission. */
export async function gradeOne(call: One): Promise<Reply> {
  const { course, section, user, me, params } = call;
  const grades = course.can('manage_grades');
  if (asksForGrade(params.submission) ? !grades : !grades && !(user.id === me.id && course.participates)) throw unauthorized();
  checkGrade(params.submission ?? {});
  const ground = await readGradePrecondition(call, {
    course,
    section,
    assignments: assignmentAt(call),
    users: [String(user.id)],
    fileIds: params.comment?.file_ids ?? [],
  });
  const assignment = found(ground.assignments[0]);
  const student = found(ground.students[0]);
  if (!student.is_assigned && !ground.attempts[0]) throw unauthorized();
  const attempt = ground.attempts[0]?.attempt ?? 0;
  if ((params.comment?.attempt ?? 0) > attempt) throw new Problem(400, { error: 'comment[attempt] is beyond the current attempt' });
  const deed = {
    assignment,
    user_id: user.id,
    grade: params.submission,
    comment: params.comment,
    prefersPoints: params.prefer_points_over_scheme,
  };
  checkCommentFiles(deed, ground.files, 'comment[file_ids]');
  const deeds = withMates([deed], ground.mates);
  return write([...scored(call, deeds), ...performGrades(call, deeds)], one(slotOf(call, sql`select ${assignment.id}`, user.id)));
}

interface Entry {
  readonly posted_grade?: string | null;
  readonly excuse?: boolean;
  readonly text_comment?: string | null;
  readonly file_ids?: number[];
  readonly group_comment?: boolean;
}
export type GradeData = Readonly<Record<string, Entry>>;

const deedOf = (
  assignment: GradeWrite['assignment'],
  user_id: number,
  { posted_grade, excuse, text_comment, file_ids, group_comment }: Entry,
): GradeWrite => ({
  assignment,
  user_id,
  grade: { posted_grade, excuse },
  comment: { text_comment, file_ids, group_comment } satisfies CommentGiven,
});

/** Ids of all files to attach to comments. */
const filesIn = (data: GradeData): number[] => Object.values(data).flatMap(({ file_ids }) => file_ids ?? []);

/** The changes that can be made, and references to unknown students. */
function deedsOf(data: readonly (readonly [assignment: number, GradeData])[], ground: GradePrecondition) {
  const deeds: GradeWrite[] = [];
  const unknown: string[] = [];
  for (const [id, entries] of data) {
    const assignment = ground.assignments.find((one) => one.id === id);
    if (!assignment) continue;
    const within = new Set(ground.students.flatMap((one) => (one.assignment_id === id ? one.user_id : [])));
    for (const [reference, entry] of Object.entries(entries)) {
      const user_id = ground.sis.get(reference) ?? Number(reference);
      if (!within.has(user_id)) {
        unknown.push(reference);
        continue;
      }
      const deed = deedOf(assignment, user_id, entry);
      checkCommentFiles(deed, ground.files, `grade_data[${reference}][file_ids]`);
      deeds.push(deed);
    }
  }
  return { deeds: withMates(deeds, ground.mates), unknown };
}

const refuse = (error: string) => new Problem(400, { error });

/** Grades many students; unknown references do not prevent the other grades. */
async function gradeMany(
  call: Grading,
  data: readonly (readonly [number, GradeData])[],
  ground: GradePrecondition,
  context: { type: string; id: number },
): Promise<Reply> {
  const missing = data.map(([id]) => id).filter((id) => !ground.assignments.some((one) => one.id === id));
  if (missing.length > 0) throw refuse(`unknown assignment ids: ${missing.join(', ')}`);
  if (ground.assignments.some((one) => one.workflow_state !== 'published')) throw unauthorized();
  const { deeds, unknown } = deedsOf(data, ground);
  for (const { grade } of deeds) checkGrade(grade ?? {});
  const failed = unknown.length > 0;
  const work = {
    context_type: context.type,
    context_id: context.id,
    user_id: call.me.id,
    tag: 'submissions_update',
    completion: 100,
    workflow_state: failed ? ('failed' as const) : ('completed' as const),
    message: failed ? `Couldn't find User(s) with API ids ${unknown.map((id) => `'${id}'`).join(', ')}` : null,
    created_at: call.now,
    updated_at: call.now,
  };
  return write(
    [...scored(call, deeds), ...performGrades(call, deeds), call.db.build.insert(progress).values(work)],
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
  });
  const assignment = ground.assignments[0];
  if (!assignment) throw notFound();
  return gradeMany(call, [[assignment.id, data]], ground, { type: 'Assignment', id: assignment.id });
}

/** For a course: grades by assignment, then student. */
export async function gradeCourse(call: Grading & { params: { grade_data?: Readonly<Record<string, GradeData>> } }): Promise<Reply> {
  const data = call.params.grade_data;
  if (!data) throw required();
  const references = Object.keys(data);
  if (references.some((one) => !/^\d{1,15}$/.test(one))) throw refuse(`unknown assignment ids: ${references.join(', ')}`);
  const users = [...new Set(Object.values(data).flatMap((entries) => Object.keys(entries)))];
  const ground = await readGradePrecondition(call, {
    ...call,
    assignments: theIds(references.map(Number)),
    users,
    fileIds: Object.values(data).flatMap(filesIn),
  });
  return gradeMany(
    call,
    references.map((one) => [Number(one), lookUp(data, one) ?? {}] as const),
    ground,
    { type: 'Course', id: call.course.id },
  );
}
