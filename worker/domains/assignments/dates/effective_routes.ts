// Effective due dates of a course's assignments, per student.

import { periodOf } from '@carrel/shared/grading/period_of_date';
import { EffectiveDueDates } from '@carrel/shared/resources/effective_due_dates';
import { listOf, optional, referenceTo } from '@carrel/shared/wire/fields';
import { sql } from 'drizzle-orm';
import { isEnrolledStudent } from '../../../contexts/predicates';
import { inSectionLimit } from '../../../contexts/section_limit';
import { theIds } from '../../../database/ids';
import { get } from '../../../http/endpoint';
import { Problem } from '../../../http/problem';
import { answer } from '../../../http/reply';
import { assignedTo, effectiveDate, reaching } from '../../../rules/assigned';
import { isPeriodClosed } from '../../../rules/grading_periods';
import { presentAssignments } from '../policy';

export const about = { title: 'Effective due dates', description: 'The due date of each assignment for each student.' };

interface Row {
  readonly assignment_id: number;
  readonly user_id: number;
  readonly due_at: string | null;
}

export const effectiveDueDateRoutes = [
  get(
    '/courses/:course_id/effective_due_dates',
    {
      can: 'read_as_admin',
      params: { assignment_ids: optional(listOf(referenceTo('assignment'))) },
      returns: { json: EffectiveDueDates },
      summary: 'List effective due dates',
    },
    async ({ db, course, params, now }) => {
      const asked = params.assignment_ids;
      const odd = asked?.filter((id) => !/^\d{1,15}$/.test(id)) ?? [];
      if (odd.length > 0) throw new Problem(422, { errors: { assignment_ids: `${odd.join(', ')}: not a number` } });
      const student = sql.raw('seats.user_id');
      const [rows] = await db.perform([
        db.build.all<Row>(
          sql`select assignments.id as assignment_id, seats.user_id, ${effectiveDate('due_at', reaching(sql.raw('= assignments.id'), student), now)} as due_at
            from assignments cross join (select distinct user_id from enrollments where course_id = ${course.id} and ${isEnrolledStudent()}${inSectionLimit(course)}) seats
            where assignments.course_id = ${course.id} and ${presentAssignments}${asked ? sql` and assignments.id in (${theIds(asked.map(Number))})` : sql``} and ${assignedTo(student)}
            order by assignments.id, seats.user_id`,
        ),
      ]);
      const result: Record<string, Record<string, object>> = {};
      for (const { assignment_id, user_id, due_at } of rows) {
        result[assignment_id] ??= {};
        const period = periodOf(course.grading.periods, due_at);
        result[assignment_id][user_id] = {
          due_at,
          grading_period_id: period?.id ?? null,
          in_closed_grading_period: period !== undefined && isPeriodClosed(period, now),
        };
      }
      return answer(result);
    },
  ),
];
