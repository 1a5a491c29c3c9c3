// Creating and updating rubrics of a course, with their use (reference 03 §13.3).

import type { Shape } from '@carrel/shared/wire/fields';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import type { Database, Statement } from '../../database/open';
import type { Call } from '../../http/call';
import { rows } from '../../http/listing';
import { found, notFound, unauthorized } from '../../http/problem';
import { answer, one, type Reply, write } from '../../http/reply';
import { isAvailableIn, presentOutcome } from '../../rules/available_outcomes';
import { assignments } from '../assignments/table';
import { learning_outcomes } from '../outcomes/table';
import { rubric_associations } from '../rubric_associations/table';
import { type AssociationGiven, type AssociationTarget, refusalsOfAssociation, targetOf } from './associations/input';
import { onlyAssociation } from './associations/policy';
import { changeAssociation, updatePoints, useRubric } from './associations/writes';
import { freeTitle } from './criteria';
import { checkRubric, newPartId, type RubricGiven, type rubricParams, rubricValues } from './input';
import { isSharedRubric, type RubricRow, writtenRubric } from './json';
import { usableRubric } from './policy';
import { rubrics } from './table';

type Writing = Pick<Call, 'db' | 'me' | 'now'> & { readonly course: CourseContext; readonly params: Shape<typeof rubricParams> };

/** Users who manage rubrics, or may change assignments; which of both is checked with the target. */
export const mayWriteRubrics = ({ course }: Pick<Call, 'course'>): boolean =>
  course?.canRead === true && (course.can('manage_rubrics') || course.can('manage_assignments_edit'));

/** The id of the association that a request changes. */
const namedId = ({ rubric_association: given, rubric_association_id }: Shape<typeof rubricParams>) => rubric_association_id ?? given?.id;

/** After a write, with the association that the request names. */
export const writtenRubricOf = writtenRubric(({ params, course }) => {
  const given = params as Shape<typeof rubricParams>;
  const id = namedId(given);
  if (id !== undefined) return eq(rubric_associations.id, id);
  if (!given.rubric_association || !course) return undefined;
  const target = targetOf(given.rubric_association, course.id);
  return and(eq(rubric_associations.association_type, target.type), eq(rubric_associations.association_id, target.id));
});

/** The outcomes that a request names, of those that its course may use. */
const usableOutcomes = (db: Database, { id, chain }: CourseContext, { criteria = [] }: RubricGiven) =>
  db.build
    .select({ id: learning_outcomes.id })
    .from(learning_outcomes)
    .where(
      and(
        sql`${learning_outcomes.id} in (select value from json_each(${JSON.stringify(criteria.map((one) => one.learning_outcome_id ?? 0))}))`,
        presentOutcome,
        isAvailableIn({ type: 'Course', id, chain }),
      ),
    );

/**
 * @param usable outcomes of the course, and those that the rubric has already
 * @throws Problem 404 for another
 */
function checkOutcomes({ criteria = [] }: RubricGiven, usable: readonly (number | null | undefined)[]): void {
  if (criteria.some((one) => one.learning_outcome_id != null && !usable.includes(one.learning_outcome_id))) throw notFound();
}

/** The newest rubric: ids only grow. */
const newest = sql`(select max(id) from rubrics)`;

/** @throws Problem 401 unless the caller may use rubrics for the target, 404 for one that is not of the course */
export function checkTarget(course: CourseContext, target: AssociationTarget | undefined, assignment: { id: number } | undefined): void {
  if (!course.can('manage_rubrics') && target?.type !== 'Assignment') throw unauthorized();
  if (!target) return;
  if (target.type === 'Assignment' ? !assignment : target.type !== 'Course' || target.id !== course.id) throw notFound();
}

/** The assignment of a target, if the course has it. */
export const targetAssignment = (db: Database, course: CourseContext, target: AssociationTarget | undefined) =>
  db.build
    .select({ id: assignments.id })
    .from(assignments)
    .where(
      and(
        eq(assignments.id, target?.type === 'Assignment' ? target.id : 0),
        eq(assignments.course_id, course.id),
        sql`${assignments.workflow_state} <> 'deleted'`,
      ),
    );

/** The titles in the course that begin with a title: the character after the blank is `(`, which `)` follows. @param title as SQL */
const titlesLike = (db: Database, course: CourseContext, title: SQL) =>
  db.build
    .select({ title: rubrics.title })
    .from(rubrics)
    .where(
      and(
        eq(rubrics.context_type, 'Course'),
        eq(rubrics.context_id, course.id),
        sql`rubrics.workflow_state = 'active'`,
        sql`${rubrics.title} >= ${title} and ${rubrics.title} < ${title} || ' )'`,
      ),
    );

const titleOf = (given: string | undefined, course: CourseContext) => given?.trim() || `${course.name} Rubric`;

/** @param criteria as SQL, if they are not among the values */
function insert(call: Writing, values: Partial<typeof rubrics.$inferInsert>, title: string, criteria?: SQL): Statement {
  const { db, course, me, now } = call;
  return db.build.insert(rubrics).values({
    ...values,
    ...(criteria && { criteria }),
    title,
    context_type: 'Course',
    context_id: course.id,
    user_id: me.id,
    created_at: now,
    updated_at: now,
  });
}

/** Whether the association changes the points of its assignment. */
const asked = ({
  rubric,
  rubric_association = {},
  skip_updating_points_possible: skips,
}: Shape<typeof rubricParams>): AssociationGiven & {
  readonly skips: boolean;
} => ({ ...rubric_association, skips: skips ?? rubric?.skip_updating_points_possible ?? false });

const withoutPoints = (statements: readonly Statement[], skips: boolean): Statement[] => (skips ? statements.slice(0, 1) : [...statements]);

/** The answer to an association that cannot exist: Canvas sends 200 (reference 03 §13.1). */
const invalidAssociation = (messages: readonly string[]) => answer({ error: true, messages });

export async function createRubric(call: Writing): Promise<Reply> {
  const { db, course, params } = call;
  const given: RubricGiven = params.rubric ?? {};
  const association = asked(params);
  const refusals = refusalsOfAssociation(association);
  if (refusals.length > 0) return invalidAssociation(refusals);
  checkRubric(given);
  const target = targetOf(params.rubric_association, course.id);
  const wanted = titleOf(given.title, course);
  const [taken, [assignment], usable] = await db.perform([
    titlesLike(db, course, sql`${wanted}`),
    targetAssignment(db, course, target),
    usableOutcomes(db, course, given),
  ]);
  checkTarget(course, target, assignment);
  checkOutcomes(
    given,
    usable.map((one) => one.id),
  );
  // The ids of its parts begin with the rubric's id, which the database assigns: until then they have a random text in its place.
  const unknown = crypto.randomUUID();
  const { criteria = [], ...values } = rubricValues(given, newPartId(unknown));
  const numbered = sql`replace(${JSON.stringify(criteria)}, ${unknown}, (select coalesce(max(r.id), 0) + 1 from rubrics r))`;
  return write(
    [
      insert(call, values, freeTitle(wanted, new Set(taken.map(({ title }) => title))), numbered),
      ...withoutPoints(useRubric(call, newest, target, association), association.skips),
    ],
    one(rows(rubrics, { where: sql`${rubrics.id} = ${newest}` })),
  );
}

/** Whether the caller may change the rubric itself, and not only a copy. */
const isEditable = (row: RubricRow, course: CourseContext): boolean =>
  course.can('manage_rubrics') && row.context_type === 'Course' && row.context_id === course.id && !isSharedRubric(row);

/** A change of the use alone needs no copy of the rubric. */
const changesUseAlone = (params: Shape<typeof rubricParams>): boolean =>
  params.rubric === undefined && (params.rubric_association !== undefined || namedId(params) !== undefined);

const usesOf = sql<number>`(select count(*) from rubric_associations used join assignments on assignments.id = used.association_id and assignments.workflow_state <> 'deleted'
  where used.rubric_id = rubrics.id and used.workflow_state = 'active' and used.association_type = 'Assignment')`;

export async function updateRubric(call: Writing & { readonly id: number }): Promise<Reply> {
  const { db, course, id, params } = call;
  const given: RubricGiven = params.rubric ?? {};
  const association = asked(params);
  const refusals = refusalsOfAssociation(association);
  if (refusals.length > 0) return invalidAssociation(refusals);
  checkRubric(given);
  const used = namedId(params);
  const sent = params.rubric_association?.association_id === undefined ? undefined : targetOf(params.rubric_association, course.id);
  const [[before], [use], [assignment], taken, usable] = await db.perform([
    db.build
      .select({ row: rubrics, uses: usesOf.as('uses') })
      .from(rubrics)
      .where(usableRubric(course, id)),
    db.build
      .select()
      .from(rubric_associations)
      .where(and(onlyAssociation({ type: 'Course', id: course.id }, used ?? 0), eq(rubric_associations.rubric_id, id))),
    targetAssignment(db, course, sent),
    titlesLike(db, course, sql`coalesce(${given.title?.trim() || null}, (select own.title from rubrics own where own.id = ${id}))`),
    usableOutcomes(db, course, given),
  ]);
  const rubric: RubricRow = { ...found(before).row, uses: found(before).uses };
  if (used !== undefined) found(use);
  const target = sent ?? (use ? { type: use.association_type, id: use.association_id } : undefined);
  checkTarget(course, target, sent ? assignment : use && { id: use.association_id });
  checkOutcomes(given, [...usable.map((one) => one.id), ...rubric.criteria.map((one) => one.learning_outcome_id)]);
  const others = new Set(taken.map(({ title }) => title));
  const edits = isEditable(rubric, course);
  const copies = !edits && !changesUseAlone(params);
  const current = copies ? newest : sql`${id}`;
  const ofUse = (): Statement[] =>
    use
      ? changeAssociation(call, use.id, association, copies ? current : undefined, sent)
      : useRubric(call, current, target ?? { type: 'Course', id: course.id }, association);
  // An edit of the rubric alone leaves its uses.
  const touchesUse = !edits || use !== undefined || params.rubric_association !== undefined;
  return write(
    [
      ...(edits ? [edit(call, rubric, others)] : copies ? [insertCopy(call, rubric, others)] : []),
      ...(touchesUse ? withoutPoints(ofUse(), association.skips) : []),
      ...(edits && !association.skips ? updatePoints(call, gradedBy(id)) : []),
    ],
    one(rows(rubrics, { where: sql`${rubrics.id} = ${current}` })),
  );
}

const wantedTitle = ({ params }: Pick<Writing, 'params'>, { title }: RubricRow) => params.rubric?.title?.trim() || title;

/** @param taken titles of the course */
function edit(call: Writing, row: RubricRow, taken: ReadonlySet<string>): Statement {
  const others = new Set([...taken].filter((title) => title !== row.title));
  return call.db.build
    .update(rubrics)
    .set({
      ...rubricValues(call.params.rubric ?? {}, newPartId(row.id)),
      title: freeTitle(wantedTitle(call, row), others),
      updated_at: call.now,
    })
    .where(eq(rubrics.id, row.id));
}

/** A copy with the changes, in place of a rubric that the caller may not change. */
function insertCopy(call: Writing, row: RubricRow, taken: ReadonlySet<string>): Statement {
  const values = { ...copied(row), ...defined(rubricValues(call.params.rubric ?? {}, newPartId(row.id))) };
  return insert(call, values, freeTitle(wantedTitle(call, row), new Set([...taken, row.title])));
}

/** The assignments that a rubric grades. */
const gradedBy = (id: number): SQL =>
  sql`select ra.association_id from rubric_associations ra where ra.rubric_id = ${id} and ra.workflow_state = 'active' and ra.association_type = 'Assignment' and ra.use_for_grading = 1`;

const defined = <T extends object>(values: T): Partial<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;

/** What a copy keeps of its original. */
const copied = ({ criteria, points_possible, free_form_criterion_comments, hide_score_total, hide_points, rating_order }: RubricRow) => ({
  criteria,
  points_possible,
  free_form_criterion_comments,
  hide_score_total,
  hide_points,
  rating_order,
});
