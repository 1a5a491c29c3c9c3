// Feature flags set by an account, a course or a user.

import { sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { created, id, int, state, string } from '../../database/columns';

export const feature_flags = sqliteTable(
  'feature_flags',
  {
    id: id(),
    context_type: state('Account', 'Course', 'User').notNull(),
    context_id: int().notNull(),
    feature: string().notNull(),
    state: state('off', 'allowed', 'allowed_on', 'on').notNull(),
    ...created(),
  },
  (flag) => [uniqueIndex('feature_flags_once').on(flag.context_type, flag.context_id, flag.feature)],
);
