// Scheduled work, once a minute: what is due, and what is deleted or archived when.

import { type SQL, sql } from 'drizzle-orm';
import { type ChoreBudget, queueDueChores, runChores, runQueuedChore, type ScheduledChore } from './chores';
import { loginThrottleRetention } from './contexts/login_throttle';
import { forgetMarks, forgetTombstones, keyRetention } from './database/forget';
import type { Database, Statement } from './database/open';
import { countUpTo, forgetOld, type Retention } from './database/retention';
import { activityRetentions, countViews } from './domains/analytics/count';
import { refreshAnalytics } from './domains/analytics/refresh';
import { refreshAccounts } from './domains/analytics/refresh_accounts';
import { archiveLogs } from './domains/audit/archive';
import { unfinishedSyncs } from './domains/blueprint_templates/job';
import { createNotificationMessages, messageRetention } from './domains/comm_messages/job';
import { expireExports, exportRetention } from './domains/content_exports/forget';
import { unfinishedContentExports } from './domains/content_exports/job';
import { exportPieceRetention } from './domains/content_exports/pieces';
import { expireMigrations } from './domains/content_migrations/expire';
import { unfinishedMigrations } from './domains/content_migrations/job';
import { shareRetention } from './domains/content_shares/forget';
import { resumeBatches } from './domains/conversations/sending/job';
import { passDueDates } from './domains/course_assignments/position_walk';
import { unfinishedCopies } from './domains/course_copy/job';
import { isDueToPost, postDueTopics } from './domains/discussion_topics/writes';
import { computeStoredScores } from './domains/enrollments/grades/job';
import { unfinishedBooks } from './domains/epub_exports/job';
import { errorReportRetention } from './domains/error_reports/forget';
import { readDueFeeds } from './domains/external_feeds/job';
import { collectBlobs, versionRetention } from './domains/files/collect';
import { unfinishedExports } from './domains/gradebook_csv/exports/export_job';
import { pieceRetention } from './domains/gradebook_csv/exports/pieces';
import { uploadRetentions } from './domains/gradebook_csv/retention';
import { unfinishedApplications } from './domains/gradebook_csv/uploads/apply_job';
import { unfinishedChecks } from './domains/gradebook_csv/uploads/check_job';
import { deadLetterRetention } from './domains/jobs/dead_letters';
import { applyLatePolicies } from './domains/late_policies/runs';
import { resetRetention } from './domains/login/forgotten';
import { sessionRetention } from './domains/login/opening';
import { launchRetention } from './domains/lti/forget';
import { rotateKeys } from './domains/lti/platform_keys';
import { unfinishedNewQuizReports } from './domains/new_quizzes/reports/report_job';
import { forgetUnusedApplications, grantRetentions } from './domains/oauth2/forget';
import { unfinishedOutcomeImports } from './domains/outcomes/imports/job';
import { compactViews } from './domains/page_views/compact';
import { forgetUnregisteredViews, forgetViews } from './domains/page_views/forget';
import { moveViews } from './domains/page_views/move';
import { forgetPageViewQueries } from './domains/page_views/queries/forget';
import { unfinishedPageViewQueries } from './domains/page_views/queries/job';
import { takeInViews } from './domains/page_views/take_in';
import { assignDueReviews } from './domains/peer_reviews/job';
import { progressRetention } from './domains/progress/progress';
import { unfinishedQuizReports } from './domains/quiz_reports/job';
import { closeOverdueAttempts } from './domains/quiz_submissions/overdue';
import { unfinishedRegrades } from './domains/quiz_submissions/regrading/job';
import { unfinishedQuizScores } from './domains/quiz_submissions/regrading/scores_for_assignment';
import { unfinishedReports } from './domains/reports/job';
import { countRetention } from './domains/request_counts/forget';
import { unfinishedRubricImports } from './domains/rubrics/imports/job';
import { forgetImports } from './domains/sis_imports/forget';
import { resumeImports } from './domains/sis_imports/job';
import { unfinishedGrading } from './domains/submissions/grading/bulk_job';
import { removeDeletedStatuses } from './domains/submissions/grading/deleted_statuses';
import { unfinishedPosting } from './domains/submissions/posting/posting';
import { expireUploads } from './domains/sync/uploads/expire';
import { forgetMergedItems, settleMerges } from './domains/user_merges/merge';
import { codeRetention } from './domains/users/observers/pairing';
import { pauseOverfull, queueDeliveries, webhookRetention } from './domains/webhooks/waiting';
import { signalDueChanges } from './live/due_changes';
import type { Job, Platform } from './platform';
import { isDueToPublish, publishDuePages } from './rules/pages/rows';
import { resume } from './steps';

const hour = 60;
const second = 1000;

/** A run that reads a little and queues jobs. */
const small: ChoreBudget = { statements: 20, rows: 5000, ms: 30 * second };
/** A run that deletes a thousand rows of a table with its index entries, and counts the rest. */
const deleting: ChoreBudget = { statements: 20, rows: 50_000, ms: 30 * second };
/** A run that stores rows in R2, or merges objects there. */
const storing: ChoreBudget = { statements: 200, rows: 100_000, ms: 60 * second };
/** A run that changes content, whose triggers write the change log. */
const changing: ChoreBudget = { statements: 50, rows: 100_000, ms: 60 * second };

/** A run that adds up many rows. */
const counting: ChoreBudget = { statements: 100, rows: 500_000, ms: 60 * second };

/** A run that looks up the users of at most a thousand courses. */
const signalling: ChoreBudget = { statements: 5, rows: 500_000, ms: 60 * second };

const deletes = (name: string, ...retentions: readonly Retention[]): ScheduledChore => ({
  name,
  every: hour,
  budget: deleting,
  run: ({ db, now }) => forgetOld(db, retentions, now),
});

/** Carries out what is due, and counts what is left of it. */
async function carryOut(db: Database, statements: readonly Statement[], left: SQL): Promise<number> {
  const results: readonly unknown[] = await db.perform([...statements, countUpTo(db, left)]);
  return (results.at(-1) as { count: number }[])[0]?.count ?? 0;
}

/** Work that leaves nothing to another run. */
const whole = async (work: Promise<unknown>): Promise<number> => {
  await work;
  return 0;
};

/** The urgent chores start first, in this order: what falls due comes before the messages about it. */
export const scheduledChores: readonly ScheduledChore[] = [
  { name: 'pass_due_dates', every: 1, isUrgent: true, budget: changing, run: ({ db, now }) => passDueDates(db, now) },
  {
    name: 'publish_due_pages',
    every: 1,
    isUrgent: true,
    budget: changing,
    run: ({ db, now }) => carryOut(db, publishDuePages(db, now, 200), sql`from pages where ${isDueToPublish(now)}`),
  },
  {
    name: 'post_due_topics',
    every: 1,
    isUrgent: true,
    budget: changing,
    run: ({ db, now }) => carryOut(db, postDueTopics(db, now), sql`from discussion_topics where ${isDueToPost(now)}`),
  },
  { name: 'signal_due_changes', every: 1, isUrgent: true, budget: signalling, run: signalDueChanges },
  { name: 'assign_peer_reviews', every: 1, budget: changing, run: ({ db, now }) => assignDueReviews(db, now) },
  {
    name: 'send_messages',
    every: 1,
    isUrgent: true,
    budget: { statements: 2000, rows: 500_000, ms: 120 * second },
    run: ({ env, db, now }) => createNotificationMessages(env, db, now),
  },
  {
    name: 'settle_merges',
    every: 1,
    budget: { statements: 5000, rows: 500_000, ms: 120 * second },
    run: ({ db, now }) => settleMerges(db, now),
  },
  {
    name: 'close_overdue_attempts',
    every: 1,
    budget: { statements: 1000, rows: 100_000, ms: 60 * second },
    run: ({ db, now }) => closeOverdueAttempts(db, now),
  },
  { name: 'apply_late_policies', every: 1, budget: changing, run: ({ db, now }) => applyLatePolicies(db, now) },
  { name: 'remove_grade_statuses', every: 1, budget: changing, run: ({ db, now }) => removeDeletedStatuses(db, now) },
  { name: 'compute_scores', every: 1, budget: changing, run: ({ db }) => computeStoredScores(db) },
  { name: 'resume_conversation_batches', every: 1, budget: small, run: ({ env, db, now }) => whole(resumeBatches(env, db, now)) },
  { name: 'resume_sis_imports', every: 1, budget: small, run: ({ env, db, now }) => whole(resumeImports(env, db, now)) },
  {
    name: 'resume_reports_and_copies',
    every: 1,
    budget: small,
    run: ({ env, db, now }) =>
      whole(
        resume(
          [
            unfinishedReports,
            unfinishedCopies,
            unfinishedMigrations,
            unfinishedSyncs,
            unfinishedPageViewQueries,
            unfinishedPosting,
            unfinishedGrading,
            unfinishedRubricImports,
            unfinishedOutcomeImports,
            unfinishedExports,
            unfinishedContentExports,
            unfinishedBooks,
            unfinishedQuizReports,
            unfinishedNewQuizReports,
            unfinishedRegrades,
            unfinishedQuizScores,
            unfinishedChecks,
            unfinishedApplications,
          ],
          env,
          db,
          now,
        ),
      ),
  },
  { name: 'send_webhooks', every: 1, budget: small, run: ({ env, db, now }) => whole(queueDeliveries(env, db, now)) },
  // Counts the events that wait, if they are many.
  {
    name: 'pause_overfull_webhooks',
    every: hour,
    budget: { ...counting, rows: 3_000_000 },
    run: ({ db, now }) => whole(pauseOverfull(db, now)),
  },
  { name: 'read_external_feeds', every: 1, budget: deleting, run: ({ env, db, now }) => readDueFeeds(env, db, now) },
  { name: 'move_page_views', every: 1, budget: storing, run: ({ env, db }) => whole(moveViews(env, db)) },
  { name: 'take_in_page_views', every: 1, budget: storing, run: ({ env, db, now }) => whole(takeInViews(env, db, now)) },
  { name: 'compact_page_views', every: 1, budget: storing, run: ({ env, db, now }) => whole(compactViews(env, db, now)) },
  { name: 'count_page_views', every: 4 * hour, budget: counting, run: ({ db }) => countViews(db) },
  { name: 'refresh_analytics', every: 5, budget: counting, run: ({ db, now }) => refreshAnalytics(db, now) },
  {
    name: 'refresh_account_analytics',
    every: 10,
    budget: { ...counting, rows: 3_000_000 },
    run: ({ db, now }) => refreshAccounts(db, now),
  },
  { name: 'delete_old_page_views', every: 1, budget: deleting, run: ({ env, db, now }) => whole(forgetViews(env, db, now)) },
  {
    name: 'delete_old_page_view_queries',
    every: hour,
    budget: deleting,
    run: ({ env, db, now }) => whole(forgetPageViewQueries(env, db, now)),
  },
  { name: 'delete_unregistered_page_views', every: hour, budget: small, run: ({ env, now }) => whole(forgetUnregisteredViews(env, now)) },
  { name: 'expire_content_migrations', every: 10, budget: changing, run: ({ db, now }) => expireMigrations(db, now) },
  { name: 'abort_expired_uploads', every: 10, budget: deleting, run: ({ env, db, now }) => whole(expireUploads(env, db, now)) },
  {
    name: 'archive_audit_logs',
    every: hour,
    budget: { statements: 100, rows: 1_000_000, ms: 120 * second },
    run: ({ env, db, now }) => archiveLogs(env, db, now),
  },
  { name: 'delete_unused_files', every: hour, budget: deleting, run: ({ env, db, now }) => collectBlobs(env, db, now) },
  { name: 'delete_old_sis_imports', every: hour, budget: changing, run: ({ db, now }) => forgetImports(db, now) },
  { name: 'delete_old_log_marks', every: hour, budget: deleting, run: ({ db, now }) => forgetMarks(db, now) },
  { name: 'delete_old_deletions_of_the_log', every: hour, budget: deleting, run: ({ db, now }) => forgetTombstones(db, now) },
  { name: 'delete_old_merge_records', every: hour, budget: deleting, run: ({ db, now }) => forgetMergedItems(db, now) },
  { name: 'delete_unused_applications', every: hour, budget: deleting, run: ({ db, now }) => forgetUnusedApplications(db, now) },
  deletes('delete_old_file_versions', versionRetention),
  deletes('delete_old_messages', messageRetention),
  deletes('delete_old_idempotency_keys', keyRetention),
  deletes('delete_expired_login_throttles', loginThrottleRetention),
  deletes('delete_expired_sessions', sessionRetention),
  deletes('delete_expired_password_resets', resetRetention),
  deletes('delete_expired_pairing_codes', codeRetention),
  deletes('delete_expired_grants', ...grantRetentions, launchRetention),
  { name: 'rotate_tool_keys', every: 24 * hour, budget: small, run: ({ env, db, now }) => rotateKeys({ env, db, now }) },
  deletes('delete_old_failed_jobs', deadLetterRetention),
  deletes('delete_old_progress', progressRetention),
  deletes('delete_old_gradebook_files', pieceRetention, ...uploadRetentions),
  { name: 'delete_old_export_files', every: hour, budget: deleting, run: ({ db, now }) => expireExports(db, now) },
  deletes('delete_old_content_exports', exportPieceRetention, exportRetention, shareRetention),
  deletes('delete_old_request_counts', countRetention),
  deletes('delete_old_activity', ...activityRetentions),
  deletes('delete_old_webhook_deliveries', webhookRetention),
  deletes('delete_old_error_reports', errorReportRetention),
];

/** Queues what is due. @param at the minute of the tick */
export const queueChores = (env: Platform, at: number): Promise<void> => queueDueChores(scheduledChores, env, at);
/** Carries out the message of a chore. */
export const choreJob = (job: Job, env: Platform): Promise<void> => runQueuedChore(scheduledChores, job, env);
/** Runs everything that is due at once, without the queue. @param at the minute of the tick */
export const tick = (env: Platform, at: number): Promise<void> => runChores(scheduledChores, env, at);
