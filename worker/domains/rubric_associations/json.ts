// The use of a rubric in responses to writes: its fields, and both objects as Canvas nests them.

import { WrittenRubricAssociation } from '@carrel/shared/resources/rubric';
import { type SQL, sql } from 'drizzle-orm';
import { isInSelect } from '../../database/ids';
import { rows } from '../../http/listing';
import { embed, serializer } from '../../http/serializer';
import type { AssociationRow } from '../rubrics/associations/json';
import { rubric } from '../rubrics/json';
import { rubrics } from '../rubrics/table';
import { writtenAssociation } from '../rubrics/written_association';
import { rubric_associations } from './table';

const rubricOf = (ids: SQL) => sql`select rubric_id from rubric_associations where ${isInSelect(sql`id`, ids)}`;

export const writtenRubricAssociation = serializer({
  resource: WrittenRubricAssociation,
  table: rubric_associations,
  also: (ids) => ({
    own: embed(writtenAssociation, rows(rubric_associations, { where: isInSelect(rubric_associations.id, ids) })),
    rubrics: embed(rubric, rows(rubrics, { where: isInSelect(rubrics.id, rubricOf(ids)) })),
  }),
  json(row: AssociationRow, _call, { own, rubrics: all }) {
    const association = own.find((one) => one.row.id === row.id)?.json;
    return { ...association, rubric: all.find((one) => one.row.id === row.rubric_id)?.json, rubric_association: association };
  },
});
