// The other members of a student's group, for grades that a tool gives: no person's rights decide.

import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../../database/open';
import { withColumns } from '../../../database/together';
import { effectiveDate, reaching } from '../../../rules/assigned';
import { isClosedAt } from '../../../rules/grading_periods';
import { matesOf } from '../../assignments/submissions/teams';
import type { Mate } from './group_members';

const columns = ['assignment_id', 'user_id', 'mate_id', 'is_excused', 'is_closed'];

/** Reads `Mate` rows of one student and assignment; none for an individual assignment. @param user an expression that is one user's id */
export const matesOfStudent = ({ build }: Database, assignment: SQL, user: SQL, now: string) => {
  const due_at = effectiveDate('due_at', reaching(sql.raw('= assignments.id'), sql.raw('mates.id')), now);
  return withColumns(
    build.all<Mate>(
      sql`select assignments.id as assignment_id, given.id as user_id, mates.id as mate_id,
          coalesce((select s.excused from submissions s where s.assignment_id = assignments.id and s.user_id = mates.id), 0) as is_excused,
          ${isClosedAt(due_at, sql.raw('assignments.course_id'), now)} as is_closed
        from assignments cross join (select ${user} as id) given join users mates on mates.id in (${matesOf(sql.raw('given.id'))})
        where assignments.id = ${assignment} and assignments.group_category_id is not null`,
    ),
    columns,
  );
};
