// Which events a list holds. Each calendar is walked along its index only as far as one page reaches.

import { type SQL, sql } from 'drizzle-orm';
import type { Call } from '../../http/call';
import { ascending, rows } from '../../http/listing';
import { startAfter } from '../../http/page';
import { calendar_events } from './table';

export const startsAt = sql`coalesce(calendar_events.start_at, '')`;

/**
 * @param codes a select of the codes whose events are wanted
 * @param within a condition on a row of calendar_events, by the name that it goes by
 */
export function eventsOf(codes: SQL, within: (event: SQL) => SQL, { page }: Pick<Call, 'page'>) {
  const most = page.per_page * (page.number ?? 1) + 1;
  const after = startAfter(page, 2);
  const beyond = after
    ? sql` and coalesce(c.start_at, '') >= ${after[0]} and (coalesce(c.start_at, ''), c.id) > (${after[0]}, ${after[1]})`
    : sql``;
  const first = sql`select c.id from calendar_events c where c.context_code = code.code and c.workflow_state <> 'deleted' and ${within(sql.raw('c'))}${beyond}
    order by coalesce(c.start_at, ''), c.id limit ${most}`;
  return rows(calendar_events, {
    join: (select) => select.innerJoin(sql`(${codes}) code`, sql`calendar_events.id in (${first})`),
    where: undefined,
    order: ascending(startsAt, calendar_events.id),
  });
}
