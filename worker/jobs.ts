// Work that takes time: one handler per name. Delivery is at least once, so every handler may be called again for work that is done.

import { sendLetters } from './domains/comm_messages/job';
import { sendBatch } from './domains/conversations/job';
import { updateCourses } from './domains/courses/job';
import { enrollMany } from './domains/enrollments/job';
import { fetchUpload } from './domains/files/job';
import { assignMembers } from './domains/group_categories/job';
import { runReport } from './domains/reports/job';
import { runImports } from './domains/sis_imports/job';
import { restoreStates } from './domains/sis_imports/restore';
import { removeUsers } from './domains/users/job';
import type { Job, Platform } from './platform';

type Handler = (job: Job, env: Platform) => Promise<void>;

const handlers: Readonly<Record<string, Handler>> = {
  conversation_batch: sendBatch,
  remove_users: removeUsers,
  send_letters: sendLetters,
  upload_via_url: fetchUpload,
  course_batch_update: updateCourses,
  bulk_enrollment: enrollMany,
  assign_unassigned_members: assignMembers,
  account_report: runReport,
  sis_import: runImports,
  sis_restore: restoreStates,
};

/** Each message on its own: one that fails is tried again, later each time, and ends in the dead-letter queue. */
export async function work(batch: MessageBatch<Job>, env: Platform): Promise<void> {
  for (const message of batch.messages) {
    const handler = handlers[message.body.job];
    if (!handler) {
      console.error(JSON.stringify({ job: message.body.job, error: 'no handler of this name' }));
      message.retry({ delaySeconds: 3600 });
      continue;
    }
    try {
      await handler(message.body, env);
      message.ack();
    } catch (error) {
      console.error(JSON.stringify({ ...message.body, attempt: message.attempts, error: String(error) }));
      message.retry({ delaySeconds: Math.min(3600, 2 ** message.attempts) });
    }
  }
}
