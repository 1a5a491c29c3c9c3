// Assessments by rubrics: every endpoint, in the order of the API reference.

import { bool, idField, object, oneOf, optional, read, type Shape, text } from '@carrel/shared/wire/fields';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { actedBy, actorOf } from '../../contexts/acting';
import { isAnonymousTo } from '../../contexts/anonymous_students';
import type { CourseContext } from '../../contexts/course';
import { readId } from '../../contexts/references';
import { isInSectionLimit } from '../../contexts/section_limit';
import { userOfAnonymousId } from '../../crypto/anonymous_id';
import type { Call } from '../../http/call';
import { del, post, put } from '../../http/endpoint';
import { rows } from '../../http/listing';
import { badParameter, found, notFound, problem, unauthorized } from '../../http/problem';
import { answer, one, type Reply, write } from '../../http/reply';
import { planListing } from '../../http/serializer';
import { placeOf } from '../../rules/anonymous_ids';
import { completeReview } from '../../rules/peer_reviews';
import { submissionId } from '../../rules/submission_ids';
import { ratedAndSavedField } from '../rubrics/assessments/input';
import { wholeAssessment } from '../rubrics/assessments/json';
import type { AssessmentGiven } from '../rubrics/assessments/score';
import { type AssessmentWrite, assess, performAssessments, saveComments } from '../rubrics/assessments/writes';
import { readGradePrecondition } from '../submissions/grading/authorisation';
import { withMates } from '../submissions/grading/group_members';
import { refuseClosedGrade } from '../submissions/grading/input';
import { checkProvisional, isUnpublished, notAdmitted, performProvisional } from '../submissions/grading/provisional';
import { performRubrics, withRubric } from '../submissions/grading/rubric_part';
import { performGrades } from '../submissions/grading/writes';
import { writtenRubricAssessment } from './json';
import { readReview, type StudentIn } from './peers';
import { rubric_assessments } from './table';

export const about = { title: 'Rubric assessments', description: 'Assessments of submissions by rubrics, of teachers and peers.' };

// canvasapi sends the id of the association in place of the course, so the course is that of the association.
const all = '/courses/:any_course/rubric_associations/:rubric_association_id/rubric_assessments';

const idIn = (given: string | undefined): SQL => sql`${readId(given ?? '') ?? 0}`;
const associationAt = (path: Record<string, string>): SQL => idIn(path.rubric_association_id);
const courseAt = (path: Record<string, string>): SQL =>
  sql`select context_id from rubric_associations where id = (${associationAt(path)}) and context_type = 'Course' and workflow_state = 'active'`;
const assignmentAt = (path: Record<string, string>): SQL =>
  sql`select association_id from rubric_associations where id = (${associationAt(path)}) and association_type = 'Assignment' and workflow_state = 'active'`;

const types = ['grading', 'peer_review', 'provisional_grade'] as const;
const fields = {
  user_id: optional(idField('user')),
  /** In place of the user, where the students are anonymous. */
  anonymous_id: optional(text),
  assessment_type: optional(oneOf(...types)),
};
const params = {
  rubric_assessment: optional(object(fields)),
  graded_anonymously: optional(bool),
  provisional: optional(bool),
  final: optional(bool),
};

type Assessing = Call & { readonly course: CourseContext; readonly params: Shape<typeof params> };

const prefix = 'criterion_';

/** The rows in `rubric_assessment`, whose names are those of the criteria with a prefix. @throws Problem 400 */
function rowsIn({ tree }: Pick<Call, 'tree'>): AssessmentGiven {
  const sent = Object.entries((tree.rubric_assessment as Record<string, unknown> | undefined) ?? {}).filter(([name]) =>
    name.startsWith(prefix),
  );
  const result = read({ rubric_assessment: ratedAndSavedField }, { rubric_assessment: Object.fromEntries(sent) });
  if (!result.ok) throw badParameter(result.refusal.parameter, result.refusal.message);
  return Object.fromEntries(Object.entries(result.value.rubric_assessment).map(([name, row]) => [name.slice(prefix.length), row]));
}

/** The association of the path, and a row of an assessment that it must have. */
const whichUse = (path: Record<string, string>, row: SQL | undefined): SQL =>
  and(
    sql`rubric_associations.id = (${associationAt(path)})`,
    row && sql`exists (select 1 from rubric_assessments known where known.rubric_association_id = rubric_associations.id and ${row})`,
  ) as SQL;

const written = (type: AssessmentWrite['type'], association_id: number, submission_id: number, me: number, isFinal = false) =>
  one(
    rows(rubric_assessments, {
      where: and(
        eq(rubric_assessments.submission_id, submission_id),
        eq(rubric_assessments.rubric_association_id, association_id),
        sql`${rubric_assessments.assessment_type} = ${sql.raw(`'${type}'`)}`,
        type === 'grading' ? undefined : eq(rubric_assessments.assessor_id, me),
        type === 'provisional_grade' ? ofGrade(isFinal) : undefined,
      ),
    }),
  );

/** An update may leave out the criteria. @throws Problem 400 for a new assessment without any */
function changesNothing(given: AssessmentGiven, id: number | undefined): boolean {
  if (Object.keys(given).length > 0) return false;
  if (id === undefined) throw problem(400, 'invalid rubric_assessment');
  return true;
}

/** Whether the row belongs to the final grade of a moderator, or to the provisional grade of a grader. */
const ofGrade = (isFinal: boolean): SQL =>
  sql`exists (select 1 from provisional_grades g where g.id = rubric_assessments.provisional_grade_id and g.is_final = ${isFinal ? 1 : 0})`;

/**
 * The student that the request names.
 * @throws Problem 401 for the id of a user where the students are anonymous
 */
function studentOf(call: Assessing, assignment_id: number, named: number | StudentIn, isByWork: boolean): number {
  if (typeof named !== 'number') return found(named(assignment_id));
  if (!isByWork && isAnonymousTo(call, assignment_id, named)) throw unauthorized();
  return named;
}

/**
 * Grades by the rubric, provisionally before the grades of a moderated assignment are published.
 * @param named the student, or the students whom an anonymous id names in the anonymous assignments of the course
 * @param id of the assessment that is changed
 */
async function assessAsGrader(call: Assessing, named: number | StudentIn, id: number | undefined, isProvisional: boolean): Promise<Reply> {
  const { course, path, me, params } = call;
  const given = rowsIn(call);
  const ofType = isProvisional
    ? sql`known.assessment_type = 'provisional_grade' and known.assessor_id = ${me.id}`
    : sql`known.assessment_type = 'grading'`;
  const row = id === undefined ? undefined : sql`known.id = ${id} and known.user_id = ${named} and ${ofType}`;
  const users = typeof named === 'number' ? [named] : course.anonymous.flatMap((one) => named(one.id) ?? []);
  const ground = await readGradePrecondition(call, {
    course,
    assignments: assignmentAt(path),
    users: users.map(String),
    fileIds: [],
    assesses: whichUse(path, row),
  });
  const assignment = found(ground.assignments[0]);
  const { association } = found(ground.rubrics[0]);
  const user_id = studentOf(call, assignment.id, named, id !== undefined);
  const isTheirs = (one: { readonly user_id: number }) => one.user_id === user_id;
  const student = found(ground.students.find(isTheirs));
  if (!student.is_assigned && !ground.attempts.some(isTheirs)) throw unauthorized();
  const isModerated = isUnpublished(assignment, ground);
  if (isModerated && !isProvisional) throw unauthorized();
  if (isProvisional && !isModerated) throw badParameter('rubric_assessment[assessment_type]', 'is not for this assignment');
  const final = params.final ?? false;
  const type = isProvisional ? 'provisional_grade' : 'grading';
  const reply = written(type, association.id, submissionId(assignment.id, user_id), me.id, final);
  if (changesNothing(given, id)) return reply;
  const grade = isProvisional ? { provisional: true, final, graded_anonymously: params.graded_anonymously } : undefined;
  const rated = withRubric({ assignment, user_id, grade }, given, ground);
  refuseClosedGrade(rated, student);
  const deeds = withMates([rated], ground.mates);
  const saved = saveComments(call, association.id, given);
  if (isProvisional) {
    checkProvisional({ assignment, user_id, grade }, call);
    return write([...performProvisional(call, deeds), ...saved], reply, notAdmitted);
  }
  const statements = [...performGrades(call, deeds), ...performRubrics(call, deeds), ...saved];
  const { graded_anonymously } = params;
  const isLogged = graded_anonymously !== undefined;
  return write(isLogged ? actedBy(call.db, { ...actorOf(me), graded_anonymously }, statements) : statements, reply);
}

async function assessAsPeer(call: Assessing, named: number | StudentIn, id: number | undefined): Promise<Reply> {
  const { me, path } = call;
  const given = rowsIn(call);
  const row =
    id === undefined
      ? undefined
      : sql`known.id = ${id} and known.user_id = ${named} and known.assessor_id = ${me.id} and known.assessment_type = 'peer_review'`;
  const { used, assignment, user_id } = await readReview(call, assignmentAt(path), whichUse(path, row), named, id !== undefined);
  const reply = written('peer_review', used.association.id, submissionId(assignment.id, user_id), me.id);
  if (changesNothing(given, id)) return reply;
  const assessment = { used, type: 'peer_review' as const, assignment, user_ids: [user_id], assessed: assess(used, given) };
  const request = { submission_id: submissionId(assignment.id, user_id), assessor_id: me.id, by: 'rubric' } as const;
  return write([...performAssessments(call, [assessment]), completeReview(call.db, request, call.now)], reply);
}

/** Graders grade unless they say otherwise; other users review. */
function assessWork(call: Assessing, named: number | StudentIn, id?: number): Promise<Reply> {
  const grades = call.course.can('manage_grades');
  const type = call.params.rubric_assessment?.assessment_type ?? (grades ? 'grading' : 'peer_review');
  const isProvisional = type === 'provisional_grade' || call.params.provisional === true;
  if (type === 'peer_review' && !isProvisional) return assessAsPeer(call, named, id);
  if (!grades) throw unauthorized();
  return assessAsGrader(call, named, id, isProvisional);
}

/** Graders change provisional assessments of their own only. */
const isOwnIfProvisional = ({ id }: { readonly id: number }): SQL =>
  sql`(rubric_assessments.assessment_type <> 'provisional_grade' or rubric_assessments.assessor_id = ${id})`;

/** The course of the association. It is not found for users outside of it. @throws Problem 404 */
function readable({ course }: Pick<Call, 'course'>): CourseContext {
  if (!course?.canRead) throw notFound();
  return course;
}

export const rubricAssessmentRoutes = [
  post(
    all,
    {
      within: (path) => ({ course: courseAt(path) }),
      can: 'user',
      params,
      returns: writtenRubricAssessment,
      summary: 'Assess a submission',
    },
    (call) => {
      const course = readable(call);
      const { user_id, anonymous_id } = call.params.rubric_assessment ?? {};
      if (anonymous_id !== undefined)
        return assessWork({ ...call, course }, (assignment_id) => userOfAnonymousId(placeOf(call, assignment_id), anonymous_id));
      if (user_id === undefined) throw badParameter('rubric_assessment[user_id]', 'is missing');
      return assessWork({ ...call, course }, user_id);
    },
  ),

  put(
    `${all}/:id`,
    {
      within: (path) => ({
        course: courseAt(path),
        user: sql`select user_id from rubric_assessments where id = (${idIn(path.id)}) and rubric_association_id = (${associationAt(path)})`,
      }),
      can: 'user',
      params,
      returns: writtenRubricAssessment,
      summary: 'Update an assessment of a submission',
    },
    (call) => {
      const course = readable(call);
      return assessWork({ ...call, course }, found(call.user).id, call.id);
    },
  ),

  del(
    `${all}/:id`,
    {
      within: (path) => ({ course: courseAt(path) }),
      can: 'user',
      returns: wholeAssessment,
      summary: 'Delete an assessment of a submission',
    },
    async (call) => {
      const course = readable(call);
      const { db, me, id, path } = call;
      const mine = course.can('manage_grades')
        ? and(isInSectionLimit(course, sql`rubric_assessments.user_id`), isOwnIfProvisional(me))
        : sql`rubric_assessments.assessment_type = 'peer_review' and rubric_assessments.assessor_id = ${me.id}`;
      const which = and(eq(rubric_assessments.id, id), sql`rubric_assessments.rubric_association_id = (${associationAt(path)})`);
      const plan = planListing(
        wholeAssessment,
        { ...rows(rubric_assessments, { where: and(which, mine) }), limit: 1 },
        { ...call, course },
      );
      const [known, ...results] = await db.perform([
        db.build.select({ id: rubric_assessments.id }).from(rubric_assessments).where(which),
        ...plan.statements,
      ]);
      const [gone] = plan.tell(results);
      // Only a grader learns which assessments there are.
      if (!gone) throw known.length > 0 || !course.can('manage_grades') ? unauthorized() : notFound();
      return write([db.build.delete(rubric_assessments).where(eq(rubric_assessments.id, id))], answer(gone.json));
    },
  ),
];
