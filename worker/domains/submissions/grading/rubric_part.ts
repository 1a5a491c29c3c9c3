// Grading by a rubric: the assessment of a student or a group, and the grade that follows from it (reference 03 §13.4).

import type { Acting } from '../../../contexts/acting';
import type { Statement } from '../../../database/open';
import type { Call } from '../../../http/call';
import { Problem } from '../../../http/problem';
import type { AssessmentGiven } from '../../rubrics/assessments/score';
import { assess, performAssessments } from '../../rubrics/assessments/writes';
import type { GradePrecondition } from './authorisation';
import type { GradeWrite } from './input';
import { ensureAll, unread } from './writes';

type Around = Pick<Call, 'db' | 'now'> & { readonly me: Acting };

/**
 * The grade by the score of an assessment, unless the rubric does not grade or the student is excused. An assessment without points, such as one of comments,
 * leaves the grade; one that takes the last points away removes it.
 */
function gradeBy(score: number | null, { grade, rated }: GradeWrite, given: AssessmentGiven): GradeWrite['grade'] {
  if (!rated?.used.association.use_for_grading || grade?.excuse === true) return grade;
  if (score !== null) return { ...grade, posted_grade: String(score) };
  return Object.values(given).some(({ points }) => points === null) ? { ...grade, posted_grade: '' } : grade;
}

/**
 * The change with an assessment by the assignment's rubric, of all members of a group that is graded together.
 * @throws Problem 400 for an assignment without a rubric, and for criteria or ratings that the rubric does not have
 */
export function withRubric(deed: GradeWrite, given: AssessmentGiven | undefined, { rubrics, mates }: GradePrecondition): GradeWrite {
  if (given === undefined || Object.keys(given).length === 0) return deed;
  const { assignment, user_id } = deed;
  const used = rubrics.find(({ association }) => association.association_id === assignment.id);
  if (!used) throw new Problem(400, { message: 'invalid rubric_assessment' });
  const assessed = assess(used, given);
  const isEach = assignment.options.grade_group_students_individually === true;
  const others = mates.filter((mate) => !isEach && mate.assignment_id === assignment.id && mate.user_id === user_id);
  const user_ids = [user_id, ...others.map(({ mate_id }) => mate_id)];
  const rated = { used, type: 'grading' as const, assignment, user_ids, assessed };
  const grade = gradeBy(assessed.score, { ...deed, rated }, given);
  return { ...deed, rated, grade, ...(grade !== deed.grade && { prefersPoints: true }) };
}

/** The statements that write the assessments of these changes, after their grades. */
export function performRubrics(around: Around, deeds: readonly GradeWrite[]): Statement[] {
  // A change that was copied to the other members of a group has the assessment of the first.
  const own = deeds.filter(({ rated, user_id }) => rated?.user_ids[0] === user_id);
  if (own.length === 0) return [];
  const everyone = own.flatMap((deed) => (deed.rated?.user_ids ?? []).map((user_id) => ({ ...deed, user_id })));
  const shown = everyone.filter(({ user_id }) => user_id !== around.me.id);
  return [
    ensureAll(around, everyone),
    ...performAssessments(
      around,
      own.flatMap(({ rated }) => rated ?? []),
    ),
    ...(shown.length > 0 ? [unread(around, 'rubric', shown)] : []),
  ];
}
