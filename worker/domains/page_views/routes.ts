// Page views: every endpoint, in the order of the API reference.

import { PageView } from '@carrel/shared/resources/page_view';
import { endTime, optional, time } from '@carrel/shared/wire/fields';
import { and, eq, gte, lte, sql } from 'drizzle-orm';
import { get } from '../../http/endpoint';
import { descending, type RowOf, rows } from '../../http/listing';
import { list } from '../../http/reply';
import { serializer } from '../../http/serializer';
import { page_views } from './table';

export const about = { title: 'Page views', description: 'Requests that a user has made.' };

const pageView = serializer({
  resource: PageView,
  table: page_views,
  json: (row: RowOf<typeof page_views>, call) => ({
    ...row,
    id: row.uuid,
    contributed: false,
    interaction_seconds: null,
    links: {
      user: row.user_id,
      context: row.context_id,
      asset: row.asset_id,
      real_user: row.real_user_id,
      account: call.institution.root.id,
    },
  }),
});

export const pageViewRoutes = [
  get(
    '/users/:user_id/page_views',
    {
      can: ['self', 'view_statistics'],
      params: { start_time: optional(time), end_time: optional(endTime) },
      returns: [pageView],
      bookmarked: true,
      summary: 'List page views of a user',
    },
    ({ user, params: { start_time, end_time }, page }) =>
      list(
        rows(page_views, {
          where: and(
            eq(page_views.user_id, user.id),
            start_time ? gte(page_views.created_at, start_time) : undefined,
            // The bookmark is the better start: the unary plus keeps SQLite from starting at the end time again.
            end_time ? (page.after ? sql`+${page_views.created_at} <= ${end_time}` : lte(page_views.created_at, end_time)) : undefined,
          ),
          order: descending(page_views.created_at, page_views.id),
        }),
      ),
  ),
];
