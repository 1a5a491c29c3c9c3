// Background jobs, one handler per name. They are delivered at least once, so handlers must be idempotent.

import { wireTime } from '@carrel/shared/wire/fields';
import { lookUp } from '@carrel/shared/wire/look_up';
import { newMeter, open } from './database/open';
import { syncBlueprint } from './domains/blueprint_templates/job';
import { sendNotificationMessages } from './domains/comm_messages/job';
import { exportContent } from './domains/content_exports/job';
import { migrateContent } from './domains/content_migrations/job';
import { sendBatch } from './domains/conversations/sending/job';
import { copyCourse } from './domains/course_copy/job';
import { updateCourses } from './domains/courses/job';
import { enrollMany } from './domains/enrollments/bulk/job';
import { writeBook } from './domains/epub_exports/job';
import { readFeeds } from './domains/external_feeds/job';
import { fetchUpload } from './domains/files/upload/job';
import { exportGradebook } from './domains/gradebook_csv/exports/export_job';
import { applyGradebook } from './domains/gradebook_csv/uploads/apply_job';
import { checkGradebook } from './domains/gradebook_csv/uploads/check_job';
import { assignMembers } from './domains/group_categories/job';
import { type FailedJob, storeDeadLetter } from './domains/jobs/dead_letters';
import { writeNewQuizReport } from './domains/new_quizzes/reports/report_job';
import { importOutcomes } from './domains/outcomes/imports/job';
import { takeInMore } from './domains/page_views/job';
import { runPageViewQuery } from './domains/page_views/queries/job';
import { writeQuizReport } from './domains/quiz_reports/job';
import { regradeQuestion } from './domains/quiz_submissions/regrading/job';
import { gradeNewAssignment } from './domains/quiz_submissions/regrading/scores_for_assignment';
import { runReport } from './domains/reports/job';
import { importRubrics } from './domains/rubrics/imports/job';
import { runImports } from './domains/sis_imports/job';
import { restoreStates } from './domains/sis_imports/restore';
import { updateGrades } from './domains/submissions/grading/bulk_job';
import { postGrades } from './domains/submissions/posting/posting';
import { submitFetched } from './domains/submissions/submit/fetched_job';
import { removeUsers } from './domains/users/job';
import { deliverWebhooks } from './domains/webhooks/deliver';
import type { Job, Platform } from './platform';
import { choreJob } from './schedule';

type Handler = (job: Job, env: Platform) => Promise<void>;

const handlers: Readonly<Record<string, Handler>> = {
  conversation_batch: sendBatch,
  remove_users: removeUsers,
  send_letters: sendNotificationMessages,
  upload_via_url: fetchUpload,
  submit_fetched: submitFetched,
  read_external_feeds: readFeeds,
  course_batch_update: updateCourses,
  bulk_enrollment: enrollMany,
  assign_unassigned_members: assignMembers,
  account_report: runReport,
  page_view_query: runPageViewQuery,
  take_in_page_views: takeInMore,
  rubric_import: importRubrics,
  outcome_import: importOutcomes,
  sis_import: runImports,
  sis_restore: restoreStates,
  course_copy: copyCourse,
  content_migration: migrateContent,
  blueprint_sync: syncBlueprint,
  post_grades: postGrades,
  update_grades: updateGrades,
  new_quiz_report: writeNewQuizReport,
  content_export: exportContent,
  epub_export: writeBook,
  gradebook_export: exportGradebook,
  quiz_report: writeQuizReport,
  quiz_regrade: regradeQuestion,
  quiz_scores: gradeNewAssignment,
  gradebook_check: checkGradebook,
  gradebook_apply: applyGradebook,
  deliver_webhooks: deliverWebhooks,
  chore: choreJob,
};

/** The first attempt and the five retries of wrangler.toml. */
const tries = 6;

async function give(up: FailedJob, env: Platform): Promise<void> {
  const db = open(env.DB, newMeter(), 'first-primary');
  await db.perform(storeDeadLetter(db, up, wireTime(Date.now())));
}

type Delivery = Message<Job>;

/** A failed message is retried with growing delays, and after the last attempt stored in the dead-letter table with its error. */
async function consume(message: Delivery, env: Platform): Promise<void> {
  try {
    const handler = lookUp(handlers, message.body.job);
    if (!handler) throw new Error('unknown job; a newer version of the service may support it');
    await handler(message.body, env);
    message.ack();
  } catch (error) {
    console.error(JSON.stringify({ ...message.body, attempt: message.attempts, error: String(error) }));
    const isLast = message.attempts >= tries;
    // If even that fails, the queue moves the message to the dead-letter queue.
    const isKept =
      isLast &&
      (await give({ id: message.id, body: message.body, attempts: message.attempts, error: String(error) }, env).then(
        () => true,
        () => false,
      ));
    if (isKept) message.ack();
    else message.retry({ delaySeconds: lookUp(handlers, message.body.job) ? Math.min(3600, 2 ** message.attempts) : 3600 });
  }
}

async function inOrder(messages: readonly Delivery[], env: Platform): Promise<void> {
  for (const message of messages) await consume(message, env);
}

/** Sends a chore again, so that it runs in another invocation. */
async function passOn(message: Delivery, env: Platform, delaySeconds: number): Promise<void> {
  try {
    await env.WORK.send(message.body, { delaySeconds });
    message.ack();
  } catch {
    message.retry({ delaySeconds });
  }
}

/** Jobs one by one. Of several chores only the first is carried out, beside the jobs: each has an invocation with its own limits. */
export async function consumeBatch(batch: MessageBatch<Job>, env: Platform): Promise<void> {
  const isChore = ({ body }: Delivery) => body.job === 'chore';
  const [chore, ...others] = batch.messages.filter(isChore);
  const jobs = batch.messages.filter((message) => !isChore(message));
  await Promise.all([chore && consume(chore, env), ...others.map((message, nth) => passOn(message, env, 2 * nth + 1)), inOrder(jobs, env)]);
}

/** The dead-letter queue: jobs that ended without an error because the Worker was stopped each time. */
export async function layToRest(batch: MessageBatch<Job>, env: Platform): Promise<void> {
  for (const { id, body } of batch.messages) await give({ id, body, attempts: tries, error: null }, env);
  batch.ackAll();
}
