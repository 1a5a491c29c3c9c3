// Course scores, read with a page: stored ones, else their data: assignment groups once per course, submissions per student.

import {
  type FinalScores,
  type PeriodScoreFacts,
  type ScoredWork,
  type ScoresByPeriod,
  type ScoresWithPoints,
  scoresByPeriod,
  scoresWithPoints,
  wholeCourse,
} from '@carrel/shared/grading/course_scores';
import { periodOf } from '@carrel/shared/grading/period_of_date';
import { gradeNameOf } from '@carrel/shared/grading/score_to_grade';
import { lookUp } from '@carrel/shared/wire/look_up';
import { type SQL, sql } from 'drizzle-orm';
import { isStudent } from '../../../contexts/predicates';
import type { Database } from '../../../database/open';
import { withColumns } from '../../../database/together';
import { assignedTo, effectiveDate, reaching, restrictedIn } from '../../../rules/assigned';
import { type Period, periodsAsJson, setOfCourse } from '../../../rules/grading_periods';
import { schemeOfCourse } from '../../../rules/grading_schemes';
import { isHidden } from '../../../rules/posted';
import type { DropRules } from '../../assignment_groups/table';
import { type StoredScores, storedScoreNames } from './table';

const published = sql.raw("assignments.workflow_state = 'published'");

/** The due dates of a student that overrides have moved, where the course has grading periods. */
const movedDates = (user: SQL, course: SQL): SQL => sql`case when ${setOfCourse(course)} is not null then (
  select json_group_array(json_array(moved.id, moved.due_at)) from (select assignments.id, ${effectiveDate('due_at', reaching(sql.raw('= assignments.id'), user), '')} as due_at from assignments
    where assignments.course_id = ${course} and ${published} and exists (select 1 from assignment_overrides o where o.assignment_id = assignments.id and o.workflow_state = 'active')) moved) else json('[]') end`;

/** When the last enrollment of a student ended; null while one has not. The unary plus keeps SQLite off the indexes of a course. */
const endOf = (
  user: SQL,
  course: SQL,
): SQL => sql`(select iif(min(seat.enrollment_state = 'completed'), max(coalesce(seat.completed_at, seat.updated_at)), null) from enrollments seat
  where seat.user_id = ${user} and +seat.course_id = ${course} and ${isStudent('+seat')} and +seat.enrollment_state not in ('deleted', 'rejected'))`;

/**
 * A student's submissions in a course, and what is particular to them: JSON, as a column.
 * @param course a literal id is evaluated once per statement, a column once per row; most courses have no restricted assignments
 */
export const computedWork = (user: SQL, course: SQL, ended: SQL = endOf(user, course)): SQL<string> => sql<string>`json_object(
  'work', (select json_group_array(json_array(s.assignment_id, s.score, s.workflow_state = 'pending_review', s.excused, s.graded_at, s.posted_at))
    from submissions s where s.user_id = ${user} and s.course_id = ${course} and s.workflow_state <> 'deleted'),
  'others', (with restricted(id) as not materialized (${restrictedIn(sql`= ${course}`)}) select case when exists (select 1 from restricted)
    then (select json_group_array(other.id) from (select assignments.id from assignments
      where assignments.id in (select id from restricted) and ${published} and not ${assignedTo(user)}) other) else json('[]') end),
  'dates', ${movedDates(user, course)}, 'ended', ${ended}, 'overrides', (select json_group_array(json_array(v.grading_period_id, v.score))
    from final_grade_overrides v where v.course_id = ${course} and v.user_id = ${user} and v.score is not null))`;

/** What the scores of all students of a course depend on, as a text that changes with it; null before any scores were stored. The set is in `from`, where D1 does not count expression depth. */
export const markOfCourse = (course: SQL): SQL<string | null> =>
  sql<
    string | null
  >`(select m.generation || coalesce((select ' ' || s.id || ' ' || s.version from (select ${setOfCourse(course)} as set_id) here join grading_period_sets s on s.id = here.set_id), '') from course_score_marks m where m.id = ${course})`;

/**
 * The same as `computedWork`, or the stored scores of a student for whom they are current. Each in `from`, where D1 does not count expression depth.
 * @param state of an enrollment of the student: with an active one, not all have ended, and the others are not read
 */
export const workColumn = (user: SQL, course: SQL, state?: SQL): SQL<string> =>
  sql<string>`coalesce((select stored.scores from (select x.scores from course_scores x where x.course_id = ${course} and x.user_id = ${user} and x.pending is null and x.mark = ${markOfCourse(course)}) stored), (select computed.work from (select ${computedWork(user, course, state && sql`case when ${state} in ('completed', 'deleted', 'rejected') then ${endOf(user, course)} end`)} as work) computed))`;

interface CourseRow {
  readonly course_id: number;
  readonly is_weighted: number;
  /** JSON. */
  readonly groups: string;
  /** JSON; null without grading periods. */
  readonly divided: string | null;
}

/** Courses with their groups, counted assignments and grading periods; ids as a select. */
export const countedGroups = ({ build }: Database, courseIds: SQL) =>
  withColumns(
    build.all<CourseRow>(sql`select courses.id as course_id, courses.apply_assignment_group_weights as is_weighted,
      (select json_group_array(json_object('id', g.id, 'weight', g.group_weight, 'rules', json(g.rules), 'members',
        (select json_group_array(json_array(a.id, coalesce(a.points_possible, 0), a.post_manually, a.due_at, a.anonymize_students, a.created_at)) from assignments a
          where a.assignment_group_id = g.id and a.workflow_state <> 'deleted' and a.workflow_state = 'published' and a.omit_from_final_grade = 0 and a.grading_type <> 'not_graded')))
        from assignment_groups g where g.course_id = courses.id and g.workflow_state = 'available') as groups,
      (select json_object('weighted', s.weighted, 'periods', json(${periodsAsJson})) from grading_period_sets s where s.id = ${setOfCourse(sql.raw('courses.id'))}) as divided
    from courses where courses.id in (${courseIds})`),
    ['course_id', 'is_weighted', 'groups', 'divided'],
  );
export type CountedCourses = readonly CourseRow[];

interface Group {
  readonly id: number;
  readonly weight: number;
  readonly rules: DropRules;
  readonly members: readonly (readonly [
    id: number,
    points: number,
    post_manually: number,
    due_at: string | null,
    anonymize_students: number,
    created_at: string,
  ])[];
}
interface Divided {
  readonly weighted: number;
  readonly periods: readonly Period[];
}

type Done = readonly [
  assignment_id: number,
  score: number | null,
  pending: number,
  excused: number,
  graded_at: string | null,
  posted_at: string | null,
];
export interface Work {
  readonly work: readonly Done[];
  /** Assignments that are not assigned to the student. */
  readonly others: readonly number[];
  readonly dates: readonly (readonly [id: number, due_at: string | null])[];
  /** When the student's last enrollment ended; null while one has not. */
  readonly ended: string | null;
  /** By grading period; 0 for the whole course. */
  readonly overrides: readonly (readonly [period: number, score: number])[];
}

export function factsOf(
  { work, others, dates, ended, overrides }: Work,
  row: CourseRow,
): PeriodScoreFacts & { readonly groupIds: readonly number[] } {
  const stored = JSON.parse(row.groups) as readonly Group[];
  const divided = row.divided === null ? undefined : (JSON.parse(row.divided) as Divided);
  const members = stored.flatMap((group) => group.members);
  const manual = new Set(members.flatMap(([id, , post_manually]) => (post_manually === 1 ? id : [])));
  const anonymous = new Set(members.flatMap(([id, , , , anonymize_students]) => (anonymize_students === 1 ? id : [])));
  const unassigned = new Set(others);
  const dueOf = new Map([...members.map(([id, , , due_at]) => [id, due_at] as const), ...dates]);
  const periods = divided?.periods ?? [];
  const known = new Map<number, ScoredWork>(
    work.flatMap(([id, score, pending, excused, graded_at, posted_at]) =>
      // The total of a student would reveal which of the anonymous submissions was graded.
      anonymous.has(id) && posted_at === null
        ? []
        : [[id, { score, isPending: pending === 1, excused: excused === 1, isHidden: isHidden({ graded_at, posted_at }, manual.has(id)) }]],
    ),
  );
  // Students who have left are not given zeros for what was assigned later.
  const isLater = (id: number, created_at: string) => ended !== null && created_at > ended && !known.has(id);
  return {
    groupIds: stored.map(({ id }) => id),
    groups: stored.map(({ weight, rules, members: its }) => ({
      group_weight: weight,
      rules,
      assignments: its.flatMap(([id, points_possible, , , , created_at]) =>
        unassigned.has(id) || isLater(id, created_at) ? [] : { id, points_possible },
      ),
    })),
    work: known,
    isWeighted: row.is_weighted === 1,
    periods,
    // Without periods there is nothing to compose the whole of.
    hasWeightedPeriods: divided?.weighted === 1 && periods.length > 0,
    overrides: new Map(overrides),
    periodOf: (id) => periodOf(periods, dueOf.get(id) ?? null)?.id,
  };
}

/** Computes the scores of a student. */
export const computeScores = (work: Work, row: CourseRow): ScoresByPeriod => scoresByPeriod(factsOf(work, row));

export interface GradebookScores {
  readonly whole: ScoresWithPoints & Pick<FinalScores, 'override_score'>;
  /** By assignment group. */
  readonly groups: ReadonlyMap<number, ScoresWithPoints>;
}

/**
 * The scores in a student's row of the gradebook: of each assignment group over the whole course, and the totals.
 * @param result of `computedWork`
 * @param leftOut assignments that do not count, because their students are anonymous to the reader
 * @param period restricts the totals to a grading period
 */
export function gradebookScores(
  result: string,
  row: CourseRow,
  leftOut: ReadonlySet<number>,
  period: number = wholeCourse,
): GradebookScores {
  const known = factsOf(JSON.parse(result) as Work, row);
  const keep = (isKept: (id: number) => boolean) =>
    known.groups.map((group) => ({ ...group, assignments: group.assignments.filter(({ id }) => isKept(id)) }));
  const facts = { ...known, groups: keep((id) => !leftOut.has(id)) };
  const inPeriod = keep((id) => !leftOut.has(id) && (period === wholeCourse || known.periodOf(id) === period));
  return {
    whole: { override_score: null, ...scoresWithPoints({ ...facts, groups: inPeriod }), ...scoresByPeriod(facts).get(period) },
    groups: new Map(
      facts.groups.map((group, at) => [known.groupIds[at] ?? 0, scoresWithPoints({ ...facts, groups: [group], isWeighted: false })]),
    ),
  };
}

const storedOf = (scores: FinalScores) => storedScoreNames.map((name) => scores[name]);

/** Scores as they are stored. */
export const toStored = (scores: ScoresByPeriod): StoredScores => Object.fromEntries([...scores].map(([id, one]) => [id, storedOf(one)]));

function fromStored(numbers: readonly (number | null)[] | undefined): FinalScores | undefined {
  if (!numbers) return undefined;
  const [current_score = null, final_score = null, unposted_current_score = null, unposted_final_score = null, ...points] = numbers;
  const [current_points, unposted_current_points, override_score = null] = points;
  return {
    current_score,
    final_score,
    unposted_current_score,
    unposted_final_score,
    current_points: current_points ?? 0,
    unposted_current_points: unposted_current_points ?? 0,
    override_score,
  };
}

/**
 * @param result the student's column; null when the caller may not see the scores
 * @param period the id of a grading period, else the whole course
 */
export function scoresFrom(
  result: string | null | undefined,
  rows: CountedCourses,
  course: { readonly id: number },
  period: number = wholeCourse,
): FinalScores | undefined {
  if (result === null || result === undefined) return undefined;
  const told = JSON.parse(result) as StoredScores | Work;
  if (!('work' in told)) return fromStored(lookUp(told as StoredScores, String(period)));
  const row = rows.find((one) => one.course_id === course.id);
  return row && computeScores(told as Work, row).get(period);
}

/** The letter grade of a score in the course's grading scheme; null where the course has none. */
export function letterGradeOf(score: number | null, course: Parameters<typeof schemeOfCourse>[0]): string | null {
  const scheme = schemeOfCourse(course);
  return score === null || scheme === null ? null : gradeNameOf(score, scheme);
}
