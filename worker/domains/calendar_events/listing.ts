// Lists of events. Each calendar is walked along its index, only as far as the page needs.

import { type SQL, sql } from 'drizzle-orm';
import { atMost } from '../../database/at_most';
import type { Call } from '../../http/call';
import { ascending, rows } from '../../http/listing';
import { startAfter } from '../../http/page';
import { calendar_events } from './table';

export const startsAt = sql`coalesce(calendar_events.start_at, '')`;

/**
 * @param codes a select of the context codes to list
 * @param within a condition on a row of calendar_events, given its alias
 * @param besides a select of ids of further events, outside these contexts
 */
export function eventListing(codes: SQL, within: (event: SQL) => SQL, { page }: Pick<Call, 'page'>, besides?: SQL) {
  const most = page.per_page * (page.number ?? 1) + 1;
  const after = startAfter(page, 2);
  const beyond = after
    ? sql` and coalesce(c.start_at, '') >= ${after[0]} and (coalesce(c.start_at, ''), c.id) > (${after[0]}, ${after[1]})`
    : sql``;
  const chosen = sql`c.workflow_state <> 'deleted' and ${within(sql.raw('c'))}${beyond}`;
  const first = sql`select c.id from calendar_events c where c.context_code = code.code and ${chosen}
    order by coalesce(c.start_at, ''), c.id limit ${atMost(most)}`;
  const found = besides
    ? sql`select id from (${first}) union all select c.id from calendar_events c where code.code = '' and c.id in (${besides}) and ${chosen}`
    : first;
  return rows(calendar_events, {
    join: (select) =>
      select.innerJoin(
        sql`(${besides ? sql`select code from (${codes}) union all select ''` : codes}) code`,
        sql`calendar_events.id in (${found})`,
      ),
    where: undefined,
    order: ascending(startsAt, calendar_events.id),
  });
}
