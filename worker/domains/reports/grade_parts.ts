// The grade export: each student's scores per course, as graders see them.

import { sql } from 'drizzle-orm';
import { countedGroups, letterGradeOf, scoresFrom, workColumn } from '../enrollments/grades/facts';
import { courseRequested, type ReportFile, sisIdOf } from './part';
import type { ReportRequest } from './table';

const scores = ['current_score', 'final_score', 'unposted_current_score', 'unposted_final_score'] as const;

export const gradeExport = (wanted: ReportRequest): ReportFile => ({
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
    headers: [...scores, 'current_grade', 'final_grade'].map((name) => name.replaceAll('_', ' ')),
    columns: {
      work: workColumn(sql`e.user_id`, sql`e.course_id`),
      course_id: sql`e.course_id`,
      weighted: sql`c.apply_assignment_group_weights`,
      standard: sql`c.grading_standard_id`,
      state: sql`e.enrollment_state`,
    },
    // Fewer rows per read, because the submissions of a student may be long.
    most: 500,
    async tell(db, rows) {
      const ids = JSON.stringify([...new Set(rows.map(({ course_id }) => course_id))]);
      const [counted] = await db.perform([countedGroups(db, sql`select value from json_each(${ids})`)]);
      return rows.map(({ work, course_id, weighted, standard, state }) => {
        const course = { id: Number(course_id), apply_assignment_group_weights: weighted === 1 };
        const reached = scoresFrom(work as string, counted, course, state === 'completed');
        const grading = { grading_standard_id: standard === null ? null : Number(standard) };
        const message = (score: number | null | undefined) => letterGradeOf(score ?? null, grading);
        return [...scores.map((name) => reached?.[name] ?? null), message(reached?.current_score), message(reached?.final_score)];
      });
    },
  },
});
