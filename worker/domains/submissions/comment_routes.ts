// Comments on submissions: upload a file for one, update and delete.

import { text } from '@carrel/shared/wire/fields';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Call } from '../../http/call';
import { del, post, put } from '../../http/endpoint';
import { rows } from '../../http/listing';
import { notFound, unauthorized } from '../../http/problem';
import { judged, oneOr, write } from '../../http/reply';
import { isAssignedReviewer } from '../../rules/peer_reviews';
import { assignmentOfSubmission } from '../../rules/submission_ids';
import { looksAsReviewer, thatStudentsOrReviewers } from '../assignments/submissions/policy';
import { uploadParams } from '../files/upload/parameters';
import { uploadTicket } from '../files/upload/start';
import { submissionComment } from './comment_json';
import { assignmentAt, submissionContexts } from './context';
import { submissionAt } from './read_state';
import { uploadForComment } from './submit/handlers';
import { submission_comments } from './table';

/** For peer reviewers: they still review the submission, and know whose it is. */
const reviewersOwn = (call: Pick<Call, 'course' | 'me'>, user_id: number): SQL | undefined =>
  looksAsReviewer(call, user_id)
    ? sql`exists (select 1 from assignments where assignments.id = ${assignmentOfSubmission(submission_comments.submission_id)} and ${isAssignedReviewer(sql`${call.me.id}`, sql`${submission_comments.submission_id}`)})`
    : undefined;

function ofSubmission(call: Parameters<typeof assignmentAt>[0], user_id: number): SQL {
  return and(
    sql`${submission_comments.submission_id} = ${submissionAt(assignmentAt(call), user_id)}`,
    eq(submission_comments.workflow_state, 'active'),
  ) as SQL;
}

export const submissionCommentRoutes = submissionContexts.flatMap((place) => {
  const single = `${place}/assignments/:assignment_id/submissions/:user_id` as const;
  return [
    post(
      `${single}/comments/files`,
      { can: thatStudentsOrReviewers, params: uploadParams, returns: uploadTicket, summary: 'Upload a file for a comment' },
      (call) => uploadForComment(call),
    ),

    put(
      `${single}/comments/:id`,
      { can: thatStudentsOrReviewers, params: { comment: text }, returns: submissionComment, summary: 'Update a submission comment' },
      ({ db, me, course, user, path, id, params, now }) => {
        const which = and(
          ofSubmission({ course, path }, user.id),
          eq(submission_comments.id, id),
          eq(submission_comments.author_id, me.id),
          reviewersOwn({ course, me }, user.id),
        );
        const there = db.build.select({ id: submission_comments.id }).from(submission_comments);
        return judged(
          there.where(and(ofSubmission({ course, path }, user.id), eq(submission_comments.id, id))),
          // Only a grader may learn which comments there are.
          (known) => {
            if (known.length === 0 && course.can('manage_grades')) throw notFound();
          },
          write(
            [db.build.update(submission_comments).set({ comment: params.comment, edited_at: now }).where(which)],
            oneOr(rows(submission_comments, { where: which }), unauthorized),
          ),
        );
      },
    ),

    del(
      `${single}/comments/:id`,
      { can: thatStudentsOrReviewers, returns: submissionComment, summary: 'Delete a submission comment' },
      ({ db, me, course, user, path, id }) => {
        const mine = course.can('manage_grades')
          ? undefined
          : and(eq(submission_comments.author_id, me.id), reviewersOwn({ course, me }, user.id));
        const which = and(ofSubmission({ course, path }, user.id), eq(submission_comments.id, id));
        const result = and(
          sql`${submission_comments.submission_id} = ${submissionAt(assignmentAt({ course, path }), user.id)}`,
          eq(submission_comments.id, id),
          mine,
        );
        return write(
          [db.build.update(submission_comments).set({ workflow_state: 'deleted' }).where(and(which, mine))],
          oneOr(rows(submission_comments, { where: result }), mine ? unauthorized : notFound),
        );
      },
    ),
  ];
});
