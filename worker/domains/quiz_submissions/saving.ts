// Saves answers and flags of a running attempt.

import { type SQL, sql } from 'drizzle-orm';
import type { Statement } from '../../database/open';
import type { Call } from '../../http/call';
import { rejected } from '../../http/problem';
import type { AnswerMap, ReadAnswer, SavedAnswer } from './answers/saved_answer';
import type { QuizSubmissionRow } from './json';
import { quiz_attempts } from './table';

export interface SavedQuestion {
  readonly id: number;
  readonly read: Exclude<ReadAnswer, { readonly error: string }>;
}

/** The stored answer after a save; parts of it may stay. */
export function mergedAnswer(before: SavedAnswer, { answer, merges }: SavedQuestion['read']): SavedAnswer {
  if (!merges) return answer;
  const kept = typeof before === 'object' && before !== null && !Array.isArray(before) ? (before as AnswerMap) : {};
  const parts = Object.entries({ ...kept, ...(answer as AnswerMap) }).filter(([, part]) => part !== null);
  return Object.fromEntries(parts);
}

type Attempted = Pick<QuizSubmissionRow, 'id' | 'attempt'>;
type Around = Pick<Call, 'db' | 'now'>;

/** Breaks the batch if the attempt is no longer running. */
const stillRunning = ({ db }: Around, { id, attempt }: Attempted): Statement =>
  db.build.run(
    sql`update quiz_submissions set validation_token = null where id = ${id} and not (attempt = ${attempt} and finished_at is null and workflow_state in ('untaken', 'preview'))`,
  );

export const saveRefusals = { 'quiz_submissions.validation_token': () => rejected('quiz submission is already complete') };

/** Answers that differ from what is stored, so that a repeated save writes nothing. */
const changes = ({ id, attempt }: Attempted, saved: readonly SavedQuestion[]): SQL => {
  const given = saved.map(({ id: question, read }) => ({
    id: question,
    answer: read.answer === null ? null : JSON.stringify(read.answer),
    merges: read.merges ? 1 : 0,
  }));
  return sql`select now_given.question_id, now_given.answer from (
      select j.value ->> 'id' as question_id, stored.answer as before,
        iif(j.value ->> 'merges', json_patch(coalesce(stored.answer, '{}'), j.value ->> 'answer'), j.value ->> 'answer') as answer
      from json_each(${JSON.stringify(given)}) j
      left join quiz_answers stored on stored.quiz_submission_id = ${id} and stored.attempt = ${attempt} and stored.question_id = j.value ->> 'id') now_given
    where now_given.answer is not now_given.before`;
};

export function saveAnswers(call: Around, submission: Attempted, saved: readonly SavedQuestion[]): Statement[] {
  if (saved.length === 0) return [stillRunning(call, submission)];
  const { db, now } = call;
  const { id, attempt } = submission;
  return [
    stillRunning(call, submission),
    db.build.run(
      sql`insert into quiz_submission_events (quiz_submission_id, attempt, event_type, event_data, created_at)
        select ${id}, ${attempt}, 'question_answered', data, ${now} from (
          select json_group_array(json_object('quiz_question_id', changed.question_id, 'answer', json(changed.answer))) as data, count(*) as found
          from (${changes(submission, saved)}) changed) where found > 0`,
    ),
    db.build.run(
      sql`insert into quiz_answers (quiz_submission_id, attempt, question_id, answer, flagged, saved_at)
        select ${id}, ${attempt}, changed.question_id, changed.answer, 0, ${now} from (${changes(submission, saved)}) changed where true
        on conflict (quiz_submission_id, attempt, question_id) do update set answer = excluded.answer, saved_at = excluded.saved_at`,
    ),
  ];
}

/** Shows the question at a place from now on. */
export const reachQuestion = ({ db, now }: Around, { id, attempt }: Attempted, place: number): Statement[] => [
  stillRunning({ db, now }, { id, attempt }),
  db.build
    .update(quiz_attempts)
    .set({ reached: place, updated_at: now })
    .where(sql`quiz_submission_id = ${id} and attempt = ${attempt} and reached < ${place}`),
];

export function flagQuestion(call: Around, submission: Attempted, question: number, flagged: boolean): Statement[] {
  const { db, now } = call;
  return [
    stillRunning(call, submission),
    db.build.run(
      sql`insert into quiz_answers (quiz_submission_id, attempt, question_id, answer, flagged, saved_at)
        values (${submission.id}, ${submission.attempt}, ${question}, null, ${flagged ? 1 : 0}, ${now})
        on conflict (quiz_submission_id, attempt, question_id) do update set flagged = excluded.flagged where flagged <> excluded.flagged`,
    ),
  ];
}
