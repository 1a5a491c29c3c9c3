// Which rubrics a context has: those that it has bookmarked (reference 03 §13.3).

import { and, eq, type SQL, sql } from 'drizzle-orm';
import { type Listing, rows } from '../../http/listing';
import { rubric_associations } from '../rubric_associations/table';
import { presentAssociations, type RubricContext } from './associations/policy';
import { rubrics } from './table';

const present = sql`rubrics.workflow_state = 'active'`;

/** The association of a context and a rubric that comes first, so that each rubric is listed once. */
const isFirst = sql`not exists (select 1 from rubric_associations e where e.context_type = rubric_associations.context_type and e.context_id = rubric_associations.context_id
  and e.rubric_id = rubric_associations.rubric_id and e.workflow_state = 'active' and e.bookmarked = 1 and e.id < rubric_associations.id)`;

/** The rubrics of a context, by id. */
export const rubricsIn = ({ type, id }: RubricContext): Listing<typeof rubrics.$inferSelect> =>
  rows(rubrics, {
    from: rubric_associations,
    join: (select) => select.innerJoin(rubrics, eq(rubrics.id, rubric_associations.rubric_id)),
    where: and(
      eq(rubric_associations.context_type, type),
      eq(rubric_associations.context_id, id),
      presentAssociations,
      sql`rubric_associations.bookmarked = 1`,
      present,
      isFirst,
    ),
    order: [{ by: rubric_associations.rubric_id }],
  });

/** A rubric that the context has bookmarked, or uses for an assignment. */
export const onlyRubric = ({ type, id: context_id }: RubricContext, id: number): SQL =>
  and(
    eq(rubrics.id, id),
    present,
    sql`exists (select 1 from rubric_associations used where used.context_type = ${type} and used.context_id = ${context_id} and used.rubric_id = rubrics.id and used.workflow_state = 'active')`,
  ) as SQL;

/** A rubric that may be used in a course: its own, one of its accounts, or one that it uses already. */
export const usableRubric = (course: { readonly id: number; readonly chain: readonly number[] }, id: number): SQL =>
  sql`${rubrics.id} = ${id} and ${present} and ((${rubrics.context_type} = 'Course' and ${rubrics.context_id} = ${course.id})
    or (${rubrics.context_type} = 'Account' and ${rubrics.context_id} in (select value from json_each(${JSON.stringify(course.chain)})))
    or ${onlyRubric({ type: 'Course', id: course.id }, id)})`;
