// Posting and hiding grades: endpoints of Carrel's own, because Canvas offers them over GraphQL only.

import { bool, idField, listOf, optional } from '@carrel/shared/wire/fields';
import { and, eq, sql } from 'drizzle-orm';
import type { CourseContext } from '../../../contexts/course';
import { isEnrolledStudent } from '../../../contexts/predicates';
import { inSectionLimit } from '../../../contexts/section_limit';
import { among } from '../../../database/ids';
import type { Call } from '../../../http/call';
import { post } from '../../../http/endpoint';
import { badParameter, found, problem } from '../../../http/problem';
import type { Reply } from '../../../http/reply';
import { isModerationPublished } from '../../../rules/moderated_grading';
import { presentAssignments } from '../../assignments/policy';
import { assignments } from '../../assignments/table';
import { progressJson } from '../../progress/json';
import { queued } from '../../progress/queue';
import { sections } from '../../sections/table';
import { assignmentAt } from '../context';
import { type PostingWish, postingJob } from './posting';

export const about = {
  title: 'Posting grades',
  description:
    "Show the grades of an assignment to its students, or hide them. Carrel's own, because Canvas has only GraphQL mutations for it. So are the parameters `assignment[post_manually]` (null follows the course) and `course[post_manually]`, which set the posting policy.",
};

const path = '/courses/:course_id/assignments/:assignment_id';
const chosenStudents = {
  section_ids: optional(listOf(idField('section'))),
  only_student_ids: optional(listOf(idField('user'))),
  skip_student_ids: optional(listOf(idField('user'))),
};
interface Chosen {
  readonly section_ids?: readonly number[];
  readonly only_student_ids?: readonly number[];
  readonly skip_student_ids?: readonly number[];
}

/**
 * The grades of an anonymous assignment are posted or hidden for all students, because what is shown of a part would reveal who is in it.
 * @throws Problem 400
 */
function refuseParts(given: Readonly<Record<string, unknown>>): void {
  const [part] = Object.entries(given).find(([, value]) => value) ?? [];
  if (part) throw badParameter(part, 'is not for anonymous assignments, whose grades are posted for all students');
}

/** Without repetitions; undefined for none. */
const some = (ids: readonly number[] | undefined): number[] | undefined => (ids && ids.length > 0 ? [...new Set(ids)] : undefined);

interface Asking extends Call {
  readonly course: CourseContext;
  readonly path: { readonly assignment_id: string };
}

/**
 * Queues the posting or hiding of an assignment's grades. A section-restricted grader reaches the students of their sections.
 * @throws Problem 404 for an unknown assignment, 400 before the grades of a moderated one are published, and for sections and students that are not
 * the caller's to grade
 */
export async function queuePosting(call: Asking, wish: Pick<PostingWish, 'does' | 'graded_only'>, given: Chosen): Promise<Reply> {
  const { db, course } = call;
  const limit = course.sectionLimit;
  const wanted = some(given.section_ids);
  const [only, skipped] = [some(given.only_student_ids), some(given.skip_student_ids)];
  const [there, known, students] = await db.perform([
    db.build
      .select({
        id: assignments.id,
        is_anonymous: sql<number>`coalesce(${assignments.options} ->> 'anonymous_grading', 0)`.as('is_anonymous'),
        is_moderated: sql<number>`(coalesce(${assignments.options} ->> 'moderated_grading', 0) and not ${isModerationPublished})`.as(
          'is_moderated',
        ),
      })
      .from(assignments)
      .where(and(eq(assignments.course_id, course.id), presentAssignments, sql`${assignments.id} = (${assignmentAt(call)})`)),
    db.build
      .select({ id: sections.id })
      .from(sections)
      .where(and(among(sections.id, wanted ?? []), eq(sections.course_id, course.id), sql`${sections.workflow_state} <> 'deleted'`)),
    db.build.all<{ id: number }>(
      sql`select distinct e.user_id as id from json_each(${JSON.stringify([...(only ?? []), ...(skipped ?? [])])}) j cross join enrollments e
        on e.user_id = j.value where +e.course_id = ${course.id} and ${isEnrolledStudent('+e')}${inSectionLimit(course, 'e')}`,
    ),
  ]);
  const { id, is_anonymous, is_moderated } = found(there[0]);
  if (is_moderated) throw problem(400, 'the provisional grades of the assignment are not published yet');
  if (is_anonymous)
    refuseParts({
      graded_only: wish.graded_only,
      section_ids: wanted ?? limit,
      only_student_ids: only,
      skip_student_ids: skipped,
    });
  const reachable = known.filter((one) => !limit || limit.includes(one.id));
  if (wanted && reachable.length < wanted.length) throw badParameter('section_ids', 'contains an unknown section');
  const isStudent = new Set(students.map((one) => one.id));
  for (const [name, ids] of [
    ['only_student_ids', only],
    ['skip_student_ids', skipped],
  ] as const)
    if (ids?.some((one) => !isStudent.has(one))) throw badParameter(name, 'contains a user who is not a student whom you may grade');
  const section_ids = wanted ?? limit ?? null;
  return queued(call, postingJob.job, {
    context_type: 'Assignment',
    context_id: id,
    user_id: call.me.id,
    tag: postingJob.tag,
    arguments: {
      ...wish,
      course_id: course.id,
      assignment_id: id,
      section_ids,
      ...(only && { only_student_ids: only }),
      ...(skipped && { skip_student_ids: skipped }),
    },
  });
}

export const postingRoutes = [
  post(
    `${path}/post_grades`,
    {
      can: 'manage_grades',
      params: { graded_only: optional(bool), ...chosenStudents },
      returns: progressJson,
      summary: "Post the grades of an assignment (Carrel's own)",
    },
    (call) => queuePosting(call, { does: 'post', graded_only: call.params.graded_only === true }, call.params),
  ),

  post(
    `${path}/hide_grades`,
    { can: 'manage_grades', params: chosenStudents, returns: progressJson, summary: "Hide the grades of an assignment (Carrel's own)" },
    (call) => queuePosting(call, { does: 'hide', graded_only: false }, call.params),
  ),
];
