// Page views: every endpoint, in the order of the API reference.

import { PageView } from '@carrel/shared/resources/page_view';
import { endTime, optional, time } from '@carrel/shared/wire/fields';
import { get } from '../../http/endpoint';
import type { PageWanted } from '../../http/page';
import { pageOfRows } from '../../http/reply';
import { serializer } from '../../http/serializer';
import { pageViewJson } from './json';
import { type ViewPage, type ViewsWanted, viewsOf } from './read';
import { page_views } from './table';
import type { RecordedView } from './view';
import { bookmarked } from './view_bookmark';

export const about = { title: 'Page views', description: 'Requests that a user has made.' };

/** Its table has the fields of a view, though no rows. */
const pageView = serializer({
  resource: PageView,
  table: page_views,
  json: (view: RecordedView, call) => pageViewJson(view, call.institution.root.id),
});

/** A page that is requested by its number follows the pages before it; one that needs more objects than a request reads is empty. */
async function pageOfViews({ per_page, number = 1 }: PageWanted, read: (count: number) => Promise<ViewPage>): Promise<ViewPage> {
  const skipped = (number - 1) * per_page;
  const { views, next } = await read(skipped + per_page);
  return { views: views.slice(skipped), next: skipped > 0 && views.length <= skipped ? null : next };
}

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
    async ({ user, params: { start_time, end_time }, page, env, db, meter, institution }) => {
      const wanted: Omit<ViewsWanted, 'count'> = { user_id: user.id, after: bookmarked(page), start: start_time, end: end_time };
      const { views, next } = await pageOfViews(page, (count) =>
        viewsOf(env, db, { ...wanted, count }, () => {
          meter.r2_calls += 1;
        }),
      );
      const json = views.map((view) => pageViewJson(view, institution.root.id));
      return pageOfRows(json, next && [next.time, next.uuid]);
    },
  ),
];
