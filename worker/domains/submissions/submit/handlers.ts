// Endpoints to submit: the submission itself, and its file uploads.

import { bool, optional, type Shape } from '@carrel/shared/wire/fields';
import { sql } from 'drizzle-orm';
import { anonymousAssignment } from '../../../contexts/anonymous_students';
import { idOf } from '../../../contexts/references';
import type { Call } from '../../../http/call';
import { found, problem, unauthorized } from '../../../http/problem';
import { oneAt, type Reply, write } from '../../../http/reply';
import { reviewsAt } from '../../../rules/peer_reviews';
import { submissionId, submissionIdOf } from '../../../rules/submission_ids';
import { looksAsReviewer } from '../../assignments/submissions/policy';
import { submissionsIn } from '../../files/folders/paths';
import { aboutFile, uploadParams } from '../../files/upload/parameters';
import { startUpload } from '../../files/upload/start';
import { bytesFor, refuseTooLarge, submissionLimits } from '../../files/upload/submission_limits';
import type { UploadRequest } from '../../files/upload/ticket';
import { requirementEvent } from '../../modules/progress/record';
import { assignmentAt, assignmentSeen, type Here, slotOf } from '../context';
import { withMates } from '../grading/group_members';
import { notifiedGrades } from '../grading/handlers';
import { performGrades } from '../grading/writes';
import { checkExtension, judgeSubmission, refuseClosed, refuseSpent, submit, type submitParams } from './attempt';
import { readSubmitPrecondition, type SubmitPrecondition } from './precondition';

type Asking = Call & Here & { readonly path: { readonly assignment_id: string } };

/** Submits for the caller, or as a grader on behalf of a student. */
export async function submitAssignment(call: Asking & { readonly params: Shape<typeof submitParams> }): Promise<Reply> {
  const { course, section, me, now, params } = call;
  const given = params.submission ?? {};
  const grades = course.can('manage_grades');
  const forOther = given.user_id !== undefined && given.user_id !== 'self' && given.user_id !== String(me.id);
  if (forOther ? !grades || anonymousAssignment(course, call.path.assignment_id) : !course.participates) throw unauthorized();
  const assignment = assignmentAt(call);
  const ground = await readSubmitPrecondition(call, {
    course,
    section,
    assignment,
    user: forOther ? idOf('user', given.user_id as string) : sql`select ${me.id}`,
    fileIds: given.file_ids ?? [],
    forOther,
  });
  const what = judgeSubmission(given, ground, call);
  const text = params.comment?.text_comment;
  const comment = { text_comment: text, group_comment: given.group_comment };
  const deed = { assignment: ground.assignment, user_id: ground.user_id, comment };
  const mates = ground.mateIds.map((mate_id) => ({
    assignment_id: ground.assignment.id,
    user_id: ground.user_id,
    mate_id,
    is_excused: 0,
    is_closed: 0,
  }));
  const address = `${call.origin}/api/v1/courses/${course.id}/assignments/${ground.assignment.id}/submissions/${ground.user_id}`;
  return write(
    [
      ...[ground.user_id, ...ground.mateIds.slice(0, notifiedGrades)].flatMap((user_id) =>
        requirementEvent(call, course, { type: 'Assignment', content_id: ground.assignment.id }, 'submitted', user_id),
      ),
      ...submit(call, { ...ground, proxy_submitter_id: forOther ? me.id : null }, what, (grades && given.submitted_at) || now),
      ...(text?.trim() ? performGrades(call, withMates([deed], mates)) : []),
    ],
    oneAt(slotOf(call, sql`select ${ground.assignment.id}`, ground.user_id), address),
  );
}

type Uploading = Asking & { readonly user: { readonly id: number }; readonly params: Shape<typeof uploadParams> };

/** `submit_assignment` counts only with `url`: a client that sends the bytes submits the file itself. */
export const submissionUploadParams = { ...uploadParams, submit_assignment: optional(bool) };
type UploadingWork = Uploading & { readonly params: Shape<typeof submissionUploadParams> };

/** Step 1 of an upload for a submission: stored in the student's own files, outside of their quota. */
export async function uploadForSubmission(call: UploadingWork): Promise<Reply> {
  const { course, section, user, me } = call;
  const isOwner = user.id === me.id && course.participates;
  if (!isOwner && !course.can('manage_grades')) throw unauthorized();
  const ground = await readSubmitPrecondition(call, {
    course,
    section,
    assignment: assignmentAt(call),
    user: sql`select ${user.id}`,
    fileIds: [],
  });
  const takesFiles = ground.assignment.submission_types.includes('online_upload');
  const submits = Boolean(call.params.submit_assignment && call.params.url);
  if (isOwner || submits) refuseClosed(ground, call.now);
  if (!takesFiles) throw isOwner ? unauthorized() : problem(400, 'the assignment does not accept files');
  return startUpload(call, fileOfSubmission(call, ground, aboutFile(call.params), submits));
}

type AboutFile = Pick<UploadRequest, 'name'> & Partial<UploadRequest>;

/**
 * The upload of a file for a submission. The caller checks whether the student can submit.
 * @param submits whether the file, once it was fetched, is submitted
 * @throws Problem 400 for a file that the assignment does not accept, 401 where it accepts none
 */
export function fileOfSubmission(
  { env, course }: Pick<Call, 'env'> & { readonly course: { readonly id: number; readonly name: string } },
  ground: SubmitPrecondition,
  about: AboutFile,
  submits: boolean,
): UploadRequest {
  const { assignment, user_id } = ground;
  if (!assignment.submission_types.includes('online_upload')) throw unauthorized();
  checkExtension(about.name, assignment.allowed_extensions);
  if (submits) refuseSpent(ground, 'online_upload');
  const limits = submissionLimits(env);
  refuseTooLarge(limits, about.size, ground.stored);
  return {
    ...about,
    holder: { context_type: 'User', context_id: user_id },
    folder: { path: submissionsIn(course) },
    is_submitted: true,
    submission_id: submissionId(assignment.id, user_id),
    limits,
    ...(submits && { submits: { course_id: course.id, assignment_id: assignment.id, student_id: user_id } }),
  };
}

/** Step 1 of an upload for a comment. */
export async function uploadForComment(call: Uploading): Promise<Reply> {
  const { course, user, me, db } = call;
  const reviews = looksAsReviewer(call, user.id);
  if (!(course.participates && (user.id === me.id || reviews)) && !course.can('manage_grades')) throw unauthorized();
  const stored = bytesFor(submissionIdOf(sql`(${assignmentAt(call)})`, sql`${user.id}`), me.id);
  const [there, [used], [asked]] = await db.perform([
    assignmentSeen(reviews ? { ...call, user: undefined } : call),
    db.build.all<{ bytes: number }>(sql`select ${stored} as bytes`),
    reviewsAt(db, assignmentAt(call), { reviewer: me.id, student: user.id }),
  ]);
  const assignment = found(there[0]);
  if (assignment.is_visible !== 1 || (reviews && !asked?.is_reviewer)) throw unauthorized();
  const limits = submissionLimits(call.env);
  refuseTooLarge(limits, call.params.size, used?.bytes ?? 0);
  return startUpload(call, {
    ...aboutFile(call.params),
    holder: { context_type: 'User', context_id: me.id },
    folder: { path: submissionsIn(course) },
    is_submitted: true,
    submission_id: submissionId(assignment.id, user.id),
    limits,
    comment_on: submissionId(assignment.id, user.id),
  });
}
