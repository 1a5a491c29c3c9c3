// Which students and results of a course the caller may see (reference 04 §15).

import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../../contexts/course';
import { inSectionLimit } from '../../../contexts/section_limit';
import { among } from '../../../database/ids';
import { sharedIds } from '../../../database/shared';
import { isAnonymisedSql } from '../../../rules/anonymous_grading';
import { isHiddenSql } from '../../../rules/posted';
import { submissionIdOf } from '../../../rules/submission_ids';
import { seesAllGrades } from '../../assignments/submissions/policy';
import { groupsBelow } from '../groups/writes';
import { outcome_results } from '../table';
import type { FilterFacts, ResultFilter, WantedUsers } from './request';

/** Valid after `in`. */
const wantedUsers = ({ ids, sisIds }: WantedUsers): SQL => {
  if (sisIds.length === 0) return sql`(${sharedIds('users', ids)})`;
  return sql`(select value from json_each(${JSON.stringify(ids)}) union all select logins.user_id from logins where logins.account_id = 1 and logins.workflow_state <> 'deleted'
    and logins.sis_user_id in (select value from json_each(${JSON.stringify(sisIds)})))`;
};

/** The enrollments `e` of the students that a request is about. @param states which enrollments count */
export function studentSeats(course: CourseContext, { users, section_id }: ResultFilter, excluded: ReadonlySet<string>): SQL {
  const states = ["'active'", "'invited'"];
  if (!excluded.has('concluded_enrollments')) states.push("'completed'");
  if (!excluded.has('inactive_enrollments')) states.push("'inactive'");
  return sql`e.course_id = ${course.id} and e.type = 'StudentEnrollment' and e.enrollment_state in (${sql.raw(states.join(', '))})${
    users ? sql` and e.user_id in ${wantedUsers(users)}` : sql``
  }${section_id === undefined ? sql`` : sql` and e.course_section_id = ${section_id}`}${inSectionLimit(course, 'e')}`;
}

/** Outcomes that are linked in the course, or have results there. @param outcome the column with the id */
const isOfCourse = (outcome: SQL, course: CourseContext): SQL =>
  sql`(exists (select 1 from learning_outcome_links ol where ol.learning_outcome_id = ${outcome} and ol.context_type = 'Course' and ol.context_id = ${course.id})
    or exists (select 1 from outcome_results pr where pr.learning_outcome_id = ${outcome} and pr.course_id = ${course.id}))`;

/** The outcomes of a request; undefined for all. @param outcome the column with the id */
export const isWantedOutcome = (outcome: SQL, { outcome_ids, outcome_group_id }: ResultFilter): SQL | undefined => {
  if (outcome_ids) return among(outcome, outcome_ids);
  if (outcome_group_id === undefined) return undefined;
  return sql`${outcome} in (select gl.learning_outcome_id from learning_outcome_links gl where gl.learning_outcome_group_id in (select id from (${groupsBelow(outcome_group_id)})))`;
};

/** The outcomes of a course that a request is about. */
export const courseOutcomes = (course: CourseContext, filter: ResultFilter): SQL =>
  and(
    sql`learning_outcomes.id in (select ol.learning_outcome_id from learning_outcome_links ol where ol.context_type = 'Course' and ol.context_id = ${course.id}
      union select pr.learning_outcome_id from outcome_results pr where pr.course_id = ${course.id})`,
    sql`learning_outcomes.workflow_state <> 'deleted'`,
    isWantedOutcome(sql.raw('learning_outcomes.id'), filter),
  ) as SQL;

const submission = submissionIdOf(sql.raw('ra.id'), sql.raw('outcome_results.user_id'));

/**
 * Without results of anonymous students, of assignments and quizzes that are not published any more, and, unless hidden ones are wanted, without those
 * that are not posted or that a rubric hides. A student gets none of a quiz that hides its results. In `from`, where D1 does not count expression depth.
 */
export function seenResults(course: CourseContext, filter: ResultFilter): SQL {
  const posted = filter.withHidden
    ? sql``
    : sql` and exists (select 1 from (select 1 from submissions rs where rs.id = ${submission} and not ${isHiddenSql('rs', 'ra')}))`;
  const isThere = sql.raw(filter.withUnpublished ? "ra.workflow_state <> 'deleted'" : "ra.workflow_state = 'published'");
  const ofAssignment = sql`${isThere} and not ${isAnonymisedSql('ra', course)}${posted}`;
  const shown = seesAllGrades(course) ? sql`` : sql` and rz.hide_results is null`;
  const isSeen = sql`(${eq(outcome_results.association_type, 'LiveAssessment')}
    or (${eq(outcome_results.association_type, 'Assignment')} and exists (select 1 from (select 1 from assignments ra where ra.id = outcome_results.association_id and ${ofAssignment})))
    or (${eq(outcome_results.association_type, 'Quiz')} and exists (select 1 from (select 1 from quizzes rz left join assignments ra on ra.id = rz.assignment_id
      where rz.id = outcome_results.association_id and rz.workflow_state = 'available'${shown} and (rz.assignment_id is null or (${ofAssignment}))))))`;
  return and(
    eq(outcome_results.course_id, course.id),
    filter.withHidden ? undefined : sql`outcome_results.hidden = 0`,
    filter.onlyAssignments ? eq(outcome_results.association_type, 'Assignment') : undefined,
    isSeen,
    isWantedOutcome(sql.raw('outcome_results.learning_outcome_id'), filter),
  ) as SQL;
}

/** The assignment of a graded quiz, beside its results. */
export const assignmentOfQuiz = sql<
  number | null
>`(select gz.assignment_id from quizzes gz where gz.id = outcome_results.association_id and ${eq(outcome_results.association_type, 'Quiz')})`.as(
  'quiz_assignment_id',
);

const countOf = (holds: boolean, from: SQL): SQL => (holds ? sql`(select count(*) from (${from}))` : sql`0`);

/** One row with the facts that `checkFilter` needs. */
export function filterFacts(course: CourseContext, filter: ResultFilter): Record<keyof FilterFacts, SQL.Aliased<number>> {
  const { outcome_ids = [], outcome_group_id, section_id, users } = filter;
  const outcome = sql`select w.value from json_each(${JSON.stringify(outcome_ids)}) w where ${isOfCourse(sql.raw('w.value'), course)}`;
  const group = sql`select 1 from learning_outcome_groups g where g.id = ${outcome_group_id ?? 0} and g.context_type = 'Course' and g.context_id = ${course.id} and g.workflow_state = 'active'`;
  const seen = course.sectionLimit ? sql` and ${among(sql.raw('s.id'), course.sectionLimit)}` : sql``;
  const section = sql`select 1 from sections s where s.id = ${section_id ?? 0} and s.course_id = ${course.id} and s.workflow_state = 'active'${seen}`;
  const user = sql`select distinct e.user_id from enrollments e where ${studentSeats(course, filter, new Set())}`;
  const counted = (from: SQL, holds: boolean, name: string) => sql<number>`${countOf(holds, from)}`.as(name);
  return {
    outcomes: counted(outcome, outcome_ids.length > 0, 'outcomes'),
    groups: counted(group, outcome_group_id !== undefined, 'groups'),
    sections: counted(section, section_id !== undefined, 'sections'),
    users: counted(user, users !== undefined, 'users'),
  };
}
