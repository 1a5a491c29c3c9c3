// Which assignments and quizzes of a course assess which outcomes, as far as a student sees them (reference 04 §12.1).

import { idField, optional } from '@carrel/shared/wire/fields';
import { sql } from 'drizzle-orm';
import { get } from '../../http/endpoint';
import { Problem, unauthorized } from '../../http/problem';
import { answer } from '../../http/reply';
import { assignedTo } from '../../rules/assigned';
import { seesAllGrades } from '../assignments/submissions/policy';

interface AlignmentRow {
  readonly learning_outcome_id: number;
  readonly title: string;
  /** Null for an ungraded quiz. */
  readonly assignment_id: number | null;
  /** The use of a rubric, or the quiz. */
  readonly assessment_id: number;
  readonly submission_types: string;
}

/** The aligned banks of which a quiz `z` has questions. */
const banksOfQuiz = sql`(select zg.question_bank_id as bank from quiz_groups zg where zg.quiz_id = z.id and zg.workflow_state = 'active' and zg.question_bank_id is not null
  union select origin.question_bank_id from quiz_questions zq join quiz_questions origin on origin.id = zq.assessment_question_id
    where zq.quiz_id = z.id and zq.workflow_state = 'active' and origin.question_bank_id is not null)`;

export const outcomeAlignmentRoutes = [
  get(
    '/courses/:course_id/outcome_alignments',
    {
      can: 'read',
      params: { student_id: optional(idField('user')) },
      returns: { json: null },
      summary: 'List alignments of outcomes for a student',
    },
    async ({ db, course, me, params: { student_id } }) => {
      if (student_id === undefined) throw new Problem(400, { status: 'bad_request', message: 'student_id is required' });
      const isOwn = student_id === me.id || course.observedIds.includes(student_id);
      if (!seesAllGrades(course) && !isOwn) throw unauthorized();
      const inSections = course.sectionLimit
        ? sql` and e.course_section_id in (select value from json_each(${JSON.stringify(course.sectionLimit)}))`
        : sql``;
      const isStudent = sql`exists (select 1 from enrollments e where e.user_id = ${student_id} and e.course_id = ${course.id} and e.type = 'StudentEnrollment' and e.enrollment_state not in ('deleted', 'rejected')${inSections})`;
      const isAssigned = assignedTo(sql`${student_id}`);
      const [byRubrics, byQuizzes] = await db.perform([
        db.build.all<AlignmentRow>(sql`select al.learning_outcome_id as learning_outcome_id, assignments.name as title, assignments.id as assignment_id, u.id as assessment_id, assignments.submission_types as submission_types
          from rubric_associations u join assignments on assignments.id = u.association_id and assignments.workflow_state = 'published'
          join outcome_alignments al on al.content_type = 'Rubric' and al.content_id = u.rubric_id
          where u.context_type = 'Course' and u.context_id = ${course.id} and u.association_type = 'Assignment' and u.purpose = 'grading' and u.workflow_state = 'active'
            and ${isStudent} and ${isAssigned}
          order by assignments.id, al.learning_outcome_id`),
        db.build.all<AlignmentRow>(sql`select distinct al.learning_outcome_id as learning_outcome_id, z.title as title, z.assignment_id as assignment_id, z.id as assessment_id, '["online_quiz"]' as submission_types
          from quizzes z join outcome_alignments al on al.content_type = 'AssessmentQuestionBank' and al.content_id in ${banksOfQuiz}
          where z.course_id = ${course.id} and z.workflow_state <> 'deleted' and z.workflow_state = 'available' and z.quiz_type in ('assignment', 'practice_quiz') and ${isStudent}
            and (z.assignment_id is null or exists (select 1 from assignments where assignments.id = z.assignment_id and assignments.workflow_state = 'published' and ${isAssigned}))
          order by z.id, al.learning_outcome_id`),
      ]);
      const linked = (rows: readonly AlignmentRow[], urlOf: (row: AlignmentRow) => string) =>
        rows.map((row) => ({
          ...row,
          submission_types: (JSON.parse(row.submission_types) as string[]).join(','),
          url: `/courses/${course.id}/${urlOf(row)}`,
        }));
      return answer([
        ...linked(byRubrics, ({ assignment_id }) => `assignments/${assignment_id}`),
        ...linked(byQuizzes, ({ assessment_id }) => `quizzes/${assessment_id}`),
      ]);
    },
  ),
];
