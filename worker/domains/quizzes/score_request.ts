// Queues the scores of a quiz for its new assignment, in the batch that makes the assignment.

import { sql } from 'drizzle-orm';
import type { Statement } from '../../database/open';
import { randomText } from '../../database/tokens';
import type { Call } from '../../http/call';
import { queueProgress } from '../progress/progress';
import { progress } from '../progress/table';

export const quizScoresJob = 'quiz_scores';

/** The input of the job. */
export interface QuizScoresRequest {
  readonly quiz_id: number;
}

/** If the message is lost, the scheduled run sends another. */
export function queueQuizScores({ db, env, me, now, afterwards }: Pick<Call, 'db' | 'env' | 'me' | 'now' | 'afterwards'>, quiz_id: number) {
  const mark = randomText(40);
  const isQueued = sql`${progress.context_type} = 'Quiz' and ${progress.context_id} = ${quiz_id} and ${progress.arguments} ->> '$.mark' = ${mark}`;
  afterwards(async () => {
    const [[made]] = await db.aside.perform([db.build.select({ id: progress.id }).from(progress).where(isQueued)]);
    if (made) await env.WORK.send({ job: quizScoresJob, progress_id: made.id });
  });
  const request = { context_type: 'Quiz', context_id: quiz_id, user_id: me.id, tag: quizScoresJob, arguments: { quiz_id, mark } };
  return [queueProgress(db, request, now)] satisfies Statement[];
}
