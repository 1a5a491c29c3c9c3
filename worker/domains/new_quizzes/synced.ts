// The caller's own attempt at a New Quiz in the feed: the newest one, with its state and scores.

import { and, sql } from 'drizzle-orm';
import type { Serializer } from '../../http/serializer';
import { isNewQuiz } from '../../rules/new_quizzes';
import type { SyncedKind } from '../../rules/synced_kind';
import { visibleAssignments } from '../assignments/policy';
import type { QuizSubmissionRow } from '../quiz_submissions/json';
import { ownQuizSubmissions } from '../quiz_submissions/synced';
import { type BesideSession, newQuizSession } from './sessions/json';

/** Clients store the feed, and a token that completes a running attempt must not be stored. The seconds left and the place change without a write to it. */
const newQuizSessionInFeed: Serializer<QuizSubmissionRow & BesideSession, (typeof newQuizSession)['resource']> = {
  ...newQuizSession,
  json: (row, call, found) => ({
    ...newQuizSession.json(row, call, found),
    validation_token: undefined,
    time_left: undefined,
    position: undefined,
  }),
};

export const newQuizSessionSynced: SyncedKind = {
  kind: 'new_quiz_session',
  serializer: newQuizSessionInFeed,
  ...ownQuizSubmissions((course, call) =>
    and(
      sql`quiz_submissions.workflow_state not in ('settings_only', 'preview')`,
      sql`exists (select 1 from assignments where assignments.id = -quiz_submissions.quiz_id and ${and(visibleAssignments(course, call), isNewQuiz)})`,
    ),
  ),
};
