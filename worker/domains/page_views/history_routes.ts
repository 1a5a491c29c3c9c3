// The pages that a user has opened in a browser, from their page views.

import { HistoryEntry } from '@carrel/shared/resources/history_entry';
import { wireTime } from '@carrel/shared/wire/fields';
import { isInSelect, theIds } from '../../database/ids';
import { get } from '../../http/endpoint';
import { pageOfRows } from '../../http/reply';
import { accounts } from '../accounts/table';
import { courses } from '../courses/table';
import { external_tools } from '../external_tools/table';
import { viewsOf } from './read';
import { bookmarked } from './view_bookmark';
import { type Visit, visitOf } from './visits';

const weeks = 3;
/** Views that one page looks through: a page may be short and still have a next page. */
const atOnce = 500;

export const historyRoutes = [
  get(
    '/users/:user_id/history',
    {
      can: ['self_or_admin', 'observer'],
      returns: { json: HistoryEntry },
      bookmarked: true,
      summary: 'List the pages that a user has opened',
    },
    async ({ user, page, env, db, meter, now }) => {
      const start = wireTime(Date.parse(now) - weeks * 7 * 86_400_000);
      const { views, next } = await viewsOf(env, db, { user_id: user.id, after: bookmarked(page), start, count: atOnce }, () => {
        meter.r2_calls += 1;
      });
      const visits = views.map(visitOf).filter((visit): visit is Visit => visit !== undefined);
      const bookmark = next && [next.time, next.uuid];
      if (visits.length === 0) return pageOfRows([], bookmark);
      const ids = (of: (visit: Visit) => number | undefined) => theIds([...new Set(visits.flatMap((visit) => of(visit) ?? []))]);
      const [tools, places, above] = await db.perform([
        db.build
          .select()
          .from(external_tools)
          .where(
            isInSelect(
              external_tools.id,
              ids(({ tool_id }) => tool_id),
            ),
          ),
        db.build
          .select()
          .from(courses)
          .where(
            isInSelect(
              courses.id,
              ids(({ context_type, context_id }) => (context_type === 'Course' ? context_id : undefined)),
            ),
          ),
        db.build
          .select()
          .from(accounts)
          .where(
            isInSelect(
              accounts.id,
              ids(({ context_type, context_id }) => (context_type === 'Account' ? context_id : undefined)),
            ),
          ),
      ]);
      return pageOfRows(
        visits.flatMap(({ context_type, context_id, tool_id, view }) => {
          const tool = tools.find(({ id }) => id === tool_id);
          const place = (context_type === 'Course' ? places : above).find(({ id }) => id === context_id);
          if (!tool || !place) return [];
          return [
            {
              asset_code: `context_external_tool_${tool.id}`,
              asset_name: tool.name,
              asset_icon: 'icon-lti',
              asset_readable_category: 'External Tool',
              context_type,
              context_id,
              context_name: place.name,
              visited_url: view.url,
              visited_at: view.created_at,
              interaction_seconds: null,
            },
          ];
        }),
        bookmark,
      );
    },
  ),
];
