// Posting and hiding grades: endpoints of Carrel's own, because Canvas offers them over GraphQL only.

import { bool, idField, listOf, optional } from '@carrel/shared/wire/fields';
import { and, eq, sql } from 'drizzle-orm';
import type { CourseContext } from '../../../contexts/course';
import { among } from '../../../database/ids';
import type { Call } from '../../../http/call';
import { post } from '../../../http/endpoint';
import { badParameter, found } from '../../../http/problem';
import type { Reply } from '../../../http/reply';
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
const bySections = { section_ids: optional(listOf(idField('section'))) };

/**
 * The grades of an anonymous assignment are posted or hidden for all students, because what is shown of a part would reveal who is in it.
 * @throws Problem 400
 */
function refuseParts({ graded_only }: Pick<PostingWish, 'graded_only'>, section_ids: readonly number[] | null): void {
  if (graded_only) throw badParameter('graded_only', 'is not for anonymous assignments, whose grades are posted for all students');
  if (section_ids) throw badParameter('section_ids', 'is not for anonymous assignments, whose grades are posted for all students');
}

interface Asking extends Call {
  readonly course: CourseContext;
  readonly path: { readonly assignment_id: string };
}

/**
 * Queues the posting or hiding of an assignment's grades. A section-restricted grader reaches the students of their sections.
 * @throws Problem 404 for an unknown assignment, 400 for sections that are not the caller's to grade
 */
export async function queuePosting(
  call: Asking,
  wish: Pick<PostingWish, 'does' | 'graded_only'>,
  given?: readonly number[],
): Promise<Reply> {
  const { db, course } = call;
  const limit = course.sectionLimit;
  const wanted = given && given.length > 0 ? [...new Set(given)] : undefined;
  const [there, known] = await db.perform([
    db.build
      .select({
        id: assignments.id,
        is_anonymous: sql<number>`coalesce(${assignments.options} ->> 'anonymous_grading', 0)`.as('is_anonymous'),
      })
      .from(assignments)
      .where(and(eq(assignments.course_id, course.id), presentAssignments, sql`${assignments.id} = (${assignmentAt(call)})`)),
    db.build
      .select({ id: sections.id })
      .from(sections)
      .where(and(among(sections.id, wanted ?? []), eq(sections.course_id, course.id), sql`${sections.workflow_state} <> 'deleted'`)),
  ]);
  const { id, is_anonymous } = found(there[0]);
  if (is_anonymous) refuseParts(wish, wanted ?? limit);
  const reachable = known.filter((one) => !limit || limit.includes(one.id));
  if (wanted && reachable.length < wanted.length) throw badParameter('section_ids', 'contains an unknown section');
  const section_ids = wanted ?? limit ?? null;
  return queued(call, postingJob.job, {
    context_type: 'Assignment',
    context_id: id,
    user_id: call.me.id,
    tag: postingJob.tag,
    arguments: { ...wish, course_id: course.id, assignment_id: id, section_ids },
  });
}

export const postingRoutes = [
  post(
    `${path}/post_grades`,
    {
      can: 'manage_grades',
      params: { graded_only: optional(bool), ...bySections },
      returns: progressJson,
      summary: "Post the grades of an assignment (Carrel's own)",
    },
    (call) => queuePosting(call, { does: 'post', graded_only: call.params.graded_only === true }, call.params.section_ids),
  ),

  post(
    `${path}/hide_grades`,
    { can: 'manage_grades', params: bySections, returns: progressJson, summary: "Hide the grades of an assignment (Carrel's own)" },
    (call) => queuePosting(call, { does: 'hide', graded_only: false }, call.params.section_ids),
  ),
];
