// Which uses of rubrics exist in a context.

import { and, eq, type SQL, sql } from 'drizzle-orm';
import { isInSelect } from '../../../database/ids';
import { forGrading, rubric_associations } from '../../rubric_associations/table';

export interface RubricContext {
  readonly type: 'Course' | 'Account';
  readonly id: number;
}

/** Literal, so that SQLite matches the partial indexes. */
export const presentAssociations: SQL = sql`rubric_associations.workflow_state = 'active'`;

export const associationsIn = ({ type, id }: RubricContext): SQL =>
  and(eq(rubric_associations.context_type, type), eq(rubric_associations.context_id, id), presentAssociations) as SQL;

export const onlyAssociation = (context: RubricContext, id: number): SQL =>
  and(associationsIn(context), eq(rubric_associations.id, id)) as SQL;

/** The uses by which assignments are assessed. @param ids a select of assignments */
export const gradingAssociations = (ids: SQL): SQL => and(isInSelect(rubric_associations.association_id, ids), forGrading()) as SQL;
