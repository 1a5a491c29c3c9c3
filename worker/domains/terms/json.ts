// Enrollment terms as clients see them.

import { EnrollmentTerm } from '@carrel/shared/resources/enrollment_term';
import { sql } from 'drizzle-orm';
import type { RowOf } from '../../http/listing';
import { serializer } from '../../http/serializer';
import { terms } from './table';

export const term = serializer({
  resource: EnrollmentTerm,
  table: terms,
  columns: ({ include }) => ({
    ...(include.has('course_count') && {
      course_count: sql`(select count(*) from courses c where c.enrollment_term_id = terms.id and c.workflow_state <> 'deleted')`.as(
        'course_count',
      ),
    }),
  }),
  json(row: RowOf<typeof terms>, { account }) {
    const seesSis = account?.can('read_sis') || account?.can('manage_sis');
    return {
      ...row,
      sis_term_id: seesSis ? row.sis_term_id : undefined,
      sis_import_id: account?.can('manage_sis') ? row.sis_import_id : undefined,
      overrides: Object.fromEntries(
        Object.entries(row.overrides).map(([type, { start_at = null, end_at = null }]) => [type, { start_at, end_at }]),
      ),
    };
  },
});
