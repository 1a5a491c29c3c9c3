// Scheduled work, once a minute: applies due changes and deletes expired data.

import { batch, runChores, type ScheduledChore } from './chores';
import { forgetLoginThrottles } from './contexts/login_throttle';
import { forgetKeys, forgetMarks, forgetTombstones } from './database/forget';
import { unfinishedSyncs } from './domains/blueprint_templates/job';
import { createNotificationMessages } from './domains/comm_messages/job';
import { resumeBatches } from './domains/conversations/sending/job';
import { passDueDates } from './domains/course_assignments/position_walk';
import { unfinishedCopies } from './domains/course_copy/job';
import { postDueTopics } from './domains/discussion_topics/writes';
import { readDueFeeds } from './domains/external_feeds/job';
import { collectBlobs, forgetVersions } from './domains/files/collect';
import { forgetDeadLetters } from './domains/jobs/dead_letters';
import { forgetResets } from './domains/login/forgotten';
import { forgetSessions } from './domains/login/opening';
import { forgetGrants } from './domains/oauth2/forget';
import { compactViews } from './domains/page_views/compact';
import { forgetUnregisteredViews, forgetViews } from './domains/page_views/forget';
import { moveViews } from './domains/page_views/move';
import { forgetPageViewQueries } from './domains/page_views/queries/forget';
import { unfinishedPageViewQueries } from './domains/page_views/queries/job';
import { takeInViews } from './domains/page_views/take_in';
import { unfinishedReports } from './domains/reports/job';
import { forgetCounts } from './domains/request_counts/forget';
import { forgetImports } from './domains/sis_imports/forget';
import { resumeImports } from './domains/sis_imports/job';
import { expireUploads } from './domains/sync/uploads/expire';
import { forgetMergedItems, settleMerges } from './domains/user_merges/merge';
import { forgetCodes } from './domains/users/observers/pairing';
import type { Platform } from './platform';
import { publishDuePages } from './rules/pages/rows';
import { resume } from './steps';

const hour = 60;

/** In the order in which they run: what falls due comes before the messages about it. */
export const scheduledChores: readonly ScheduledChore[] = [
  batch('pass_due_dates', 1, passDueDates),
  batch('publish_due_pages', 1, publishDuePages),
  batch('post_due_topics', 1, postDueTopics),
  { name: 'settle_merges', every: 1, run: ({ db, now }) => settleMerges(db, now) },
  { name: 'resume_conversation_batches', every: 1, run: ({ env, db, now }) => resumeBatches(env, db, now) },
  { name: 'resume_sis_imports', every: 1, run: ({ env, db, now }) => resumeImports(env, db, now) },
  {
    name: 'resume_reports_and_copies',
    every: 1,
    run: ({ env, db, now }) => resume([unfinishedReports, unfinishedCopies, unfinishedSyncs, unfinishedPageViewQueries], env, db, now),
  },
  { name: 'read_external_feeds', every: 1, run: ({ env, db, now }) => readDueFeeds(env, db, now) },
  { name: 'send_messages', every: 1, run: ({ env, db, now }) => createNotificationMessages(env, db, now) },
  // These delete a limited number of rows at a time.
  { name: 'delete_unused_files', every: 1, run: ({ env, db, now }) => collectBlobs(env, db, now) },
  { name: 'abort_expired_uploads', every: 10, run: ({ env, db, now }) => expireUploads(env, db, now) },
  batch('delete_old_file_versions', 1, forgetVersions),
  batch('delete_old_log_marks', 1, forgetMarks),
  { name: 'move_page_views', every: 1, run: ({ env, db }) => moveViews(env, db) },
  { name: 'take_in_page_views', every: 1, run: ({ env, db, now }) => takeInViews(env, db, now) },
  { name: 'compact_page_views', every: 1, run: ({ env, db, now }) => compactViews(env, db, now) },
  { name: 'delete_old_page_views', every: 1, run: ({ env, db, now }) => forgetViews(env, db, now) },
  { name: 'delete_old_page_view_queries', every: hour, run: ({ env, db, now }) => forgetPageViewQueries(env, db, now) },
  { name: 'delete_unregistered_page_views', every: hour, run: ({ env, now }) => forgetUnregisteredViews(env, now) },
  batch('delete_old_sis_imports', 1, forgetImports),
  batch('delete_old_idempotency_keys', hour, forgetKeys),
  batch('delete_old_deletions_of_the_log', hour, forgetTombstones),
  batch('delete_expired_login_throttles', hour, forgetLoginThrottles),
  batch('delete_expired_sessions', hour, forgetSessions),
  batch('delete_expired_password_resets', hour, forgetResets),
  batch('delete_expired_pairing_codes', hour, forgetCodes),
  batch('delete_old_merge_records', hour, forgetMergedItems),
  batch('delete_expired_grants', hour, forgetGrants),
  batch('delete_old_failed_jobs', hour, forgetDeadLetters),
  batch('delete_old_request_counts', hour, forgetCounts),
];

/** @param at the minute of the tick */
export const tick = (env: Platform, at: number): Promise<void> => runChores(scheduledChores, env, at);
