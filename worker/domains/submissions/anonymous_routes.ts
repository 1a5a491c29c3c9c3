// Submissions by the anonymous id of their student, below a course and below a section (reference 03 §4.1, §8.2).

import { listOf, optional, text } from '@carrel/shared/wire/fields';
import type { Call } from '../../http/call';
import { get, post, put } from '../../http/endpoint';
import { found } from '../../http/problem';
import { judged, one } from '../../http/reply';
import { studentNamed } from '../assignments/submissions/anonymity';
import { looksAsReviewer, seesAllGrades } from '../assignments/submissions/policy';
import { uploadParams } from '../files/upload/parameters';
import { uploadTicket } from '../files/upload/start';
import { assignmentAt, assignmentSeen, slotOf, submissionContexts } from './context';
import { gradeOne } from './grading/handlers';
import { gradeParams } from './grading/input';
import { gradedSubmission, submission, submissionIncludes } from './json';
import { submissionToReview } from './review_access';
import { uploadForComment } from './submit/handlers';

const include = submissionIncludes;
const chosen = { response_fields: optional(listOf(text)), exclude_response_fields: optional(listOf(text)) };

type Anonymous = Pick<Call, 'env'> & { readonly path: { readonly assignment_id: string; readonly anonymous_id: string } };

const studentAt = (call: Anonymous): number => studentNamed(call, call.path.assignment_id, call.path.anonymous_id);

/** Graders, and students who may have been asked to review the submission: the handler checks that. */
const gradesOrReviews = ({ me, course }: Pick<Call, 'me' | 'course'>): boolean =>
  Boolean(me.isKnown && course?.canRead && (course.participates || seesAllGrades(course)));

export const anonymousSubmissionRoutes = submissionContexts.flatMap((place) => {
  const single = `${place}/assignments/:assignment_id/anonymous_submissions/:anonymous_id` as const;
  return [
    get(
      single,
      {
        can: gradesOrReviews,
        include,
        params: chosen,
        choosable: true,
        returns: submission,
        summary: 'Get a submission by its anonymous id',
      },
      (call) => {
        const user_id = studentAt(call);
        return looksAsReviewer(call, user_id)
          ? submissionToReview(call, user_id, true)
          : judged(assignmentSeen(call), ([it]) => void found(it), one(slotOf(call, assignmentAt(call), user_id)));
      },
    ),

    put(
      single,
      {
        can: gradesOrReviews,
        params: gradeParams,
        include,
        returns: gradedSubmission,
        summary: 'Grade a submission or comment on it by its anonymous id',
      },
      (call) => gradeOne({ ...call, user: { id: studentAt(call) } as NonNullable<Call['user']> }, true),
    ),

    post(
      `${single}/comments/files`,
      {
        can: 'manage_grades',
        params: uploadParams,
        returns: uploadTicket,
        summary: "Upload a file for a comment by the submission's anonymous id (Carrel's own)",
      },
      (call) => uploadForComment({ ...call, user: { id: studentAt(call) } as NonNullable<Call['user']> }),
    ),
  ];
});
