// Computed columns of an assignment, read together with its row.

import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { inSectionLimit } from '../../contexts/section_limit';
import type { Call } from '../../http/call';
import { type EffectiveDates, effectiveDates, itemsOfAssignment } from '../../rules/assigned';
import { inCourse, verifiersIn } from '../../rules/file_verifiers';
import { isAssignmentClosedIn } from '../../rules/grading_periods';
import { isModerationPublished } from '../../rules/moderated_grading';
import { isNewQuiz } from '../../rules/new_quizzes';
import { rubricUsed } from '../rubrics/used_rubric';
import { awaitsGrade } from '../submissions/table';
import type { AssignmentRow } from './plain_fields';
import { setOfRows } from './submissions/columns';
import { asStaff, overridesSeen, seesAsStaff, viewingUser } from './viewpoint';

/** The computed columns, as SQLite returns them. */
export type Computed = {
  readonly effective_dates: EffectiveDates;
  readonly as_staff: number;
  readonly has_overrides: number;
  readonly has_submissions: number;
  readonly has_grades: number;
  readonly is_hidden: number;
  readonly to_grade: number | null;
  readonly in_modules: string | null;
  readonly grades_published: number | null;
  readonly its_quiz_id: number | null;
  readonly is_new_quiz: number;
  readonly file_verifiers: string | null;
  readonly rubric_used: string | null;
  readonly is_closed: number;
};

/** A row with its computed columns, as the serializer expects it. */
export type ComputedRow = AssignmentRow & Computed & { readonly new_positions?: string };

const flag = (condition: SQL): SQL<number> => sql<number>`(${condition})`;
const handedIn = sql`exists (select 1 from submissions where submissions.assignment_id = assignments.id and submissions.submission_type is not null and submissions.workflow_state <> 'deleted')`;
const graded = sql`exists (select 1 from submissions where submissions.assignment_id = assignments.id and submissions.graded_at is not null and submissions.workflow_state = 'graded')`;

/** Active students of the course; `held` restricts to the sections of a section-restricted caller. */
const activeStudent = (call: Pick<Call, 'course'>, user: SQL, held = inSectionLimit(call.course)): SQL =>
  sql`exists (select 1 from enrollments where enrollments.course_id = assignments.course_id and enrollments.user_id = ${user} and enrollments.type = 'StudentEnrollment' and enrollments.enrollment_state = 'active'${held})`;

export const awaitingGrades = (call: Pick<Call, 'course'>, held?: SQL): SQL<number> =>
  sql<number>`(select count(*) from submissions where submissions.assignment_id = assignments.id and ${awaitsGrade} and ${activeStudent(call, sql.raw('submissions.user_id'), held)})`;

/** Whether new grades are hidden from the viewer; for staff, from any student. */
function hidden(call: Call): SQL {
  const whose = call.course && seesAsStaff(call.course, call) ? sql`` : sql` and user_id in (${viewingUser(call)})`;
  const hasGrade = (posted: string) =>
    sql`exists (select 1 from submissions s where s.assignment_id = assignments.id and s.graded_at is not null and s.posted_at ${sql.raw(posted)}${whose})`;
  return sql`${hasGrade('is null')} or (assignments.post_manually and not ${hasGrade("> ''")})`;
}

const inModules = sql`(select json_group_array(json_object('module_id', module_id, 'position', position)) from (select i.module_id, i.position from ${itemsOfAssignment} order by i.module_id))`;

/** Grades of an assignment without moderation need no publishing. */
const gradesPublished = sql`(not coalesce(assignments.options ->> 'moderated_grading', 0) or ${isModerationPublished})`;

export function computedAssignmentColumns(call: Call): Record<keyof Computed, SQLWrapper> {
  const source = overridesSeen(call);
  const grades = call.course ? call.course.can('manage_grades') : undefined;
  const toGrade =
    grades === undefined ? sql`case when ${asStaff(call)} then ${awaitingGrades(call)} end` : grades ? awaitingGrades(call) : sql`null`;
  return {
    effective_dates: effectiveDates(source, call.now).as('effective_dates'),
    as_staff: asStaff(call).as('as_staff'),
    has_overrides: flag(
      sql`exists (select 1 from assignment_overrides where assignment_overrides.assignment_id = assignments.id and assignment_overrides.workflow_state = 'active')`,
    ).as('has_overrides'),
    has_submissions: flag(handedIn).as('has_submissions'),
    has_grades: flag(graded).as('has_grades'),
    is_hidden: flag(hidden(call)).as('is_hidden'),
    to_grade: toGrade.as('to_grade'),
    file_verifiers: verifiersIn(sql.raw('assignments.description'), inCourse(sql.raw('assignments.course_id'))).as('file_verifiers'),
    rubric_used: rubricUsed.as('rubric_used'),
    is_closed: isAssignmentClosedIn(setOfRows(call), call.now).as('is_closed'),
    its_quiz_id: sql<
      number | null
    >`case when assignments.submission_types like '%online_quiz%' then (select z.id from quizzes z where z.assignment_id = assignments.id and z.workflow_state <> 'deleted') end`.as(
      'its_quiz_id',
    ),
    is_new_quiz: isNewQuiz.as('is_new_quiz'),
    grades_published: (call.include.has('grades_published') ? gradesPublished : sql`null`).as('grades_published'),
    in_modules: (call.include.has('module_ids') ? inModules : sql`null`).as('in_modules'),
  };
}
