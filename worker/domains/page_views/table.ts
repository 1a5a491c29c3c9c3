// Page views: one row per successful request of a signed-in user.

import { index, sqliteTable } from 'drizzle-orm/sqlite-core';
import { bool, id, int, number, string, time } from '../../database/columns';

export const page_views = sqliteTable(
  'page_views',
  {
    id: id(),
    /** The request id, as returned in the response. */
    uuid: string().notNull(),
    user_id: int().notNull(),
    real_user_id: int(),
    /** The course, account or user of the request. */
    context_type: string(),
    context_id: int(),
    asset_type: string(),
    asset_id: int(),
    controller: string().notNull(),
    action: string().notNull(),
    participated: bool().notNull(),
    /** Came from a browser session. */
    user_request: bool().notNull(),
    http_method: string().notNull(),
    url: string().notNull(),
    user_agent: string(),
    remote_ip: string(),
    app_name: string(),
    /** In seconds. */
    render_time: number().notNull(),
    created_at: time().notNull(),
  },
  (view) => [index('page_views_of_user').on(view.user_id, view.created_at, view.id)],
);
