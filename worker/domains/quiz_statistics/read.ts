// What statistics and reports of a quiz read: the attempts, their questions, and some attempts at a time with results and answers.

import { type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { atMost } from '../../database/at_most';
import type { Database } from '../../database/open';
import { sharedIds } from '../../database/shared';
import type { PresentedContent } from '../quiz_questions/table';
import type { SavedAnswer } from '../quiz_submissions/answers/saved_answer';
import type { QuestionResult } from '../quiz_submissions/table';
import { presentQuiz } from '../quizzes/policy';
import { isSurvey } from '../quizzes/settings';
import { quizzes } from '../quizzes/table';
import type { CountedQuestion } from './choices_made';

/** Which attempts count. */
export interface CountedQuiz {
  readonly course_id: number;
  readonly quiz_id: number;
  /** All completed attempts, or the newest of each student. */
  readonly allVersions: boolean;
  /** Null for the whole course. */
  readonly sections: readonly number[] | null;
}

/** The sections that the caller sees, and of these the asked ones. */
export const sectionsSeen = (
  { sectionLimit }: Pick<CourseContext, 'sectionLimit'>,
  asked?: readonly number[],
): readonly number[] | null => {
  if (!asked || asked.length === 0) return sectionLimit;
  return sectionLimit ? asked.filter((id) => sectionLimit.includes(id)) : asked;
};

/** The quiz, and whether a student has tried it again. */
export const countedQuizHere = ({ build }: Database, course: CourseContext, quiz_id: number) =>
  build
    .select({
      id: quizzes.id,
      course_id: quizzes.course_id,
      title: quizzes.title,
      quiz_type: quizzes.quiz_type,
      assignment_id: quizzes.assignment_id,
      anonymous_submissions: quizzes.anonymous_submissions,
      points_possible: quizzes.points_possible,
      workflow_state: quizzes.workflow_state,
      created_at: quizzes.created_at,
      updated_at: quizzes.updated_at,
      has_repeated_attempts:
        sql<number>`exists (select 1 from quiz_submissions own where own.quiz_id = quizzes.id and own.attempt > 1 and own.workflow_state <> 'preview')`.as(
          'has_repeated_attempts',
        ),
    })
    .from(quizzes)
    .where(presentQuiz(course, quiz_id));

/** No response names who has taken it. */
export const isAnonymousSurvey = (quiz: Pick<typeof quizzes.$inferSelect, 'quiz_type' | 'anonymous_submissions'>): boolean =>
  isSurvey(quiz.quiz_type) && quiz.anonymous_submissions;

/** Kept literal, as in the states of `quiz_attempts`. */
const isTurnedIn = (alias: string) => sql.raw(`${alias}.workflow_state in ('complete', 'pending_review')`);

/** Completed attempts `tried` of the quiz submissions `own`, of students; never of the test student. */
const countedAttempts = ({ course_id, quiz_id, allVersions, sections }: CountedQuiz): SQL => {
  const here = sections ? sql` and e.course_section_id in (${sharedIds('sections', sections)})` : sql``;
  const newest = sql`tried.attempt = (select max(latest.attempt) from quiz_attempts latest where latest.quiz_submission_id = own.id and ${isTurnedIn('latest')})`;
  return sql`from quiz_submissions own cross join quiz_attempts tried on tried.quiz_submission_id = own.id
    where own.quiz_id = ${quiz_id} and ${isTurnedIn('tried')} and ${allVersions ? sql`1` : newest}
      and exists (select 1 from enrollments e where e.user_id = own.user_id and +e.course_id = ${course_id} and +e.type = 'StudentEnrollment' and +e.enrollment_state not in ('deleted', 'rejected')${here})`;
};

export interface CountedAttemptRow {
  readonly quiz_submission_id: number;
  readonly attempt: number;
  readonly user_id: number;
  readonly name: string;
  readonly sortable_name: string;
  readonly score: number;
  readonly points_possible: number;
  readonly started_at: string;
  readonly finished_at: string | null;
  readonly extra_time: number | null;
}

/** Every attempt, without its questions, by student. */
export const attemptsCounted = ({ build }: Database, counted: CountedQuiz) =>
  build.all<CountedAttemptRow>(sql`select chosen.*, users.name, users.sortable_name from (
      select own.id as quiz_submission_id, tried.attempt, own.user_id, coalesce(tried.score, 0) as score, tried.quiz_points_possible as points_possible,
        tried.started_at, tried.finished_at, own.extra_time ${countedAttempts(counted)}
    ) chosen cross join users on users.id = chosen.user_id order by chosen.user_id, chosen.attempt`);

interface QuestionColumns {
  readonly question_id: number;
  readonly version: number;
  readonly points: number;
  readonly content: string;
}

/** The questions that attempts presented, each in its newest presented version. */
export const questionsCounted = ({ build }: Database, counted: CountedQuiz) =>
  build.all<QuestionColumns>(sql`select shown.question_id, shown.version, shown.points, v.content from (
      select asked.value ->> 'id' as question_id, max(asked.value ->> 'version') as version, max(asked.value ->> 'points') as points, min(asked.key) as place
      from (select own.id as submission, tried.attempt as attempt ${countedAttempts(counted)}) page
        cross join quiz_attempts had on had.quiz_submission_id = page.submission and had.attempt = page.attempt cross join json_each(had.presented) asked
      group by 1
    ) shown cross join quiz_question_versions v on v.question_id = shown.question_id and v.version = shown.version
    order by shown.place, shown.question_id`);

export type QuestionKey = readonly [question_id: number, version: number, points: number];

/** The same questions again, in order. */
export const questionsNamed = ({ build }: Database, keys: readonly QuestionKey[]) =>
  build.all<QuestionColumns>(sql`select v.question_id, v.version, j.value ->> 2 as points, v.content from json_each(${JSON.stringify(keys)}) j
    cross join quiz_question_versions v on v.question_id = j.value ->> 0 and v.version = j.value ->> 1 order by j.key`);

export const countedQuestionsIn = (rows: readonly QuestionColumns[]): (CountedQuestion & { readonly question_name: string })[] =>
  rows.map(({ question_id, points, content }) => {
    const { question_name, question_type, question_text, data } = JSON.parse(content) as PresentedContent;
    return { id: question_id, question_name, question_type, question_text, points, data };
  });

interface WorkColumns {
  readonly quiz_submission_id: number;
  readonly attempt: number;
  readonly results: string;
  readonly given: string;
}

/** Longer texts are no choices; they are cut where answers are only counted. */
const longestCounted = 1000;

const workIn = ({ build }: Database, page: SQL, isWhole: boolean) => {
  const cut = sql.raw(
    isWhole
      ? 'json(g.answer)'
      : `case when length(g.answer) > ${longestCounted} and substr(g.answer, 1, 1) = '"' then substr(g.answer, 2, ${longestCounted}) else json(g.answer) end`,
  );
  return build.all<WorkColumns>(sql`select had.quiz_submission_id, had.attempt, had.results,
      (select json_group_array(json_array(g.question_id, ${cut})) from quiz_answers g where g.quiz_submission_id = had.quiz_submission_id and g.attempt = had.attempt and g.answer is not null) as given
    from (${page}) page cross join quiz_attempts had on had.quiz_submission_id = page.submission and had.attempt = page.attempt where had.results is not null`);
};

/** Results and answers of the first attempts. */
export const firstWork = (db: Database, counted: CountedQuiz, count: number) =>
  workIn(
    db,
    sql`select own.id as submission, tried.attempt as attempt ${countedAttempts(counted)} order by own.user_id, tried.attempt limit ${atMost(count)}`,
    false,
  );

export type AttemptKey = readonly [quiz_submission_id: number, attempt: number];

/** @param isWhole long texts are not cut */
export const workOf = (db: Database, keys: readonly AttemptKey[], isWhole = false) =>
  workIn(
    db,
    sql`select j.value ->> 0 as submission, j.value ->> 1 as attempt from json_each(${JSON.stringify(keys)}) j order by j.key`,
    isWhole,
  );

export interface AttemptWork {
  readonly results: readonly QuestionResult[];
  readonly given: ReadonlyMap<number, SavedAnswer>;
}

export const attemptWork = ({ results, given }: WorkColumns): AttemptWork => ({
  results: JSON.parse(results) as QuestionResult[],
  given: new Map(JSON.parse(given) as [number, SavedAnswer][]),
});

export const keyOfAttempt = ({ quiz_submission_id, attempt }: { quiz_submission_id: number; attempt: number }): string =>
  `${quiz_submission_id} ${attempt}`;
