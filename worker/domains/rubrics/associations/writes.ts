// Writing the use of rubrics, as statements for one batch.

import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../../contexts/course';
import type { Database, Statement } from '../../../database/open';
import { shared } from '../../../database/shared';
import { changeAssignments } from '../../../rules/graded_topics';
import { isAssignmentClosed } from '../../../rules/grading_periods';
import { forGrading, rubric_associations } from '../../rubric_associations/table';
import { rubrics } from '../table';
import { type AssociationGiven, type AssociationTarget, associationValues } from './input';
import { associationsIn, onlyAssociation, type RubricContext } from './policy';

export interface WritingAssociations {
  readonly db: Database;
  readonly course: CourseContext;
  readonly now: string;
}

const oneForGrading = sql`association_type = 'Assignment' and purpose = 'grading' and workflow_state = 'active'`;
const oneBookmark = sql`purpose = 'bookmark' and workflow_state = 'active'`;

/** The row that is in the way, and what it keeps: an assignment has one rubric for its assessment, and a context one bookmark of each. */
function inTheWay({ type }: AssociationTarget, purpose: string | undefined) {
  if (purpose === 'bookmark')
    return {
      target: [rubric_associations.association_type, rubric_associations.association_id, rubric_associations.rubric_id],
      targetWhere: oneBookmark,
    };
  return type === 'Assignment' ? { target: rubric_associations.association_id, targetWhere: oneForGrading } : undefined;
}

/**
 * Uses a rubric for an assignment or a context. The assignment's earlier rubric is replaced.
 * @param rubric SQL for its id
 */
export function useRubric(around: WritingAssociations, rubric: SQL, target: AssociationTarget, given: AssociationGiven): Statement[] {
  const { db, course, now } = around;
  const sent = associationValues(given);
  const values = {
    use_for_grading: false,
    hide_score_total: false,
    hide_points: false,
    hide_outcome_results: false,
    bookmarked: true,
    ...Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)),
    purpose: sent.purpose ?? (target.type === 'Assignment' ? ('grading' as const) : ('bookmark' as const)),
    title: sent.title ?? sql`(select r.title from rubrics r where r.id = ${rubric})`,
    rubric_id: rubric,
  };
  const conflict = inTheWay(target, values.purpose);
  const insert = db.build.insert(rubric_associations).values({
    ...values,
    association_type: target.type,
    association_id: target.id,
    context_type: 'Course',
    context_id: course.id,
    created_at: now,
    updated_at: now,
  });
  const kept = sql`iif(rubric_associations.rubric_id = excluded.rubric_id, rubric_associations.summary_data, null)`;
  return [
    conflict ? insert.onConflictDoUpdate({ ...conflict, set: { ...values, summary_data: kept, updated_at: now } }) : insert,
    ...(target.type === 'Assignment' ? updatePoints(around, sql`select ${target.id}`) : []),
  ];
}

/** @param rubric SQL for the id of another rubric, if that changes */
export function changeAssociation(
  around: WritingAssociations,
  id: number,
  given: AssociationGiven,
  rubric: SQL | undefined,
  target: AssociationTarget | undefined,
): Statement[] {
  const { db, course, now } = around;
  const which = onlyAssociation({ type: 'Course', id: course.id }, id);
  const sent = associationValues(given);
  // Points that are hidden already stay without a score.
  const unlessHidden = (value: boolean | undefined) =>
    value && given.hide_points === undefined ? sql<boolean>`not ${rubric_associations.hide_points}` : value;
  return [
    db.build
      .update(rubric_associations)
      .set({
        ...sent,
        use_for_grading: unlessHidden(sent.use_for_grading),
        hide_score_total: unlessHidden(sent.hide_score_total),
        ...(rubric && { rubric_id: rubric }),
        ...(target && { association_type: target.type, association_id: target.id }),
        updated_at: now,
      })
      .where(which),
    ...updatePoints(around, sql`select rubric_associations.association_id from rubric_associations where ${which} and ${forGrading()}`),
  ];
}

/**
 * Gives assignments the points of the rubric that grades them. Points of graded work change only for a caller who grades, and those of an assignment in
 * a closed grading period only for account admins.
 * @param ids a select of assignments
 */
export function updatePoints({ db, course, now }: WritingAssociations, ids: SQL): Statement[] {
  const its = sql`from rubric_associations used join rubrics r on r.id = used.rubric_id
    where used.association_id = assignments.id and ${forGrading('used')} and used.use_for_grading = 1`;
  const ungraded = sql`not exists (select 1 from submissions s where s.assignment_id = assignments.id and s.graded_at is not null)`;
  return changeAssignments(
    db,
    ids,
    { points_possible: sql`(select r.points_possible ${its})`, updated_at: now },
    sql`assignments.course_id = ${course.id} and assignments.grading_type <> 'not_graded'
      and exists (select 1 ${its} and r.points_possible is not assignments.points_possible)${course.can('manage_grades') ? sql`` : sql` and ${ungraded}`}${course.isAdmin ? sql`` : sql` and not ${isAssignmentClosed(shared('course', course.id), now)}`}`,
  );
}

const rubricIsUsed = sql`exists (select 1 from rubric_associations used where used.rubric_id = rubrics.id and used.workflow_state = 'active' and used.bookmarked = 1)`;

/** Ends uses of rubrics, and deletes those rubrics of the context that nothing refers to any more. */
export function endAssociations(db: Database, context: RubricContext, which: SQL, rubric: number, isUsed: SQL, now: string): Statement[] {
  return [
    db.build
      .update(rubric_associations)
      .set({ workflow_state: 'deleted', updated_at: now })
      .where(and(associationsIn(context), which)),
    db.build
      .update(rubrics)
      .set({ workflow_state: 'deleted', updated_at: now })
      .where(
        and(
          eq(rubrics.id, rubric),
          eq(rubrics.context_type, context.type),
          eq(rubrics.context_id, context.id),
          sql`${rubrics.workflow_state} = 'active' and not (${isUsed})`,
        ),
      ),
  ];
}

/** Whether the rubric is still bookmarked anywhere. */
export const isBookmarked: SQL = rubricIsUsed;
/** The same, or used for an assessment in its own context. */
export const isBookmarkedOrGrades: SQL = sql`${rubricIsUsed} or exists (select 1 from rubric_associations used where used.rubric_id = rubrics.id
  and used.context_id = rubrics.context_id and used.context_type = rubrics.context_type and used.workflow_state = 'active' and used.purpose = 'grading')`;

const copiedColumns =
  'rubric_id, association_type, context_type, context_id, title, url, purpose, use_for_grading, hide_score_total, hide_points, hide_outcome_results, bookmarked';

/** Assesses a copy of an assignment by the same rubric. @param copy SQL for its id */
export const copyRubricUse = (db: Database, assignment_id: number, copy: SQL, now: string): Statement =>
  db.build.run(sql`insert into rubric_associations (association_id, ${sql.raw(copiedColumns)}, created_at, updated_at)
    select ${copy}, ${sql.raw(copiedColumns)}, ${now}, ${now} from rubric_associations used where used.association_id = ${assignment_id} and ${forGrading('used')}`);
