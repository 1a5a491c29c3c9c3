// The caller's own quiz submission in the feed, with the state and score of the newest attempt.

import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import type { Call } from '../../http/call';
import { rows } from '../../http/listing';
import type { Serializer } from '../../http/serializer';
import { homeByCourse, listedInCourse, type SyncedKind } from '../../rules/synced_kind';
import { listsQuizzes, visibleQuizzes } from '../quizzes/policy';
import { type QuizSubmissionInLists, quizSubmission } from './json';
import { quiz_submissions } from './table';

/** Clients store the feed, and a token that completes a running attempt must not be stored. */
const quizSubmissionInFeed: Serializer<QuizSubmissionInLists, (typeof quizSubmission)['resource']> = {
  ...quizSubmission,
  json: (row, call, found) => ({ ...quizSubmission.json(row, call, found), validation_token: undefined }),
};

/** How the feed reads the caller's own rows. @param which those of classic quizzes, or of New Quizzes */
export const ownQuizSubmissions = (which: (course: CourseContext, call: Call) => SQL | undefined) => ({
  home: homeByCourse('quiz_submissions'),
  listing: listedInCourse((course, call) =>
    rows(quiz_submissions, {
      where: and(eq(quiz_submissions.user_id, call.me.id), eq(quiz_submissions.course_id, course.id), which(course, call)),
    }),
  ),
});

export const quizSubmissionSynced: SyncedKind = {
  kind: 'quiz_submission',
  serializer: quizSubmissionInFeed,
  ...ownQuizSubmissions((course, call) =>
    and(
      listsQuizzes(course) ? undefined : sql`0`,
      sql`exists (select 1 from quizzes where quizzes.id = ${quiz_submissions.quiz_id} and ${visibleQuizzes(course, call)})`,
    ),
  ),
};
