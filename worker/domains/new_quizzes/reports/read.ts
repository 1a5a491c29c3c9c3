// What reports about a New Quiz read, some rows at a time.

import { sql } from 'drizzle-orm';
import { isEnrolledStudent } from '../../../contexts/predicates';
import { atMost } from '../../../database/at_most';
import type { Database } from '../../../database/open';
import { sharedIds } from '../../../database/shared';
import { submissionIdOf } from '../../../rules/submission_ids';
import { newQuizKey } from '../../quiz_submissions/interactions/taken_new_quiz';
import type { NewQuizReportRow } from './lines';

export interface ReportScope {
  readonly course_id: number;
  readonly new_quiz_id: number;
  /** Null for the whole course. */
  readonly sections: readonly number[] | null;
  readonly showsSisIds: boolean;
}

export const rowsOfStep = 500;
/** Students of one step, whose essays are read as a whole. */
export const studentsOfStep = 50;

interface Numbered {
  /** How far the report has come with this row. */
  readonly reached: number;
}

interface Worked {
  readonly quiz_submission_id: number | null;
  /** The newest that was turned in. */
  readonly turned_in: number | null;
}

/** Students after one by their ids, in the section of the first enrollment that the caller sees, with their submission. */
export const studentsAfter = ({ build }: Database, { course_id, new_quiz_id, sections, showsSisIds }: ReportScope, after: number) =>
  build.all<Numbered & Worked & NewQuizReportRow>(sql`select u.id as reached, taken.id as quiz_submission_id,
      (select max(tried.attempt) from quiz_attempts tried where tried.quiz_submission_id = taken.id and tried.workflow_state in ('complete', 'pending_review')) as turned_in, u.sortable_name as name, u.id as id,
      ${showsSisIds ? sql.raw("(select l.sis_user_id from logins l where l.user_id = u.id and l.account_id = 1 and l.workflow_state <> 'deleted' and l.sis_user_id is not null order by l.id limit 1)") : sql`null`} as sis_id,
      x.name as section, x.id as section_id, ${showsSisIds ? sql.raw('x.sis_section_id') : sql`null`} as section_sis_id,
      s.submitted_at as submitted, s.attempt as attempt, s.score as score, a.points_possible as points_possible, s.grade as grade
    from (select e.user_id, min(e.id) as enrollment_id from enrollments e where e.course_id = ${course_id} and e.user_id > ${after} and ${isEnrolledStudent('e')}
        ${sections ? sql`and e.course_section_id in (${sharedIds('sections', sections)})` : sql``}
        group by e.user_id order by e.user_id limit ${atMost(studentsOfStep)}) who
      cross join users u on u.id = who.user_id
      cross join enrollments own on own.id = who.enrollment_id
      cross join sections x on x.id = own.course_section_id
      cross join assignments a on a.id = ${new_quiz_id}
      left join quiz_submissions taken on taken.quiz_id = ${newQuizKey(new_quiz_id)} and taken.user_id = u.id
      left join submissions s on s.id = ${submissionIdOf(sql`${new_quiz_id}`, sql.raw('u.id'))} and s.workflow_state <> 'deleted'
    order by u.id`);

/** Items after a position. */
export const itemsAfter = ({ build }: Database, { new_quiz_id }: ReportScope, after: number) =>
  build.all<
    Numbered & NewQuizReportRow
  >(sql`select i.position as reached, i.position as position, i.id as item_id, i.entry_type as entry_type,
      i.entry ->> 'interaction_type_slug' as interaction_type, coalesce(i.entry ->> 'title', b.title) as title, i.points_possible as points_possible,
      i.entry ->> 'scoring_algorithm' as scoring_algorithm, i.bank_question_id as bank_entry_id
    from new_quiz_items i left join question_banks b on b.id = i.question_bank_id
    where i.new_quiz_id = ${new_quiz_id} and i.workflow_state = 'active' and i.position > ${after} order by i.position limit ${atMost(rowsOfStep)}`);
