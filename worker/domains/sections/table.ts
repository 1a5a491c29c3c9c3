// Sections of courses.

import { sql } from 'drizzle-orm';
import { index, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { bool, created, id, int, state, string, time } from '../../database/columns';

export const sections = sqliteTable(
  'sections',
  {
    id: id(),
    course_id: int().notNull(),
    /** The original course of a cross-listed section. */
    nonxlist_course_id: int(),
    name: string().notNull(),
    is_default: bool().notNull().default(false),
    start_at: time(),
    end_at: time(),
    restrict_enrollments_to_section_dates: bool(),
    sis_section_id: string(),
    integration_id: string(),
    sis_import_id: int(),
    /** Fields changed by hand (`,name,short_name,`); an SIS import leaves them alone. Kept by triggers. */
    stuck_sis_fields: string(),
    workflow_state: state('active', 'deleted').notNull().default('active'),
    ...created(),
  },
  (section) => [
    index('sections_in_course').on(section.course_id, sql`${section.name} collate nocase`, section.id),
    uniqueIndex('sections_by_sis_id').on(section.sis_section_id).where(sql`sis_section_id is not null`),
    uniqueIndex('sections_by_integration_id').on(section.integration_id).where(sql`integration_id is not null`),
  ],
);
