// Where rubrics are used: every endpoint, in the order of the API reference.

import { optional } from '@carrel/shared/wire/fields';
import { and, eq, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { del, post, put } from '../../http/endpoint';
import { rows } from '../../http/listing';
import { badParameter, found, invalid, type Problem, refused } from '../../http/problem';
import { one, row, write } from '../../http/reply';
import { type AssociationGiven, associationField, refusalsOfAssociation, targetOf } from '../rubrics/associations/input';
import { rubricAssociation } from '../rubrics/associations/json';
import { onlyAssociation } from '../rubrics/associations/policy';
import { changeAssociation, endAssociations, isBookmarkedOrGrades, useRubric } from '../rubrics/associations/writes';
import { usableRubric } from '../rubrics/policy';
import { rubrics } from '../rubrics/table';
import { checkTarget, mayWriteRubrics, targetAssignment } from '../rubrics/writes';
import { writtenRubricAssociation } from './json';
import { rubric_associations } from './table';

export const about = { title: 'Rubric associations', description: 'The use of rubrics for assignments and courses.' };

const all = '/courses/:course_id/rubric_associations';
const params = { rubric_association: optional(associationField) };

/** @throws Problem 400 for values that do not exist */
function check(given: AssociationGiven): void {
  const [refusal] = refusalsOfAssociation(given);
  if (refusal) throw refused(400, `rubric_association: ${refusal}`);
}

const context = (course: CourseContext) => ({ type: 'Course', id: course.id }) as const;

const alreadyGraded = (): Problem => invalid('association_id', 'taken', 'the assignment has a rubric for its assessment');
const conflicts = { 'rubric_associations.association_id': alreadyGraded, 'rubric_associations.association_type': alreadyGraded };

export const rubricAssociationRoutes = [
  post(
    all,
    { can: mayWriteRubrics, params, returns: writtenRubricAssociation, summary: 'Use a rubric for an assignment or a course' },
    async (call) => {
      const { db, course } = call;
      const given = call.params.rubric_association ?? {};
      check(given);
      if (given.rubric_id === undefined) throw badParameter('rubric_association[rubric_id]', 'is missing');
      const target = targetOf(given, course.id);
      const [[rubric], [assignment]] = await db.perform([
        db.build.select({ id: rubrics.id }).from(rubrics).where(usableRubric(course, given.rubric_id)),
        targetAssignment(db, course, target),
      ]);
      checkTarget(course, target, assignment);
      const { id } = found(rubric);
      const purpose = given.purpose ?? (target.type === 'Assignment' ? 'grading' : 'bookmark');
      const isIt = and(
        eq(rubric_associations.rubric_id, id),
        eq(rubric_associations.association_type, target.type),
        eq(rubric_associations.association_id, target.id),
        sql`${rubric_associations.purpose} = ${purpose} and ${rubric_associations.workflow_state} = 'active'`,
      );
      return write(
        useRubric(call, sql`${id}`, target, given),
        one(rows(rubric_associations, { where: isIt, order: [{ by: rubric_associations.id, descending: true }] })),
      );
    },
  ),

  put(
    `${all}/:id`,
    { can: mayWriteRubrics, params, returns: writtenRubricAssociation, summary: 'Update the use of a rubric' },
    async (call) => {
      const { db, course, id } = call;
      const given = call.params.rubric_association ?? {};
      check(given);
      const which = onlyAssociation(context(course), id);
      const moved = given.association_id === undefined ? undefined : targetOf(given, course.id);
      const [[before], [rubric], [assignment]] = await db.perform([
        db.build.select().from(rubric_associations).where(which),
        db.build
          .select({ id: rubrics.id })
          .from(rubrics)
          .where(usableRubric(course, given.rubric_id ?? 0)),
        targetAssignment(db, course, moved),
      ]);
      const current = found(before);
      const now = { type: current.association_type, id: current.association_id };
      checkTarget(course, now, { id: current.association_id });
      if (moved) checkTarget(course, moved, assignment);
      if (given.rubric_id !== undefined) found(rubric);
      return write(
        changeAssociation(call, id, given, rubric && sql`${rubric.id}`, moved),
        one(rows(rubric_associations, { where: which })),
        conflicts,
      );
    },
  ),

  del(
    `${all}/:id`,
    { can: mayWriteRubrics, returns: rubricAssociation, summary: 'Stop using a rubric' },
    async ({ db, course, id, now }) => {
      const [[before]] = await db.perform([
        db.build
          .select()
          .from(rubric_associations)
          .where(onlyAssociation(context(course), id)),
      ]);
      const gone = found(before);
      checkTarget(course, { type: gone.association_type, id: gone.association_id }, { id: gone.association_id });
      return write(
        endAssociations(db, context(course), eq(rubric_associations.id, id), gone.rubric_id, isBookmarkedOrGrades, now),
        row(gone),
      );
    },
  ),
];
