// The grade exports: each student's scores per course, and by grading period, as graders see them.

import type { FinalScores } from '@carrel/shared/grading/course_scores';
import { sql } from 'drizzle-orm';
import type { CourseRow } from '../../contexts/course';
import type { Database } from '../../database/open';
import { standardsOfCourses } from '../../rules/grading_schemes';
import { overrideIn } from '../enrollments/grades/displayed';
import { countedGroups, letterGradeOf, scoresFrom, workColumn } from '../enrollments/grades/facts';
import { courseRequested, type ReportCell, type ReportFile, sisIdOf, type Worked } from './part';
import type { ReportRequest } from './table';

const scores = ['current_score', 'final_score', 'unposted_current_score', 'unposted_final_score'] as const;
const grades = scores.map((name) => name.replace('score', 'grade'));
const headers = [...scores, 'override_score', ...grades, 'override_grade'].map((name) => name.replaceAll('_', ' '));

interface Grading extends Pick<CourseRow, 'settings'> {
  readonly scheme: Parameters<typeof letterGradeOf>[1];
}

/** In the order of `headers`. An override that the course does not allow is left out. */
function cellsOf(reached: FinalScores | undefined, { settings, scheme }: Grading): ReportCell[] {
  const all = scores.map((name) => reached?.[name] ?? null);
  const override = overrideIn(reached, { settings });
  return [...all, override, ...[...all, override].map((score) => letterGradeOf(score, scheme))];
}

type Row = Parameters<Worked['tell']>[1][number];

/** The cells of each row. @param cells of a student, from the scores of the whole course or of a grading period */
async function worked(
  db: Database,
  rows: readonly Row[],
  cells: (scoresIn: (period?: number) => FinalScores | undefined, grading: Grading) => readonly ReportCell[],
) {
  const ids = JSON.stringify([...new Set(rows.map(({ course_id }) => course_id))]);
  const [counted, standards] = await db.perform([
    countedGroups(db, sql`select value from json_each(${ids})`),
    standardsOfCourses(db, sql`select value from json_each(${ids})`),
  ]);
  return rows.map(({ work, course_id, standard, allows }) => {
    const grading_standard_id = standard === null ? null : Number(standard);
    const scheme = { grading_standard_id, standard: standards.find(({ id }) => id === grading_standard_id) };
    const settings = { allow_final_grade_override: allows === 1 };
    return cells((period) => scoresFrom(work as string, counted, { id: Number(course_id) }, period), { settings, scheme });
  });
}

export const gradeExport = (wanted: ReportRequest): ReportFile & { readonly worked: Worked } => ({
  name: 'grade_export',
  from: sql`enrollments e join users u on u.id = e.user_id join courses c on c.id = e.course_id join sections s on s.id = e.course_section_id left join terms t on t.id = c.enrollment_term_id`,
  mark: 'e.id',
  last: 'select max(id) from enrollments',
  where: [
    sql`e.type = 'StudentEnrollment'`,
    wanted.include_deleted
      ? undefined
      : sql`e.enrollment_state in ('active', 'invited', 'completed', 'inactive') and c.workflow_state <> 'deleted'`,
    ...courseRequested(wanted),
  ],
  columns: {
    'student name': 'u.sortable_name',
    'student id': 'u.id',
    'student sis': sisIdOf('u.id'),
    course: 'c.name',
    'course id': 'c.id',
    'course sis': 'c.sis_course_id',
    section: 's.name',
    'section id': 's.id',
    'section sis': 's.sis_section_id',
    term: 't.name',
    'term id': 't.id',
    'term sis': 't.sis_term_id',
    'enrollment state': 'e.enrollment_state',
  },
  worked: {
    headers,
    columns: {
      work: workColumn(sql`e.user_id`, sql`e.course_id`, sql`e.enrollment_state`),
      course_id: sql`e.course_id`,
      standard: sql`c.grading_standard_id`,
      allows: sql`coalesce(c.settings ->> 'allow_final_grade_override', 0)`,
    },
    // Fewer rows per read, because the submissions of a student may be long.
    most: 500,
    tell: (db, rows) => worked(db, rows, (scoresIn, grading) => cellsOf(scoresIn(), grading)),
  },
});

/** A term without grading periods has a file that says so, as in Canvas. */
const withoutPeriods: ReportFile = {
  name: 'mgp_grade_export',
  from: sql`(select 0 as id where 0) missing`,
  mark: 'missing.id',
  last: 'select 0',
  where: [],
  columns: { 'no grading periods configured for this term': 'null' },
};

/** The grades of a term: by grading period, then of the whole course. Courses with periods of their own have no scores in those of the term. */
export function gradeExportByPeriod(wanted: ReportRequest): ReportFile {
  const { period_set: set } = wanted;
  if (!set || set.periods.length === 0) return withoutPeriods;
  const whole = gradeExport(wanted);
  const ofPeriods = set.periods.flatMap(({ title }) => [`${title} grading period id`, ...headers.map((name) => `${title} ${name}`)]);
  return {
    ...whole,
    name: 'mgp_grade_export',
    worked: {
      ...whole.worked,
      headers: ['grading period set', 'grading period set id', ...ofPeriods, ...headers],
      tell: (db, rows) =>
        worked(db, rows, (scoresIn, grading) => [
          set.title,
          set.id,
          ...set.periods.flatMap(({ id }) => [id, ...cellsOf(scoresIn(id), grading)]),
          ...cellsOf(scoresIn(), grading),
        ]),
    },
  };
}
