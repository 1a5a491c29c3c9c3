// A student's grades in a course, for callers who may see them: read with the page and returned in the enrollment.

import type { FinalScores } from '@carrel/shared/grading/course_scores';
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { CourseContext } from '../../../contexts/course';
import { isStudent } from '../../../contexts/predicates';
import { shared } from '../../../database/shared';
import { withColumns } from '../../../database/together';
import type { Call } from '../../../http/call';
import type { RowOf } from '../../../http/listing';
import { currentPeriod } from '../../../rules/grading_periods';
import type { enrollments } from '../table';
import { displayedScores, overrideIn } from './displayed';
import { type CountedCourses, countedGroups, letterGradeOf, scoresFrom, workColumn } from './facts';

type Row = RowOf<typeof enrollments>;

const isGrader = (course: CourseContext) => course.can('manage_grades') || course.can('view_all_grades');

/** Graders, observers of the student, and the student unless final grades are hidden. */
const mayRead = (row: Pick<Row, 'user_id'>, course: CourseContext, call: Pick<Call, 'me'>): boolean =>
  isGrader(course) ||
  (course.settings.hide_final_grades !== true && (row.user_id === call.me.id || course.observedIds.includes(row.user_id)));

/** Whose submissions are read; outside a single course, those of every user on the page. */
function told({ course, me }: Call, user = sql.raw('enrollments.user_id')): SQL {
  if (!course || isGrader(course)) return sql`1`;
  return sql`${user} in (select value from json_each(${shared('users', JSON.stringify([me.id, ...course.observedIds]))}))`;
}

/** A user's submissions in the current course, for lists of that user's enrollments. */
export const workOfPerson = (user: SQL, call: Call): SQL<string | null> =>
  sql<string | null>`case when ${told(call, user)} then ${workColumn(user, shared('course', call.course?.id ?? 0))} end`;

/** A student's submissions, for any viewer. */
export const anyWork = sql<
  string | null
>`case when ${isStudent()} then ${workColumn(sql.raw('enrollments.user_id'), sql.raw('enrollments.course_id'), sql.raw('enrollments.enrollment_state'))} end`.as(
  'work',
);

/** The status that a grader has given the final grade of the period that is requested, while the institution has it. */
function statusColumn({ course, params, include, now }: Call): SQL<number | null> {
  if (course && !isGrader(course)) return sql<number | null>`null`;
  const given = Number((params as { grading_period_id?: string }).grading_period_id ?? 0);
  const period = (course ? periodAsked({ params, include, now }, course) : given) ?? 0;
  return sql<
    number | null
  >`(select g.id from final_grade_overrides v join custom_grade_statuses g on g.id = v.custom_grade_status_id and g.workflow_state = 'active'
    where v.course_id = enrollments.course_id and v.user_id = enrollments.user_id and v.grading_period_id = ${period})`;
}

export const gradeColumns = (call: Call): Record<string, SQLWrapper> => ({
  work: sql<
    string | null
  >`case when ${isStudent()} and ${told(call)} then ${workColumn(sql.raw('enrollments.user_id'), call.course ? shared('course', call.course.id) : sql.raw('enrollments.course_id'), sql.raw('enrollments.enrollment_state'))} end`.as(
    'work',
  ),
  override_status: statusColumn(call).as('override_status'),
});

/** The submissions of observed students, by the id of the observer's enrollment. */
export const workOfObserved = (ids: SQL, { db }: Call) =>
  withColumns(
    db.build.all<{ id: number; work: string }>(
      sql`select enrollments.id, ${workColumn(sql.raw('enrollments.user_id'), sql.raw('enrollments.course_id'), sql.raw('enrollments.enrollment_state'))} as work from enrollments
      where enrollments.type = 'StudentEnrollment' and enrollments.enrollment_state not in ('deleted', 'rejected')
        and (enrollments.user_id, enrollments.course_id) in (select o.observed_user_id, o.course_id from enrollments o where o.id in (${ids}) and o.observed_user_id <> 0)`,
    ),
    ['id', 'work'],
  );

/** The counted assignments in the courses of a page. */
export const countedBeside = (ids: SQL, { db, course }: Call) =>
  countedGroups(db, course ? sql`${course.id}` : sql`select course_id from enrollments where id in (${ids})`);
export type CountedBeside = CountedCourses;

/** The grading period whose scores are requested: by id, or the current one. */
export function periodAsked(
  { params, include, now }: Pick<Call, 'params' | 'include' | 'now'>,
  { grading }: CourseContext,
): number | undefined {
  const given = (params as { grading_period_id?: string }).grading_period_id;
  if (given) return Number(given);
  return include.has('current_grading_period_scores') ? currentPeriod(grading.periods, now)?.id : undefined;
}

/** The scores of a row read with those columns. */
export const scoresOf = (row: Row, course: CourseContext, counted: CountedBeside, period?: number): FinalScores | undefined =>
  scoresFrom((row as Row & { work?: string | null }).work, counted, course, period);

export function gradesJson(row: Row, course: CourseContext, call: Call, scores: FinalScores | undefined): object {
  const html_url = `${call.origin}/courses/${row.course_id}/grades/${row.user_id}`;
  if (!mayRead(row, course, call)) return { html_url };
  const shown = isGrader(course) ? scores : displayedScores(scores, course);
  const override = overrideIn(scores, course);
  const asPair = (name: string, score: number | null) => ({ [`${name}_grade`]: letterGradeOf(score, course), [`${name}_score`]: score });
  const pair = (name: 'current' | 'final' | 'unposted_current' | 'unposted_final') => asPair(name, shown?.[`${name}_score`] ?? null);
  const points = call.include.has('current_points');
  const { override_status = null } = row as Row & { override_status?: number | null };
  const hasStatus = override_status !== null && course.settings.allow_final_grade_override === true;
  return {
    html_url,
    ...(call.include.has('current_grading_period_scores') && { grading_period_id: periodAsked(call, course) ?? null }),
    ...pair('current'),
    ...pair('final'),
    ...(isGrader(course) && { ...pair('unposted_current'), ...pair('unposted_final') }),
    ...(isGrader(course) && override !== null && asPair('override', override)),
    ...(isGrader(course) && hasStatus && { custom_grade_status_id: override_status }),
    ...(points && { current_points: scores?.current_points ?? null }),
    ...(points && isGrader(course) && { unposted_current_points: scores?.unposted_current_points ?? null }),
  };
}
