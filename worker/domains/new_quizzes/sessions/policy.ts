// Which attempts at New Quizzes exist for a caller.

import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../../contexts/course';
import { readId } from '../../../contexts/references';
import { shared } from '../../../database/shared';
import type { Call } from '../../../http/call';
import { isAnonymisedSql } from '../../../rules/anonymous_grading';
import { seesAllGrades } from '../../assignments/submissions/policy';
import { isStudentHere } from '../../peer_reviews/policy';
import { quiz_submissions } from '../../quiz_submissions/table';
import { newQuizIn } from '../policy';

type Path = { readonly assignment_id: string };

/** SQL for the `quiz_id` of the attempts at the New Quiz of a path. */
export const keyIn = (path: Path): SQL => sql`(select -(${newQuizIn(path)}))`;

const isAnonymousHere = (course: CourseContext): SQL =>
  sql`exists (select 1 from assignments a where a.id = -quiz_submissions.quiz_id and ${isAnonymisedSql('a', course)})`;

/** Those of the students whom the caller may grade. */
export const sessionsGradedByCaller = (course: CourseContext): SQL =>
  and(isStudentHere({ course }, sql.raw('quiz_submissions.user_id')), sql`not ${isAnonymousHere(course)}`) as SQL;

/** Graders see those of their students, students their own, observers those of the students they observe. */
export function visibleSessions(course: CourseContext, { me, path }: Pick<Call, 'me'> & { readonly path: Path }): SQL {
  const own = sql`quiz_submissions.user_id = ${shared('user', me.id)}`;
  const observed =
    course.observedIds.length === 0
      ? sql`0`
      : sql`quiz_submissions.user_id in (select value from json_each(${JSON.stringify(course.observedIds)}))`;
  const graded = seesAllGrades(course) ? sessionsGradedByCaller(course) : sql`0`;
  return and(
    sql`${quiz_submissions.quiz_id} = ${keyIn(path)}`,
    eq(quiz_submissions.course_id, course.id),
    sql`${quiz_submissions.workflow_state} <> 'settings_only'`,
    sql`(${own} or ${observed} or ${graded})`,
  ) as SQL;
}

type SessionPath = Path & { readonly session_id: string };

/** 0 for what cannot be an id. */
export const sessionIn = (path: SessionPath): number => readId(path.session_id) ?? 0;

export const visibleSession = (course: CourseContext, call: Pick<Call, 'me'> & { readonly path: SessionPath }): SQL =>
  and(eq(quiz_submissions.id, sessionIn(call.path)), visibleSessions(course, call)) as SQL;
