// Scores the completed attempts again after the key of a question has changed, some students at a time. Running attempts are regraded when they end.

import { sql } from 'drizzle-orm';
import type { Database, Statement } from '../../../database/open';
import { inSteps, type ProgressStep, type SteppedJob, unfinishedSteps } from '../../progress/in_steps';
import { type RegradeRequest, regradeJob } from '../../quiz_questions/regrade_request';
import type { PresentedContent } from '../../quiz_questions/table';
import { performQuizScores, type QuizScore } from '../../submissions/grading/quiz_scores';
import { isStale } from '../completing';
import { attemptsToRegrade, type RegradedSubmissionRow, regradedQuiz, submissionsToRegrade } from './read';
import { type ChangedAttempt, regradedAttempts } from './regraded_attempts';

/** Students of one step. */
const atOnce = 50;

interface ChangedSubmission extends RegradedSubmissionRow {
  readonly changed: readonly ChangedAttempt[];
  readonly kept_after: number | null;
}

const rowsIn = (all: readonly object[]) => sql`json_each(${JSON.stringify(all)}) j`;

/** The first statement breaks the batch if an attempt has changed since it was read. */
function writeScores(db: Database, all: readonly ChangedSubmission[], version: number, now: string): Statement[] {
  const submissions = all.map(({ id, attempt, workflow_state, kept_score, kept_after, changed }) => {
    const newest = changed.find((one) => one.attempt === attempt);
    return { id, attempt, workflow_state, kept_score, kept_after, newest: newest ?? null };
  });
  const attempts = all.flatMap(({ changed }) => changed);
  const value = (name: string) => sql.raw(`j.value ->> '${name}'`);
  return [
    db.build.run(
      sql`update quiz_submissions set validation_token = null where id in (select ${value('id')} from ${rowsIn(submissions)}) and (
        not exists (select 1 from ${rowsIn(submissions)} where ${value('id')} = quiz_submissions.id and ${value('attempt')} = quiz_submissions.attempt
          and ${value('workflow_state')} = quiz_submissions.workflow_state and ${value('kept_score')} is quiz_submissions.kept_score)
        or exists (select 1 from ${rowsIn(attempts)} where ${value('quiz_submission_id')} = quiz_submissions.id and not exists (select 1 from quiz_attempts tried
          where tried.quiz_submission_id = quiz_submissions.id and tried.attempt = ${value('attempt')} and tried.results = ${value('before')})))`,
    ),
    db.build.run(
      sql`update quiz_attempts set results = ${value('results')}, score = ${value('score')}, score_before_regrade = ${value('score_before_regrade')},
          workflow_state = ${value('workflow_state')}, presented = json_set(presented, '$[' || (${value('place')}) || '].version', ${version}), updated_at = ${now}
        from ${rowsIn(attempts)} where quiz_attempts.quiz_submission_id = ${value('quiz_submission_id')} and quiz_attempts.attempt = ${value('attempt')}`,
    ),
    db.build.run(
      sql`update quiz_submissions set kept_score = ${value('kept_after')}, updated_at = ${now},
          score = iif(j.value ->> 'newest' is null, score, j.value ->> '$.newest.score'),
          score_before_regrade = iif(j.value ->> 'newest' is null, score_before_regrade, j.value ->> '$.newest.score_before_regrade'),
          workflow_state = iif(j.value ->> 'newest' is null, workflow_state, j.value ->> '$.newest.workflow_state')
        from ${rowsIn(submissions)} where quiz_submissions.id = ${value('id')}`,
    ),
  ];
}

/** The input, and what the steps before have noted. */
interface Arguments extends RegradeRequest {
  readonly total?: number;
  readonly done?: number;
}

async function regradeMore(db: Database, id: number, request: Arguments, after: number, now: string): Promise<ProgressStep> {
  const [quizRows, versionRows, assignmentRows, schemes, submissions, attempts, [counted]] = await db.perform([
    ...regradedQuiz(db, request),
    submissionsToRegrade(db, request, after, atOnce, now),
    attemptsToRegrade(db, request, after, atOnce),
    db.build.all<{ count: number }>(
      sql`select count(*) as count from quiz_submissions own where own.quiz_id = ${request.total === undefined ? request.quiz_id : 0}`,
    ),
  ]);
  const [quiz] = quizRows;
  const versions = new Map(versionRows.map(({ version, content }) => [version, JSON.parse(content) as PresentedContent]));
  const content = versions.get(request.version);
  const last = submissions.at(-1);
  if (!quiz || !content || !last) return { statements: [], after: after + 1, completion: 100, end: {} };
  const assignment = assignmentRows[0] && { ...assignmentRows[0], scheme: schemes[0] };
  const regraded = submissions.flatMap((own): ChangedSubmission[] => {
    if (own.is_closed) return [];
    const its = attempts.filter((one) => one.quiz_submission_id === own.id);
    const { changed, kept_score } = regradedAttempts(its, quiz, { ...request, content, versions });
    return changed.length === 0 ? [] : [{ ...own, changed, kept_after: kept_score }];
  });
  const grades = regraded.flatMap(({ user_id, is_student, kept_score, kept_after, attempt, workflow_state, changed }): QuizScore[] => {
    if (!assignment || !is_student || kept_after === null || kept_after === kept_score) return [];
    const state = changed.find((one) => one.attempt === attempt)?.workflow_state ?? workflow_state;
    return [{ assignment, user_id, kept_score: kept_after, isPendingReview: state === 'pending_review' }];
  });
  const isLast = submissions.length < atOnce;
  const total = request.total ?? counted?.count ?? 0;
  const done = (request.done ?? 0) + submissions.length;
  const note = db.build.run(
    sql`update progress set arguments = json_set(arguments, '$.total', ${total}, '$.done', ${done}) where id = ${id}`,
  );
  return {
    statements: [
      note,
      ...(regraded.length === 0 ? [] : writeScores(db, regraded, request.version, now)),
      ...performQuizScores({ db, now }, { id: -quiz.id }, grades),
    ],
    after: last.user_id,
    completion: Math.min(100, (100 * done) / Math.max(1, total)),
    ...(isLast && { end: {} }),
  };
}

const regrading: SteppedJob = {
  job: regradeJob,
  tag: regradeJob,
  next: (db, { id, after, arguments: given }, now) => regradeMore(db, id, given as Arguments, after, now),
  isOutdated: isStale,
};

export const regradeQuestion = inSteps(regrading);
export const unfinishedRegrades = unfinishedSteps(regrading);
