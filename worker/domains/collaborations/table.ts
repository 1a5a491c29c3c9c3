// Documents that users of a course or group edit together; external tools store them.

import { sql } from 'drizzle-orm';
import { index, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { created, id, int, state, string } from '../../database/columns';

export const collaborations = sqliteTable(
  'collaborations',
  {
    id: id(),
    context_type: state('Course', 'Group').notNull(),
    context_id: int().notNull(),
    user_id: int().notNull(),
    collaboration_type: string().notNull(),
    document_id: string(),
    url: string(),
    update_url: string(),
    title: string(),
    description: string(),
    workflow_state: state('active', 'deleted').notNull().default('active'),
    ...created(),
  },
  (one) => [
    index('collaborations_in_context').on(one.context_type, one.context_id, one.id),
    index('collaborations_by_change').on(one.context_type, one.context_id, one.updated_at, one.id).where(sql`workflow_state = 'active'`),
  ],
);

/** Users and groups, each at most once. */
export const collaborators = sqliteTable(
  'collaborators',
  { id: id(), collaboration_id: int().notNull(), user_id: int(), group_id: int() },
  (one) => [
    uniqueIndex('collaborators_people').on(one.collaboration_id, one.user_id),
    uniqueIndex('collaborators_groups').on(one.collaboration_id, one.group_id),
    index('collaborators_in_order').on(one.collaboration_id, one.id),
    index('collaborators_of_user').on(one.user_id),
  ],
);
