// Which peer reviews exist, and who sees them (reference 03 §7).

import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { isEnrolledStudent } from '../../contexts/predicates';
import type { SectionContext } from '../../contexts/section';
import { sharedIds } from '../../database/shared';
import type { Call } from '../../http/call';
import { isAnonymisedSql } from '../../rules/anonymous_grading';
import { studentOfSubmission } from '../../rules/submission_ids';
import { visibleAssignments } from '../assignments/policy';
import { seesAllGrades } from '../assignments/submissions/policy';
import { studentsHere } from '../assignments/submissions/slots';
import { assessment_requests } from './table';

/** Kept literal, so that SQLite matches the partial index. */
const present: SQL = sql`assessment_requests.workflow_state <> 'deleted'`;

/** The student of a submission id (rules/submission_ids.ts). */
export const reviewedStudent: SQL = studentOfSubmission(sql.raw('assessment_requests.submission_id'));

interface Looking extends Pick<Call, 'me'> {
  readonly course: CourseContext;
  readonly section?: SectionContext;
}

/** Students of the course, in the path's section and in the sections of a section-restricted caller. */
export const isStudentHere = ({ course, section }: Pick<Looking, 'course' | 'section'>, user: SQL): SQL => {
  const { sections } = studentsHere(course, section);
  const inSections = sections ? sql` and e.course_section_id in (${sharedIds('sections', sections)})` : sql``;
  // The unary plus keeps SQLite from starting at the enrollments, or at their types.
  return sql`+exists (select 1 from enrollments e where e.user_id = ${user} and +e.course_id = ${course.id} and ${isEnrolledStudent('+e')}${inSections})`;
};

/**
 * Graders see the reviews among the students they see; a student sees those of the own submission.
 * @param isOne another condition names the submission, by which SQLite should search
 */
export const visibleReviews = (call: Looking, assignment: SQL, isOne = false): SQL =>
  and(
    sql`${isOne ? sql.raw('+') : sql``}assessment_requests.assignment_id = (${assignment})`,
    present,
    isStudentHere(call, reviewedStudent),
    seesAllGrades(call.course) ? isStudentHere(call, sql.raw('assessment_requests.assessor_id')) : sql`${reviewedStudent} = ${call.me.id}`,
  ) as SQL;

export const onlyReview = (submission_id: number, assessor_id: number): SQL =>
  and(eq(assessment_requests.submission_id, submission_id), eq(assessment_requests.assessor_id, assessor_id)) as SQL;

export const presentReview = (submission_id: number, assessor_id: number): SQL =>
  and(onlyReview(submission_id, assessor_id), present) as SQL;

/**
 * The reviews of a course in the feed: those that lists return to the caller, and those that the caller is asked for, of assignments they see. Without
 * those of anonymous students for graders, because the feed names its items by numbers whose order may be that of the students.
 */
export function syncedReviews(course: CourseContext, call: Pick<Call, 'me' | 'user'>): SQL {
  const { me } = call;
  const seen = and(
    sql`assignments.id = assessment_requests.assignment_id`,
    visibleAssignments(course, { me, user: call.user, path: {} }),
    seesAllGrades(course) ? sql`not ${isAnonymisedSql('assignments', course)}` : undefined,
  );
  const isOfGraded = and(isStudentHere({ course }, reviewedStudent), isStudentHere({ course }, sql.raw('assessment_requests.assessor_id')));
  const isMine = sql`((${reviewedStudent} = ${me.id} and ${isStudentHere({ course }, reviewedStudent)}) or assessment_requests.assessor_id = ${me.id})`;
  return and(present, sql`exists (select 1 from assignments where ${seen})`, seesAllGrades(course) ? isOfGraded : isMine) as SQL;
}
