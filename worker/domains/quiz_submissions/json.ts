// Quiz submissions as clients see them.

import { QuizSubmission } from '@carrel/shared/resources/quiz_submission';
import { type SQL, sql } from 'drizzle-orm';
import { isInSelect } from '../../database/ids';
import type { Call } from '../../http/call';
import { type RowOf, rows } from '../../http/listing';
import { embed, type Serializer, serializer } from '../../http/serializer';
import { when } from '../../http/when';
import { isHiddenSql } from '../../rules/posted';
import { submissionId } from '../../rules/submission_ids';
import type { QuizRow } from '../quizzes/json';
import { quiz } from '../quizzes/json';
import { quizzes } from '../quizzes/table';
import { submissionAlone } from '../submissions/json';
import { submissions } from '../submissions/table';
import { shownUser } from '../users/json';
import { users } from '../users/table';
import { isAttemptOver, timeSpent } from './attempt_time';
import { attemptsLeft } from './attempts_left';
import { showsResults } from './shown_results';
import { quiz_submissions } from './table';

export type QuizSubmissionRow = RowOf<typeof quiz_submissions>;

export const quizSubmissionIncludes = ['submission', 'quiz', 'user'] as const;

type Settings = Pick<
  QuizRow,
  | 'allowed_attempts'
  | 'assignment_id'
  | 'hide_results'
  | 'one_time_results'
  | 'show_correct_answers'
  | 'show_correct_answers_last_attempt'
  | 'show_correct_answers_at'
  | 'hide_correct_answers_at'
  | 'anonymous_submissions'
>;

/** Whether the grade of a quiz is not posted to its student. @param user the student */
export const isGradeHidden = (assignment: SQL, user: SQL): SQL<number> =>
  sql<number>`coalesce((select ${isHiddenSql('s', 'a')} from assignments a left join submissions s on s.assignment_id = a.id and s.user_id = ${user} where a.id = ${assignment}), 0)`;

/** @param isHidden the grade is not posted to the student */
export function quizSubmissionJson(
  row: QuizSubmissionRow & { readonly regraded_count?: number },
  settings: Settings,
  isHidden: boolean,
  { me, course, origin, now }: Pick<Call, 'me' | 'course' | 'origin' | 'now'>,
) {
  const isMine = row.user_id === me.id;
  // Observers see what their student sees.
  const isOfStudent = isMine || (course?.observedIds.includes(row.user_id) ?? false);
  const isRunning = row.finished_at === null && row.started_at !== null;
  const isAnonymous = settings.anonymous_submissions && settings.assignment_id === null && !isMine;
  const isTold = !isRunning && !(isHidden && isOfStudent);
  const page = `${origin}/courses/${row.course_id}/quizzes/${row.quiz_id}`;
  const isFinished = row.workflow_state === 'complete' || row.workflow_state === 'pending_review';
  return {
    ...row,
    user_id: isAnonymous ? null : row.user_id,
    submission_id: settings.assignment_id === null ? null : submissionId(settings.assignment_id, row.user_id),
    time_spent: timeSpent(row),
    score: isTold ? row.score : null,
    kept_score: isHidden && isOfStudent ? null : row.kept_score,
    score_before_regrade: isTold ? row.score_before_regrade : null,
    fudge_points: isTold ? row.fudge_points : null,
    validation_token: when(isMine, row.validation_token),
    attempts_left: attemptsLeft(settings.allowed_attempts, row),
    questions_regraded_since_last_attempt: isTold ? (row.regraded_count ?? 0) : 0,
    overdue_and_needs_submission: row.workflow_state === 'untaken' && isAttemptOver(row.end_at, now),
    html_url: `${page}/submissions/${row.id}`,
    result_url: when(
      isFinished && (!isOfStudent || (!isHidden && showsResults(settings, row))),
      `${page}/history?quiz_submission_id=${row.id}&version=${row.attempt}`,
    ),
  };
}

interface Beside {
  readonly quiz_settings: string;
  readonly is_grade_hidden: number;
  readonly regraded_count: number;
}

const settingNames = [
  'allowed_attempts',
  'assignment_id',
  'hide_results',
  'one_time_results',
  'show_correct_answers',
  'show_correct_answers_last_attempt',
  'show_correct_answers_at',
  'hide_correct_answers_at',
  'anonymous_submissions',
] as const satisfies readonly (keyof Settings)[];

/** SQLite has numbers for booleans. */
function settingsOf(text: string): Settings {
  const given = JSON.parse(text) as Settings;
  return {
    ...given,
    one_time_results: Boolean(given.one_time_results),
    show_correct_answers: Boolean(given.show_correct_answers),
    show_correct_answers_last_attempt: Boolean(given.show_correct_answers_last_attempt),
    anonymous_submissions: Boolean(given.anonymous_submissions),
  };
}

const ofQuiz = (value: SQL): SQL => sql`(select ${value} from quizzes q where q.id = quiz_submissions.quiz_id)`;
const settings = sql.raw(`json_object(${settingNames.map((name) => `'${name}', q.${name}`).join(', ')})`);
const assignment = ofQuiz(sql.raw('q.assignment_id'));

export type QuizSubmissionInLists = QuizSubmissionRow & Beside;

export const quizSubmission: Serializer<QuizSubmissionInLists, typeof QuizSubmission> = serializer({
  resource: QuizSubmission,
  table: quiz_submissions,
  columns: () => ({
    quiz_settings: ofQuiz(settings).as('quiz_settings'),
    is_grade_hidden: isGradeHidden(assignment, sql.raw('quiz_submissions.user_id')).as('is_grade_hidden'),
    regraded_count:
      sql<number>`iif(quiz_submissions.score_before_regrade is null, 0, (select count(*) from quiz_attempts tried cross join json_each(tried.results) result
      where tried.quiz_submission_id = quiz_submissions.id and tried.attempt = quiz_submissions.attempt and result.value ->> 'is_regraded'))`.as(
        'regraded_count',
      ),
  }),
  also: (ids, call) => {
    const { include } = call;
    const its = (column: string) =>
      sql`select ${sql.raw(column)} from quiz_submissions where ${isInSelect(sql.raw('quiz_submissions.id'), ids)}`;
    return {
      users: include.has('user') ? embed(shownUser, rows(users, { where: isInSelect(users.id, its('user_id')) })) : undefined,
      quizzes: include.has('quiz') ? embed(quiz, rows(quizzes, { where: isInSelect(quizzes.id, its('quiz_id')) })) : undefined,
      submissions: include.has('submission')
        ? embed(
            submissionAlone,
            rows(submissions, {
              where: sql`submissions.id in (select q.assignment_id * 67108864 + own.user_id from quiz_submissions own join quizzes q on q.id = own.quiz_id where ${isInSelect(sql.raw('own.id'), ids)} and q.assignment_id is not null)`,
            }),
          )
        : undefined,
    };
  },
  json(row: QuizSubmissionInLists, call, { users: people, quizzes: its, submissions: handed }) {
    const json = quizSubmissionJson(row, settingsOf(row.quiz_settings), row.is_grade_hidden === 1, call);
    return {
      ...json,
      user: json.user_id === null ? undefined : people?.find((one) => one.row.id === row.user_id)?.json,
      quiz: its?.find((one) => one.row.id === row.quiz_id)?.json,
      submission: handed?.find((one) => one.row.id === json.submission_id)?.json,
    };
  },
});

type Listed = {
  readonly user?: { readonly id: number };
  readonly quiz?: { readonly id: number };
  readonly submission?: { readonly id: number };
};

const once = <T extends { readonly id: number }>(all: readonly (T | undefined)[]): T[] => [
  ...new Map(all.filter((one): one is T => one !== undefined).map((one) => [one.id, one])).values(),
];

/** The body of lists: included objects are beside the quiz submissions. */
export const quizSubmissionsBody =
  ({ include }: { readonly include: ReadonlySet<string> }) =>
  (page: readonly unknown[]): object => {
    const listed = page as readonly Listed[];
    return {
      quiz_submissions: listed.map(({ user: _user, quiz: _quiz, submission: _submission, ...rest }) => rest),
      ...(include.has('submission') && { submissions: once(listed.map((one) => one.submission)) }),
      ...(include.has('quiz') && { quizzes: once(listed.map((one) => one.quiz)) }),
      ...(include.has('user') && { users: once(listed.map((one) => one.user)) }),
      ...(include.size > 0 && { meta: { primaryCollection: 'quiz_submissions' } }),
    };
  };
