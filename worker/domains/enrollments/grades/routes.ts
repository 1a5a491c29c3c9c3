// The recalculation of a course's scores. Canvas recalculates without a Progress; this endpoint is Carrel's own.

import { GradeRecalculation } from '@carrel/shared/resources/grade_recalculation';
import { sql } from 'drizzle-orm';
import { shared } from '../../../database/shared';
import { get } from '../../../http/endpoint';
import { answer } from '../../../http/reply';
import { markOfCourse } from './facts';
import { recalculationState, type ScoreCounts } from './recalculation';

export const gradeRecalculationRoutes = [
  get(
    '/courses/:course_id/grade_recalculation',
    {
      can: ['manage_grades', 'view_all_grades'],
      fresh: true,
      returns: { json: GradeRecalculation },
      summary: "Get the progress of recalculating a course's scores (Carrel's own)",
    },
    async ({ db, course }) => {
      const here = shared('course', course.id);
      const isCurrent = sql`x.pending is null and x.mark = (select text from mark)`;
      const [[counts]] = await db.perform([
        db.build.all<ScoreCounts>(
          sql`with mark(text) as materialized (select ${markOfCourse(here)}) select count(*) as students, coalesce(sum(${isCurrent}), 0) as current from course_scores x where x.course_id = ${here}`,
        ),
      ]);
      const { students = 0, current = 0 } = counts ?? {};
      return answer({
        context_type: 'Course',
        context_id: course.id,
        tag: 'grade_recalculation',
        ...recalculationState({ students, current }),
        students,
        current,
      });
    },
  ),
];
