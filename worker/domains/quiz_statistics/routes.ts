// Statistics of quizzes: every endpoint, in the order of the API reference.

import { QuizStatistics } from '@carrel/shared/resources/quiz_statistics';
import { bool, idField, listOf, optional } from '@carrel/shared/wire/fields';
import { withHost } from '../../html/addresses';
import type { Call } from '../../http/call';
import { get } from '../../http/endpoint';
import { found } from '../../http/problem';
import { answer } from '../../http/reply';
import { quizIn } from '../quiz_submissions/quiz_at';
import { countAttempts, firstCounts, type QuizCounts } from './count';
import { questionStatistics } from './question_statistics';
import { countedQuizHere, isAnonymousSurvey, sectionsSeen } from './read';
import { submissionStatistics } from './submission_statistics';

export const about = {
  title: 'Quiz statistics',
  description: 'What the completed attempts at a classic quiz say about its questions and scores.',
};

type Statistics = NonNullable<Awaited<ReturnType<ReturnType<typeof countedQuizHere>['execute']>>[number]>;

interface Stated {
  readonly allVersions: boolean;
  readonly includesSisIds: boolean;
}

function statisticsJson(
  quiz: Statistics,
  counted: QuizCounts,
  { allVersions, includesSisIds }: Stated,
  { origin, now }: Pick<Call, 'origin' | 'now'>,
) {
  const page = `${origin}/courses/${quiz.course_id}/quizzes/${quiz.id}`;
  const api = `${origin}/api/v1/courses/${quiz.course_id}/quizzes/${quiz.id}`;
  const isAnonymous = isAnonymousSurvey(quiz);
  const attempts = {
    scores: counted.attempts.map(({ score }) => score),
    students: isAnonymous ? undefined : counted.attempts.map(({ user_id: id, name }) => ({ id, name })),
  };
  const isGradable = quiz.assignment_id !== null && quiz.workflow_state === 'available';
  return {
    id: String(quiz.id),
    quiz_id: quiz.id,
    url: `${api}/statistics`,
    html_url: `${page}/statistics`,
    multiple_attempts_exist: quiz.has_repeated_attempts === 1,
    includes_all_versions: allVersions,
    includes_sis_ids: includesSisIds,
    anonymous_survey: isAnonymous,
    generated_at: now,
    points_possible: quiz.points_possible,
    speed_grader_url: isGradable ? `${origin}/courses/${quiz.course_id}/gradebook/speed_grader?assignment_id=${quiz.assignment_id}` : null,
    quiz_submissions_zip_url: `${page}/submissions?zip=1`,
    question_statistics: questionStatistics(counted.tallies, attempts).map((one) => ({
      ...one,
      question_text: withHost(one.question_text, origin),
    })),
    submission_statistics: submissionStatistics(counted.submissions),
    links: { quiz: api },
  };
}

export const quizStatisticsRoutes = [
  get(
    '/courses/:course_id/quizzes/:quiz_id/statistics',
    {
      can: ['manage_grades', 'view_all_grades'],
      params: { all_versions: optional(bool), section_ids: optional(listOf(idField('section'))) },
      returns: { json: QuizStatistics },
      summary: 'Get the statistics of a quiz',
    },
    async (call) => {
      const { db, course, path, params } = call;
      const quiz_id = quizIn(path);
      const allVersions = params.all_versions ?? false;
      const which = { course_id: course.id, quiz_id, allVersions, sections: sectionsSeen(course, params.section_ids) };
      const [quizRows, attempts, questions, first] = await db.perform([countedQuizHere(db, course, quiz_id), ...firstCounts(db, which)]);
      const quiz = found(quizRows[0]);
      const counted = await countAttempts(db, attempts, questions, first);
      const includesSisIds = course.can('read_sis') || course.can('manage_sis');
      return answer({ quiz_statistics: [statisticsJson(quiz, counted, { allVersions, includesSisIds }, call)] });
    },
  ),
];
