// The use of a rubric as clients see it.

import { RubricAssociation } from '@carrel/shared/resources/rubric_association';
import type { RowOf } from '../../../http/listing';
import { type Serializer, serializer } from '../../../http/serializer';
import { rubric_associations } from '../../rubric_associations/table';

export type AssociationRow = RowOf<typeof rubric_associations>;

export const rubricAssociation: Serializer<AssociationRow, typeof RubricAssociation> = serializer({
  resource: RubricAssociation,
  table: rubric_associations,
  json: (row: AssociationRow, { course, account }) => ({
    ...row,
    course_id: row.context_type === 'Course' ? row.context_id : undefined,
    // Saved comments may quote other students' work.
    summary_data: (course ?? account)?.can('manage_grades') ? row.summary_data : null,
  }),
});
