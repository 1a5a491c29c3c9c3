// What people have looked at and done: one row for each request that somebody known made and that succeeded.

import { index, sqliteTable } from 'drizzle-orm/sqlite-core';
import { bool, id, int, number, string, time } from '../../database/columns';

export const page_views = sqliteTable(
  'page_views',
  {
    id: id(),
    /** The id of the request, which its answer has told. */
    uuid: string().notNull(),
    user_id: int().notNull(),
    real_user_id: int(),
    /** The course, account or person that the request stood in. */
    context_type: string(),
    context_id: int(),
    asset_type: string(),
    asset_id: int(),
    controller: string().notNull(),
    action: string().notNull(),
    participated: bool().notNull(),
    /** Came from a browser's session. */
    user_request: bool().notNull(),
    http_method: string().notNull(),
    url: string().notNull(),
    user_agent: string(),
    remote_ip: string(),
    app_name: string(),
    /** Seconds. */
    render_time: number().notNull(),
    created_at: time().notNull(),
  },
  (view) => [index('page_views_of_user').on(view.user_id, view.created_at, view.id)],
);
