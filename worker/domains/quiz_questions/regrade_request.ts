// Queues the regrading of a question whose key has changed, in the batch of the change.

import { sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import type { Statement } from '../../database/open';
import { randomText } from '../../database/tokens';
import type { Call } from '../../http/call';
import { invalid } from '../../http/problem';
import { queueProgress } from '../progress/progress';
import { progress } from '../progress/table';
import { type QuestionRegrade, type quiz_questions, regradeOptions } from './table';
import type { QuestionGiven } from './types/input';

export const regradeJob = 'quiz_regrade';

/** The input of the job. */
export interface RegradeRequest {
  readonly quiz_id: number;
  readonly question_id: number;
  readonly option: QuestionRegrade['option'];
  /** The version with the new key. */
  readonly version: number;
  /** Account admins also change grades of closed grading periods. */
  readonly isAdmin: boolean;
  readonly mark: string;
}

const byKey = new Set([
  'multiple_choice_question',
  'true_false_question',
  'missing_word_question',
  'multiple_answers_question',
  'short_answer_question',
  'fill_in_multiple_blanks_question',
  'multiple_dropdowns_question',
  'matching_question',
  'numerical_question',
  'calculated_question',
]);

type Question = Pick<typeof quiz_questions.$inferSelect, 'question_type'>;

/**
 * How to regrade; undefined if the request does not ask for it.
 * @throws Problem 400 for questions that no key scores, before or after the change
 */
export function regradeAsked(given: QuestionGiven, before: Question, after: Question): QuestionRegrade['option'] | undefined {
  const option = regradeOptions.find((one) => one === given.regrade_option);
  if (option && (before.question_type !== after.question_type || !byKey.has(after.question_type)))
    throw invalid('regrade_option', 'invalid', 'is not available for this question');
  return option;
}

type Around = Pick<Call, 'db' | 'env' | 'me' | 'now' | 'afterwards'> & { readonly course: CourseContext };

/** Statements after that of the change, which keep the new version and queue the job. If its message is lost, the scheduled run sends another. */
export function queueRegrade(around: Around, request: Omit<RegradeRequest, 'mark' | 'isAdmin'>): Statement[] {
  const { db, env, me, course, now, afterwards } = around;
  const mark = randomText(40);
  const isQueued = sql`${progress.context_type} = 'Quiz' and ${progress.context_id} = ${request.quiz_id} and ${progress.arguments} ->> '$.mark' = ${mark}`;
  afterwards(async () => {
    const [[made]] = await db.aside.perform([db.build.select({ id: progress.id }).from(progress).where(isQueued)]);
    if (made) await env.WORK.send({ job: regradeJob, progress_id: made.id });
  });
  return [
    db.build.run(sql`insert or ignore into quiz_question_versions (question_id, version, content, created_at)
      select q.id, q.version, json_object('question_name', q.question_name, 'question_type', q.question_type, 'question_text', q.question_text, 'data', json(q.data)), ${now}
      from quiz_questions q where q.id = ${request.question_id}`),
    queueProgress(
      db,
      {
        context_type: 'Quiz',
        context_id: request.quiz_id,
        user_id: me.id,
        tag: regradeJob,
        arguments: { ...request, isAdmin: course.isAdmin, mark },
      },
      now,
    ),
  ];
}
