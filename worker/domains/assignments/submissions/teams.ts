// Group assignments: the student's group and its members (reference 03 §4.3).

import { type SQL, sql } from 'drizzle-orm';
import { assignmentOfSubmission, studentOfSubmission, submissionIdOf } from '../../../rules/submission_ids';

/** The student's membership `mine` in a group of the current assignment's group set. */
const isIn = (student: SQL): SQL =>
  sql`mine.user_id = ${student} and mine.group_category_id = assignments.group_category_id and mine.workflow_state = 'accepted'`;

/** Members who are students of the course. */
const isStudent = sql.raw(
  "exists (select 1 from enrollments seat where seat.user_id = mate.user_id and seat.course_id = assignments.course_id and seat.type = 'StudentEnrollment' and seat.enrollment_state not in ('deleted', 'rejected'))",
);

/** Rows (mate) of the other students in the student's group; none for individual assignments. */
export const matesOf = (student: SQL): SQL =>
  sql`select mate.user_id from group_memberships mine join group_memberships mate on mate.group_id = mine.group_id and mate.workflow_state = 'accepted' and mate.user_id <> mine.user_id
    where ${isIn(student)} and ${isStudent}`;

/** The id of the student's group, or null. */
export const teamOf = (student: SQL): SQL => sql`(select mine.group_id from group_memberships mine where ${isIn(student)} limit 1)`;

/** Whether the student of enrollment `e` represents their group: the first member by id. True for individual assignments. */
export const isFirstOfTeam: SQL = sql`not exists (select 1 from (${matesOf(sql.raw('e.user_id'))}) first where first.user_id < e.user_id
  and exists (select 1 from enrollments seat where seat.user_id = first.user_id and seat.course_id = assignments.course_id and seat.type = 'StudentEnrollment' and seat.enrollment_state = 'active'))`;

/** The group of a row of `submissions` as JSON, or null. */
export const teamOfSubmission: SQL = sql`(select json_object('id', g.id, 'name', g.name) from assignments join groups g on g.id = ${teamOf(sql.raw('submissions.user_id'))} where assignments.id = submissions.assignment_id)`;

/** A select of the submissions that change together with `ids`: of the same group, if it is graded together. */
export const ofTheSameTeam = (ids: SQL): SQL =>
  sql`select ${submissionIdOf(sql.raw('assignments.id'), sql.raw('mate.user_id'))} from (with page(id) as (select * from (${ids})) select id from page) page
    join assignments on assignments.id = ${assignmentOfSubmission(sql.raw('page.id'))} and coalesce(assignments.options ->> 'grade_group_students_individually', 0) = 0
    join group_memberships mine on ${isIn(studentOfSubmission(sql.raw('page.id')))}
    join group_memberships mate on mate.group_id = mine.group_id and mate.workflow_state = 'accepted' and mate.user_id <> mine.user_id where ${isStudent}`;
