// Which assignments of a course assess which outcomes, as far as a student sees them (reference 04 §12.1).

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
  readonly assignment_id: number;
  readonly assessment_id: number;
  readonly submission_types: string;
}

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
      const [found] = await db.perform([
        db.build.all<AlignmentRow>(sql`select al.learning_outcome_id as learning_outcome_id, assignments.name as title, assignments.id as assignment_id, u.id as assessment_id, assignments.submission_types as submission_types
          from rubric_associations u join assignments on assignments.id = u.association_id and assignments.workflow_state = 'published'
          join outcome_alignments al on al.content_type = 'Rubric' and al.content_id = u.rubric_id
          where u.context_type = 'Course' and u.context_id = ${course.id} and u.association_type = 'Assignment' and u.purpose = 'grading' and u.workflow_state = 'active'
            and exists (select 1 from enrollments e where e.user_id = ${student_id} and e.course_id = ${course.id} and e.type = 'StudentEnrollment' and e.enrollment_state not in ('deleted', 'rejected')${inSections})
            and ${assignedTo(sql`${student_id}`)}
          order by assignments.id, al.learning_outcome_id`),
      ]);
      return answer(
        found.map((row) => ({
          ...row,
          submission_types: (JSON.parse(row.submission_types) as string[]).join(','),
          url: `/courses/${course.id}/assignments/${row.assignment_id}`,
        })),
      );
    },
  ),
];
