// Extensions: more attempts or time for students, in one quiz or all of a course (reference 04 §7.1).

import { bool, idField, int, listOf, maybe, object, optional, type Shape } from '@carrel/shared/wire/fields';
import { and, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../../contexts/course';
import type { Call } from '../../../http/call';
import { notFound, rejected } from '../../../http/problem';
import { answer, type Reply, write } from '../../../http/reply';
import { isStudentHere } from '../../peer_reviews/policy';
import { quizzes } from '../../quizzes/table';
import { extendedEnd } from '../attempt_time';
import type { QuizSubmissionRow } from '../json';
import { quiz_submissions } from '../table';

const fields = {
  user_id: idField('user'),
  extra_attempts: optional(maybe(int)),
  extra_time: optional(maybe(int)),
  manually_unlocked: optional(bool),
  extend_from_now: optional(maybe(int)),
  extend_from_end_at: optional(maybe(int)),
};
export const extensionParams = { quiz_extensions: optional(listOf(object(fields))) };
type Extension = Shape<typeof fields>;

const limits = [
  ['extra_attempts', 1000],
  ['extra_time', 10_080],
  ['extend_from_now', 1440],
  ['extend_from_end_at', 1440],
] as const;

/** @throws Problem 400 for a value out of range */
function checkExtension(given: Extension): void {
  for (const [name, most] of limits) {
    const value = given[name] ?? 0;
    if (value < 0 || value > most) throw rejected(`${name} must be between 0 and ${most}`);
  }
  if (given.extend_from_now != null && given.extend_from_end_at != null)
    throw rejected('extend_from_now and extend_from_end_at are mutually exclusive');
}

interface Extended {
  readonly quiz_id: number;
  readonly user_id: number;
  readonly extra_attempts: number | null;
  readonly extra_time: number | null;
  readonly manually_unlocked: boolean | null;
  readonly end_at: string | null;
}

/** What an extension makes of a student's state in a quiz. Values that are not given stay. */
export function extended(quiz_id: number, before: QuizSubmissionRow | undefined, given: Extension, now: string): Extended {
  const isRunning = before?.workflow_state === 'untaken';
  const extra_time = given.extra_time === undefined ? (before?.extra_time ?? null) : given.extra_time;
  return {
    quiz_id,
    user_id: given.user_id,
    extra_attempts: given.extra_attempts === undefined ? (before?.extra_attempts ?? null) : given.extra_attempts,
    extra_time,
    manually_unlocked: given.manually_unlocked ?? before?.manually_unlocked ?? null,
    end_at: isRunning
      ? extendedEnd(
          {
            end_at: before.end_at,
            added: (extra_time ?? 0) - (before.extra_time ?? 0),
            extend_from_now: given.extend_from_now ?? undefined,
            extend_from_end_at: given.extend_from_end_at ?? undefined,
          },
          now,
        )
      : (before?.end_at ?? null),
  };
}

/** Students and quizzes of one request. */
const mostExtensions = 5000;

/** @param which a condition on `quizzes` @param isOne it names one quiz @throws Problem 404 for a user who is no student of the caller, or an unknown quiz */
export async function extendQuizzes(
  call: Pick<Call, 'db' | 'now'> & { readonly course: CourseContext },
  which: SQL | undefined,
  given: readonly Extension[] | undefined,
  isOne = false,
): Promise<Reply> {
  if (!given || given.length === 0) throw rejected('missing required key :quiz_extensions');
  for (const one of given) checkExtension(one);
  const { db, course, now } = call;
  const asked = JSON.stringify([...new Set(given.map(({ user_id }) => user_id))]);
  const chosen = sql`select quizzes.id from quizzes where ${which}`;
  const [quizRows, students, before] = await db.perform([
    db.build.select({ id: quizzes.id }).from(quizzes).where(which),
    db.build.all<{ id: number }>(
      sql`select j.value as id from json_each(${asked}) j where ${isStudentHere({ course }, sql.raw('j.value'))}`,
    ),
    db.build
      .select()
      .from(quiz_submissions)
      .where(
        and(sql`${quiz_submissions.quiz_id} in (${chosen})`, sql`${quiz_submissions.user_id} in (select value from json_each(${asked}))`),
      ),
  ]);
  if (isOne && quizRows.length === 0) throw notFound();
  const known = new Set(students.map(({ id }) => id));
  if (given.some(({ user_id }) => !known.has(user_id))) throw notFound();
  if (quizRows.length * given.length > mostExtensions) throw rejected('too many students and quizzes at once');
  const all = quizRows.flatMap(({ id }) =>
    given.map((one) =>
      extended(
        id,
        before.find((row) => row.quiz_id === id && row.user_id === one.user_id),
        one,
        now,
      ),
    ),
  );
  const text = JSON.stringify(all);
  const running = sql`quiz_submissions.workflow_state = 'untaken' and quiz_submissions.end_at is not null`;
  return write(
    [
      db.build.run(sql`insert into quiz_submissions (quiz_id, course_id, user_id, attempt, extra_attempts, extra_time, manually_unlocked, validation_token, workflow_state, created_at, updated_at)
        select j.value ->> 'quiz_id', ${course.id}, j.value ->> 'user_id', 0, j.value ->> 'extra_attempts', j.value ->> 'extra_time', j.value ->> 'manually_unlocked',
          lower(hex(randomblob(32))), 'settings_only', ${now}, ${now} from json_each(${text}) j where true
        on conflict (quiz_id, user_id) do update set extra_attempts = excluded.extra_attempts, extra_time = excluded.extra_time,
          manually_unlocked = excluded.manually_unlocked, updated_at = excluded.updated_at`),
      db.build.run(sql`update quiz_submissions set end_at = j.value ->> 'end_at' from json_each(${text}) j
        where quiz_submissions.quiz_id = j.value ->> 'quiz_id' and quiz_submissions.user_id = j.value ->> 'user_id' and ${running}
          and j.value ->> 'end_at' is not null and quiz_submissions.end_at <> j.value ->> 'end_at'`),
      db.build.run(sql`update quiz_attempts set end_at = j.value ->> 'end_at' from json_each(${text}) j
        join quiz_submissions on quiz_submissions.quiz_id = j.value ->> 'quiz_id' and quiz_submissions.user_id = j.value ->> 'user_id'
        where quiz_attempts.quiz_submission_id = quiz_submissions.id and quiz_attempts.attempt = quiz_submissions.attempt and ${running}
          and quiz_attempts.end_at is not quiz_submissions.end_at`),
    ],
    answer({ quiz_extensions: all }),
  );
}
